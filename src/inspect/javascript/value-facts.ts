// What the uses of an argument tell of it: its type, its default, whether it must be there, what it may be.
import type { Json } from '../../types.ts'
import { parameterPatterns } from './bindings.ts'
import { alternateOf, conditionOf, consequentOf, givesUp, guardingIf, isAlwaysReached } from './control-flow.ts'
import { evaluate, isRecord, propertyKey } from './evaluate.ts'
import { binaryOf, type Call, callOf, memberOf, methodCallOf, pathOf } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import { calledFunction, declaredPattern, flowOf } from './value-flow.ts'

export type ValueFacts = {
  /** `boolean` when it is only ever tested. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly required: boolean
  readonly default?: Json
  readonly choices?: readonly Json[]
  /** The first variable that takes it. */
  readonly name?: string
  /** True when the uses show that it is a text or a number, not merely something that is handed on. */
  readonly certain: boolean
  /** Where it is compared with a flag, so that it is not always a plain word. */
  readonly flag?: Node
}

/** Reads the uses of expressions that all carry the same argument. */
export function factsOf(script: Script, starts: readonly Node[], declared?: ValueFacts['type']): ValueFacts {
  const found: Findings = { tested: false, used: false, required: false }
  const seen = new Set<Node>()
  const kinds = starts.map(start => followStart(script, start, found, seen))
  // Read as a number in one place and as text in another, it can be any text.
  if (kinds.includes('text') && kinds.includes('number')) delete found.number
  return conclude(found, declared)
}

function followStart(script: Script, start: Node, found: Findings, seen: Set<Node>): 'text' | 'number' | 'neither' {
  const own: Findings = { tested: false, used: false, required: false }
  const pending = [start]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const place of flowOf(script, next)) {
      if (seen.has(place) || seen.size > 500 || script.scope?.excludes(place)) continue
      seen.add(place)
      const converted = noteUse(script, place, own)
      if (converted !== undefined) pending.push(converted)
    }
  }
  const { tested, used, required, shown, ...more } = own
  Object.assign(found, {
    ...more,
    ...found,
    tested: found.tested || tested,
    used: found.used || used || shown === true,
    required: found.required || required,
  })
  return own.number !== undefined ? 'number' : used ? 'text' : 'neither'
}

type Findings = {
  number?: 'integer' | 'number'
  tested: boolean
  used: boolean
  required: boolean
  default?: Json
  choices?: readonly Json[]
  name?: string
  /** The key of the object that it is put in. */
  key?: string
  /** Only printed, which says nothing of the type. */
  shown?: boolean
  /** Something else takes its place when it is missing. */
  replaced?: boolean
  /** Used as only a text can be. */
  text?: boolean
  flag?: Node
}

function conclude(found: Findings, declared: ValueFacts['type'] | undefined): ValueFacts {
  const isSwitch = found.tested && !found.used && found.number === undefined && found.choices === undefined
  const onlyDefaulted = !found.used && typeof found.default === 'boolean'
  const used = found.number ?? (isSwitch || onlyDefaulted ? 'boolean' : 'string')
  const type = declared === undefined || declared === 'string' ? used : declared
  const fallback = asType(found.default, type)
  return {
    type,
    certain:
      found.number !== undefined || found.choices !== undefined || found.text === true || typeof fallback === 'string',
    required: found.required && fallback === undefined && found.replaced !== true,
    ...(found.flag === undefined ? {} : { flag: found.flag }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(found.choices === undefined ? {} : { choices: found.choices }),
    ...((found.name ?? found.key) === undefined ? {} : { name: found.name ?? found.key }),
  }
}

/** A default as the schema's type has it; `'10'` before `parseInt` means 10. */
function asType(value: Json | undefined, type: ValueFacts['type']): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'string') return typeof value === 'string' ? value : undefined
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Notes one use; answers with an expression that carries the converted value, to be followed as well. */
function noteUse(script: Script, place: Node, found: Findings): Node | undefined {
  const parent = place.parent
  if (parent === null) return undefined
  switch (parent.name) {
    case 'VariableDeclaration': {
      const pattern = declaredPattern(place)
      if (pattern?.name === 'VariableDefinition') found.name ??= textOf(pattern)
      else found.used = true
      return undefined
    }
    case 'BinaryExpression':
      return noteBinary(script, place, parent, found)
    case 'UnaryExpression':
      return noteUnary(script, parent, found)
    case 'ConditionalExpression':
      if (partsOf(parent)[0] === place) noteConditional(script, place, parent, found)
      else if (partsOf(parent)[1] === place) noteArm(script, parent, found)
      return undefined
    case 'ArgList':
      return noteArgument(script, place, parent, found)
    case 'MemberExpression':
      return noteMember(script, place, parent, found)
    case 'IfStatement':
    case 'WhileStatement':
      found.tested = true
      return undefined
    case 'SwitchStatement':
      noteSwitch(script, parent, found)
      return undefined
    case 'AssignmentExpression':
      noteAssignment(script, parent, found)
      return undefined
    case 'Property':
      noteKey(parent, found)
      found.used = true
      return undefined
    case 'Interpolation':
      found.shown = true
      return undefined
    case 'ParenthesizedExpression':
    case 'ReturnStatement':
    case 'ExpressionStatement':
    case 'ArrowFunction':
      return undefined
    default:
      if (parent.name !== 'AwaitExpression') found.used = true
      return undefined
  }
}

