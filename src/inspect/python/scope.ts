// Names and what they stand for.
import type { Value } from './values.ts'

export type Scope = {
  readonly names: Map<string, Value | Lazy>
  /** The enclosing scope; absent for a module. */
  readonly outer?: Scope
  /** Names declared `global` or `nonlocal` here. */
  readonly elsewhere: Set<string>
  /** Values that uncertain branches returned. */
  readonly returns: Value[]
  /** True in another file than the script's own, where offsets mean nothing to its reader. */
  readonly foreign: boolean
}

/** Resolved at first use: most imports are never asked for. */
export type Lazy = { readonly kind: 'lazy'; readonly resolve: () => Value }

export function createScope(outer?: Scope, foreign = outer?.foreign ?? false): Scope {
  return { names: new Map(), ...(outer ? { outer } : {}), elsewhere: new Set(), returns: [], foreign }
}

/** The value of a name here or further out. */
export function lookUp(scope: Scope, name: string): Value | undefined {
  for (let current: Scope | undefined = scope; current; current = current.outer) {
    const found = current.names.get(name)
    if (!found) continue
    if (found.kind !== 'lazy') return found
    const value = found.resolve()
    current.names.set(name, value)
    return value
  }
  return undefined
}

/** The scope that an assignment to the name changes. */
export function homeOf(scope: Scope, name: string): Scope {
  if (!scope.elsewhere.has(name)) return scope
  let current = scope.outer
  while (current?.outer && !current.names.has(name)) current = current.outer
  return current ?? scope
}
