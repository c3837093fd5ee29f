// The object that an argument parser returns: which of its properties are read, and by which expressions.
import type { Script } from './script.ts'
import type { Node } from './syntax-tree.ts'
import { accessesOf } from './value-flow.ts'

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
  const reads: PropertyRead[] = []
  const unread: Node[] = []
  const seen = new Set<Node>()
  for (const start of starts) {
    const { accesses, escapes } = accessesOf(script, start)
    unread.push(...escapes)
    for (const { key, nodes, binding, deeper, at } of accesses) {
      if (seen.has(at)) continue
      seen.add(at)
      if (key === undefined) {
        // `{ a, ...others }`: the others are further properties of the same object.
        if (binding === undefined) unread.push(at)
        else {
          const others = propertyReads(script, nodes)
          reads.push(...others.reads)
          unread.push(...others.unread)
        }
        continue
      }
      const name = binding === undefined || deeper.length > 0 ? {} : { name: binding.name }
      const fallback = binding?.fallback === undefined ? {} : { fallback: binding.fallback }
      reads.push({ key, nodes, ...name, ...fallback, deeper, at })
    }
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
