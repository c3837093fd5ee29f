// The values that a script accepts, told by what it does with all others: it gives up.
import type { Json } from '../../types.ts'
import { alternateOf, conditionOf, consequentOf, givesUp, guardingIf } from './control-flow.ts'
import { evaluate, propertyKey } from './evaluate.ts'
import { binaryOf, memberOf, methodCallOf } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import { flowOf } from './value-flow.ts'

type Choices = readonly Json[] | undefined

/** `if (x === 'a') … else if (x === 'b') … else usage()`. */
export function chainChoices(script: Script, test: Node): Choices {
  const values: Json[] = []
  const name = textOf(test.children[0] as Node)
  let statement = guardingIf(test) ?? (test.parent?.parent?.name === 'IfStatement' ? test.parent.parent : undefined)
  if (statement === undefined || statement.parent?.name === 'IfStatement') return undefined
  for (;;) {
    const value = comparedTexts(script, conditionOf(statement), name)
    const otherwise = alternateOf(statement)
    if (value === undefined || otherwise === undefined) return undefined
    values.push(...value.filter(text => !/^(?:-.*|help)$/.test(text)))
    if (otherwise.name !== 'IfStatement') return values.length > 1 && givesUp(script, otherwise) ? values : undefined
    statement = otherwise
  }
}

/** `if (x !== 'a' && x !== 'b') exit()`. */
export function refusalChoices(script: Script, test: Node): Choices {
  let whole = test
  while (binaryOf(whole.parent ?? undefined)?.operator === '&&') whole = whole.parent as Node
  const statement = guardingIf(whole)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (consequent === undefined || !givesUp(script, consequent)) return undefined
  const name = textOf(test.children[0] as Node)
  const values = refusedUnless(script, whole, name)
  return values !== undefined && values.length > 1 ? values : undefined
}

function refusedUnless(script: Script, test: Node, name: string): readonly string[] | undefined {
  const binary = binaryOf(unwrap(test))
  if (binary === undefined) return textOf(test) === name ? [] : undefined
  if (binary.operator === '&&') {
    const left = refusedUnless(script, binary.left, name)
    const right = refusedUnless(script, binary.right, name)
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  const value = evaluate(script, binary.right)?.value
  const isRefusal = /^!==?$/.test(binary.operator) && textOf(binary.left) === name
  return isRefusal && typeof value === 'string' ? [value] : undefined
}

function comparedTexts(script: Script, condition: Node | undefined, name: string): readonly string[] | undefined {
  const binary = binaryOf(condition)
  if (binary === undefined) return undefined
  if (binary.operator === '||') {
    const left = comparedTexts(script, binary.left, name)
    const right = comparedTexts(script, binary.right, name)
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  if (binary.operator === '&&') return undefined
  const value = evaluate(script, binary.right)?.value
  return binary.operator.startsWith('==') && textOf(binary.left) === name && typeof value === 'string'
    ? [value]
    : undefined
}

/** `if (!FORMATS.includes(x)) exit()` lists the choices. */
export function memberChoices(script: Script, call: Node): Choices {
  const method = methodCallOf(call)
  if (method?.method !== 'includes' && method?.method !== 'has') return undefined
  const negation = call.parent
  if (negation?.name !== 'UnaryExpression' || !textOf(negation).startsWith('!')) return undefined
  const statement = guardingIf(negation) ?? guardedWithValue(negation)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (consequent === undefined || !givesUp(script, consequent)) return undefined
  const choices = evaluate(script, method.object)?.value
  return Array.isArray(choices) && choices.length > 0 ? choices : undefined
}

/** `if (x && !FORMATS.includes(x))`. */
function guardedWithValue(negation: Node): Node | undefined {
  const parent = negation.parent
  return binaryOf(parent ?? undefined)?.operator === '&&' ? guardingIf(parent as Node) : undefined
}

/** `const run = COMMANDS[x]; if (!run) usage()`: the keys are the choices. */
export function lookupChoices(script: Script, member: Node): Choices {
  const object = memberOf(member)?.object
  const keys = object === undefined ? undefined : literalKeys(script, object)
  if (keys === undefined || keys.length === 0) return undefined
  const isChecked = flowOf(script, member).some(place => {
    const statement = place.parent?.name === 'UnaryExpression' ? guardingIf(place.parent) : undefined
    const consequent = statement === undefined ? undefined : consequentOf(statement)
    return consequent !== undefined && givesUp(script, consequent)
  })
  const choices = keys.filter(key => !/^(?:-.*|help)$/.test(key))
  return isChecked && choices.length > 0 ? choices : undefined
}

/** The cases of a `switch` whose default gives up. */
export function switchChoices(script: Script, statement: Node): Choices {
  const body = childNamed(statement, 'SwitchBody')
  const values: Json[] = []
  let isDefault = false
  let refuses = false
  for (const item of body?.children ?? []) {
    if (item.name === 'CaseLabel') {
      isDefault = false
      const value = evaluate(script, partsOf(item)[0])?.value
      if (typeof value !== 'string') return undefined
      if (!/^(?:-.*|help)$/.test(value)) values.push(value)
    } else if (item.name === 'DefaultLabel') isDefault = true
    else if (isDefault && (givesUp(script, item) || /usage|help|unknown/i.test(textOf(item)))) refuses = true
  }
  return refuses && values.length > 0 ? values : undefined
}

/** Keys of an object literal, whatever its values are. */
function literalKeys(script: Script, node: Node): readonly string[] | undefined {
  const expression = unwrap(node)
  const binding = bindingOf(script, expression)
  if (binding !== undefined) {
    const { origin } = binding
    if (origin.kind !== 'value' || origin.path.length > 0 || binding.writes.length > 0) return undefined
    return unwrap(origin.value).name === 'VariableName' ? undefined : literalKeys(script, origin.value)
  }
  if (expression.name !== 'ObjectExpression') return undefined
  const keys = partsOf(expression).map(property => (childNamed(property, 'Spread') ? undefined : propertyKey(property)))
  return keys.every(key => key !== undefined) ? (keys as string[]) : undefined
}