function noteKey(property: Node, found: Findings): void {
  const key = propertyKey(property)
  if (key !== undefined) found.key ??= key
}

function noteBinary(script: Script, place: Node, parent: Node, found: Findings): undefined {
  const binary = binaryOf(parent)
  if (binary === undefined) return undefined
  const isLeft = partsOf(parent)[0] === place
  const other = isLeft ? binary.right : binary.left
  switch (binary.operator) {
    case '||':
    case '??':
      if (!isLeft) {
        found.replaced ||= evaluate(script, other) === undefined
        return undefined
      }
      if (!givesUp(script, other)) found.replaced ||= !isNothing(script, other)
      else if (isAlwaysReached(script, parent)) found.required = true
      noteDefault(script, other, found)
      return undefined
    case '&&':
      if (isLeft) found.tested = true
      return undefined
    case '===':
    case '==':
    case '!==':
    case '!=':
      return noteComparison(script, parent, binary.operator, other, found)
    default:
      found.used = true
      found.text = true
      return undefined
  }
}

function noteComparison(script: Script, parent: Node, operator: string, other: Node, found: Findings): undefined {
  const text = textOf(other)
  if (text !== 'undefined' && text !== 'null' && text !== 'true' && text !== 'false') {
    found.used = true
    found.text = true
    if (/^['"`]-(?!-?help\b|h\b|-?version\b|v\b)-?\w/.test(text)) found.flag = parent
    if (operator.startsWith('=')) noteChain(script, parent, found)
    else noteRefusal(script, parent, found)
    return undefined
  }
  found.tested = true
  if (operator.startsWith('=') && (text === 'undefined' || text === 'null')) noteLack(script, parent, found)
  return undefined
}

/** `if (x === 'a') … else if (x === 'b') … else usage()`. */
function noteChain(script: Script, test: Node, found: Findings): void {
  const values: Json[] = []
  const name = textOf(test.children[0] as Node)
  let statement = guardingIf(test) ?? (test.parent?.parent?.name === 'IfStatement' ? test.parent.parent : undefined)
  if (statement === undefined || statement.parent?.name === 'IfStatement') return
  for (;;) {
    const value = comparedTexts(script, conditionOf(statement), name)
    const otherwise = alternateOf(statement)
    if (value === undefined || otherwise === undefined) return
    values.push(...value.filter(text => !/^(?:-.*|help)$/.test(text)))
    if (otherwise.name === 'IfStatement') statement = otherwise
    else {
      if (values.length > 1 && givesUp(script, otherwise)) found.choices ??= values
      return
    }
  }
}

/** `if (x !== 'a' && x !== 'b') exit()`. */
function noteRefusal(script: Script, test: Node, found: Findings): void {
  let whole = test
  while (binaryOf(whole.parent ?? undefined)?.operator === '&&') whole = whole.parent as Node
  const statement = guardingIf(whole)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (consequent === undefined || !givesUp(script, consequent)) return
  const name = textOf(test.children[0] as Node)
  const values = refusedUnless(script, whole, name)
  if (values !== undefined && values.length > 1) found.choices ??= values
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

function noteUnary(script: Script, parent: Node, found: Findings): undefined {
  const operator = textOf(parent)
  if (operator.startsWith('+')) found.number ??= 'number'
  if (!operator.startsWith('!')) return undefined
  found.tested = true
  noteLack(script, parent, found)
  return undefined
}

/** `if (!x) exit()` makes x required. */
function noteLack(script: Script, test: Node, found: Findings): void {
  const statement = guardingIf(test)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (statement === undefined || consequent === undefined) return
  if (givesUp(script, consequent) && isAlwaysReached(script, statement)) found.required = true
}

function noteConditional(script: Script, place: Node, parent: Node, found: Findings): void {
  found.tested = true
  const [, whenGiven, otherwise] = partsOf(parent)
  // `x ? Number(x) : 5`: the second arm is the default of the first.
  if (whenGiven === undefined || !isConverted(whenGiven, textOf(place))) return
  found.replaced = true
  noteDefault(script, otherwise, found)
}

function noteDefault(script: Script, node: Node | undefined, found: Findings): void {
  const value = evaluate(script, node)?.value
  if (value !== undefined && value !== null && value !== '') found.default ??= value
}

/** `''`, `null`, `undefined`: as good as missing. */
function isNothing(script: Script, node: Node): boolean {
  const known = evaluate(script, node)
  return known === undefined ? textOf(node) === 'undefined' : !known.value
}

/** `index !== -1 ? args[index + 1] : 'x'`. */
function noteArm(script: Script, conditional: Node, found: Findings): void {
  const [test, , otherwise] = partsOf(conditional)
  if (test === undefined || !/-1|>=? ?0|\.includes\(/.test(textOf(test))) return
  found.replaced = true
  noteDefault(script, otherwise, found)
}

/** `x`, `Number(x)`, `x.trim()`. */
function isConverted(node: Node, name: string): boolean {
  const expression = unwrap(node)
  if (textOf(expression) === name) return true
  const method = methodCallOf(expression)
  if (method !== undefined && isConverted(method.object, name)) return true
  const [first] = callOf(expression)?.args ?? []
  return first !== undefined && isConverted(first, name)
}

function noteArgument(script: Script, place: Node, list: Node, found: Findings): Node | undefined {
  const call = callOf(list.parent ?? undefined)
  const path = pathOf(call?.callee) ?? ''
  if (call === undefined) return undefined
  const isFirst = call.args[0] === place
  if (isFirst && /^(?:Number\.)?parseInt$|^BigInt$/.test(path)) {
    found.number = 'integer'
    return list.parent ?? undefined
  }
  if (isFirst && /^(?:Number|(?:Number\.)?parseFloat)$/.test(path)) {
    found.number ??= 'number'
    return list.parent ?? undefined
  }
  if (path === 'Boolean') {
    found.tested = true
    return undefined
  }
  if (path === 'String') {
    found.used = true
    return list.parent ?? undefined
  }
  if (path.startsWith('console.')) {
    found.shown = true
    return undefined
  }
  if (isFirst && /^(?:Number\.)?isNaN$/.test(path)) {
    noteLack(script, list.parent as Node, found)
    return undefined
  }
  const taken = parameterName(script, call, place)
  if (taken !== undefined) found.name ??= taken
  noteMembership(script, list.parent as Node, found)
  found.used = true
  if (
    /^(?:path|fs|fsp|JSON)\.|^(?:resolve|join|basename|readFile\w*|writeFile\w*|existsSync|fetch|URL|RegExp|Date)$/.test(
      path,
    )
  )
    found.text = true
  return undefined
}

/** How a function of this file calls what it is given. */
function parameterName(script: Script, call: Call, place: Node): string | undefined {
  const fn = calledFunction(script, call.callee)
  const pattern = fn === undefined ? undefined : parameterPatterns(fn)[call.args.indexOf(place)]
  return pattern?.name === 'VariableDefinition' ? textOf(pattern) : undefined
}

/** `if (!FORMATS.includes(x)) exit()` lists the choices. */
function noteMembership(script: Script, call: Node, found: Findings): void {
  const method = methodCallOf(call)
  if (method?.method !== 'includes' && method?.method !== 'has') return
  const negation = call.parent
  if (negation?.name !== 'UnaryExpression' || !textOf(negation).startsWith('!')) return
  const statement = guardingIf(negation) ?? guardedWithValue(negation)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (consequent === undefined || !givesUp(script, consequent)) return
  const choices = evaluate(script, method.object)?.value
  if (Array.isArray(choices) && choices.length > 0) found.choices ??= choices
}

/** `if (x && !FORMATS.includes(x))`. */
function guardedWithValue(negation: Node): Node | undefined {
  const parent = negation.parent
  return binaryOf(parent ?? undefined)?.operator === '&&' ? guardingIf(parent as Node) : undefined
}

function noteMember(script: Script, place: Node, member: Node, found: Findings): Node | undefined {
  found.used = true
  found.text = true
  if (partsOf(member)[0] !== place) {
    noteLookup(script, member, found)
    return undefined
  }
  const method = methodCallOf(member.parent ?? undefined)
  return method !== undefined && /^(?:trim|toLowerCase|toUpperCase|toString)$/.test(method.method)
    ? (member.parent ?? undefined)
    : undefined
}

/** `const run = COMMANDS[x]; if (!run) usage()`: the keys are the choices. */
function noteLookup(script: Script, member: Node, found: Findings): void {
  const object = memberOf(member)?.object
  const keys = object === undefined ? undefined : literalKeys(script, object)
  if (keys === undefined || keys.length === 0) return
  const isChecked = flowOf(script, member).some(place => {
    const statement = place.parent?.name === 'UnaryExpression' ? guardingIf(place.parent) : undefined
    const consequent = statement === undefined ? undefined : consequentOf(statement)
    return consequent !== undefined && givesUp(script, consequent)
  })
  const choices = keys.filter(key => !/^(?:-.*|help)$/.test(key))
  if (!isChecked || choices.length === 0) return
  found.choices ??= choices
  if (isAlwaysReached(script, member)) found.required = true
}

function noteSwitch(script: Script, statement: Node, found: Findings): void {
  found.used = true
  const choices = switchChoices(script, statement)
  if (choices !== undefined) found.choices ??= choices
}

/** The cases of a `switch` whose default gives up. */
export function switchChoices(script: Script, statement: Node): readonly Json[] | undefined {
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

/** `let limit = 10; if (args[1]) limit = Number(args[1])`, `options.limit = …` over a literal with the default. */
function noteAssignment(script: Script, parent: Node, found: Findings): void {
  const target = parent.children[0]
  const initial = target === undefined ? undefined : initialValue(script, target)
  const before = initial?.value
  // What is kept in an object is used by whoever reads the object.
  if (target?.name === 'MemberExpression' && typeof before !== 'boolean') found.used = true
  if (initial === undefined) return
  found.name ??= initial.name
  if (before !== undefined) found.default ??= before
}

/** What a variable or a property holds before anything is assigned to it. */
export function initialValue(
  script: Script,
  target: Node,
): { readonly name: string; readonly value?: Json } | undefined {
  const member = memberOf(target)
  const binding = bindingOf(script, member?.object ?? target)
  const name = member === undefined ? binding?.name : member.name
  if (binding === undefined || name === undefined) return undefined
  const { origin } = binding
  const initial = origin.kind === 'value' && origin.path.length === 0 ? unwrap(origin.value) : undefined
  const value =
    member === undefined || initial === undefined ? evaluate(script, initial)?.value : propertyOf(script, initial, name)
  return { name, ...(value === undefined ? {} : { value }) }
}

function propertyOf(script: Script, literal: Node, key: string): Json | undefined {
  const own = literal.name === 'ObjectExpression' ? partsOf(literal) : []
  const property = own.findLast(candidate => !childNamed(candidate, 'Spread') && propertyKey(candidate) === key)
  if (property !== undefined) return evaluate(script, property.children.at(-1))?.value
  for (const spread of own.filter(candidate => childNamed(candidate, 'Spread')).toReversed()) {
    const value = evaluate(script, spread.children.at(-1))?.value
    if (isRecord(value) && Object.hasOwn(value, key)) return value[key]
  }
  return undefined
}

/** Keys of an object literal, whatever its values are. */
export function literalKeys(script: Script, node: Node): readonly string[] | undefined {
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
