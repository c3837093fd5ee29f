// Functions that turn the text of an argument into its value: `parseInt`, `v => Number(v)`, a collector.
import type { Json } from '../../types.ts'
import { parameterPatterns } from './bindings.ts'
import { pathOf } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { isFunction, type Node, textOf, unwrap } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'
import { calledFunction } from './value-flow.ts'

export type Converter = {
  readonly type: 'string' | 'integer' | 'number'
  readonly choices?: readonly Json[]
  /** True when it adds each value to those before. */
  readonly collects: boolean
}

/** Undefined when the expression is no function. */
export function readConverter(script: Script, node: Node | undefined): Converter | undefined {
  if (node === undefined) return undefined
  const path = pathOf(unwrap(node)) ?? ''
  if (/^(?:Number\.)?parseInt$/.test(path)) return { type: 'integer', collects: false }
  if (/^(?:Number|(?:Number\.)?parseFloat)$/.test(path)) return { type: 'number', collects: false }
  if (path === 'String') return { type: 'string', collects: false }
  const fn = isFunction(unwrap(node)) ? unwrap(node) : calledFunction(script, node)
  if (fn === undefined) return undefined

  const [value, previous] = parameterPatterns(fn)
  const facts = factsOf(script, bindingOf(script, value)?.reads ?? [])
  const before = bindingOf(script, previous)?.reads ?? []
  const collects = before.length > 0 && /\.(?:concat|push)\(|\.\.\./.test(textOf(fn))
  return {
    type: facts.type === 'boolean' ? 'string' : facts.type,
    ...(facts.choices === undefined ? {} : { choices: facts.choices }),
    collects,
  }
}
