// The object that an argument parser returns: which of its properties are read, and by which expressions.
import type { Json } from '../../types.ts'
import { parameterPatterns } from './bindings.ts'
import { evaluate } from './evaluate.ts'
import { bindingOf, type Script } from './script.ts'
import type { Node } from './syntax-tree.ts'
import { type Access, accessesOf, patternReads } from './value-flow.ts'

export type PropertyRead = {
  readonly key: string
  readonly nodes: readonly Node[]
  /** The name it is destructured into. */
  readonly name?: string
  /** `= x` in the pattern. */
  readonly fallback?: Node
  /** Further steps of the pattern. */
  readonly deeper: readonly (string | number)[]
  readonly at: Node
}

export type PropertyReads = {
  readonly reads: readonly PropertyRead[]
  /** Computed keys and uses that lead out of sight. */
  readonly unread: readonly Node[]
}

export function propertyReads(script: Script, starts: readonly Node[]): PropertyReads {
  const found = starts.map(start => accessesOf(script, start))
  const accesses = new Map(found.flatMap(({ accesses }) => accesses).map(access => [access.at, access]))
  const { reads, unread } = readAccesses(script, [...accesses.values()])
  return { reads, unread: [...found.flatMap(({ escapes }) => escapes), ...unread] }
}

/** What a function reads from the object that it gets as one of its parameters. */
export function parameterReads(script: Script, fn: Node, index: number): PropertyReads {
  const pattern = parameterPatterns(fn)[index]
  if (pattern === undefined) return { reads: [], unread: [] }
  if (pattern.name === 'VariableDefinition') return propertyReads(script, bindingOf(script, pattern)?.reads ?? [])
  return readAccesses(script, patternReads(script, pattern))
}

function readAccesses(script: Script, accesses: readonly Access[]): PropertyReads {
  const reads: PropertyRead[] = []
  const unread: Node[] = []
  for (const { key, nodes, binding, deeper, at } of accesses) {
    if (script.scope?.excludes(at)) continue
    if (key === undefined) {
      // `{ a, ...others }`: the others are further properties of the same object.
      const others = binding === undefined ? { reads: [], unread: [at] } : propertyReads(script, nodes)
      reads.push(...others.reads)
      unread.push(...others.unread)
      continue
    }
    const name = binding === undefined ? {} : { name: binding.name }
    const fallback = binding?.fallback === undefined ? {} : { fallback: binding.fallback }
    reads.push({ key, nodes, ...name, ...fallback, deeper, at })
  }
  return { reads, unread }
}

/** The reads of one property's own properties: `result.values.out`, `const { values: { out } } = result`. */
export function innerReads(script: Script, outer: PropertyReads, key: string): PropertyReads {
  const of = outer.reads.filter(read => read.key === key)
  const direct = of.filter(read => read.deeper.length === 0)
  const nested = of.flatMap(read => {
    const [first, ...deeper] = read.deeper
    return first === undefined ? [] : [{ ...read, key: String(first), deeper }]
  })
  const inner = propertyReads(
    script,
    direct.flatMap(read => read.nodes),
  )
  return { reads: [...nested, ...inner.reads], unread: inner.unread }
}

/** Expressions that carry a list property as a whole, and items that patterns took out of it directly. */
export function listStarts(outer: PropertyReads, key: string): readonly Node[] {
  return outer.reads.filter(read => read.key === key && read.deeper.length === 0).flatMap(read => read.nodes)
}

export function nodesOf(reads: readonly PropertyRead[]): readonly Node[] {
  return reads.flatMap(read => read.nodes)
}

/** The default that a pattern gives: `{ limit = 10 }`. */
export function patternDefault(script: Script, reads: readonly PropertyRead[]): Json | undefined {
  const fallback = reads.find(read => read.fallback !== undefined)?.fallback
  return evaluate(script, fallback)?.value ?? undefined
}
