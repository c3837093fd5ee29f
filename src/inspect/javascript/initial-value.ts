import type { Json } from '../../types.ts'
import { evaluate, propertyKey } from './evaluate.ts'
import { memberOf } from './expressions.ts'
import { isRecord } from './known-values.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, partsOf, unwrap } from './syntax-tree.ts'

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
