// What stands in for an argument that is not given.
import { evaluate } from './evaluate.ts'
import { callOf, methodCallOf } from './expressions.ts'
import { initialValue } from './initial-value.ts'
import type { Script } from './script.ts'
import { type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import type { Findings } from './value-facts.ts'

export function noteConditional(script: Script, place: Node, parent: Node, found: Findings): void {
  found.tested = true
  const [, whenGiven, otherwise] = partsOf(parent)
  // `x ? Number(x) : 5`: the second arm is the default of the first.
  if (whenGiven === undefined || !isConverted(whenGiven, textOf(place))) return
  found.replaced = true
  noteDefault(script, otherwise, found)
}

export function noteDefault(script: Script, node: Node | undefined, found: Findings): void {
  const value = evaluate(script, node)?.value
  if (value !== undefined && value !== null && value !== '') found.default ??= value
}

/** `''`, `null`, `undefined`: as good as missing. */
export function isNothing(script: Script, node: Node): boolean {
  const known = evaluate(script, node)
  return known === undefined ? textOf(node) === 'undefined' : !known.value
}

/** `index !== -1 ? args[index + 1] : 'x'`. */
export function noteArm(script: Script, conditional: Node, found: Findings): void {
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

/** `let limit = 10; if (args[1]) limit = Number(args[1])`, `options.limit = …` over a literal with the default. */
export function noteAssignment(script: Script, parent: Node, found: Findings): void {
  const target = parent.children[0]
  const initial = target === undefined ? undefined : initialValue(script, target)
  const before = initial?.value
  // What is kept in an object is used by whoever reads the object.
  if (target?.name === 'MemberExpression' && typeof before !== 'boolean') found.used = true
  if (initial === undefined) return
  found.name ??= initial.name
  if (before !== undefined) found.default ??= before
}
