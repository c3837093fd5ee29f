// Names that every provider accepts: ^[a-zA-Z0-9_-]{1,64}$.
import { createHash } from 'node:crypto'

const MAX_LENGTH = 64
const IDENTITY = /^[a-z0-9-]+(?::[a-z0-9-]+)?(?:\.[A-Za-z0-9_-]+)?$/

/**
 * A tool's identity as a safe name: `data-tools:csv.process` → `data-tools_csv__process`. It depends on the identity
 * alone, so it is the same in every run. Skill names hold no `_`, so two identities never meet; one that is too long or
 * unusual, or whose name is `taken`, gets a hash of itself instead of its end.
 */
export function toSafeName(id: string, taken: ReadonlySet<string> = NONE): string {
  const plain = id.replace(':', '_').replace('.', '__')
  if (IDENTITY.test(id) && plain.length <= MAX_LENGTH && !taken.has(plain)) return plain
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return `${plain.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, MAX_LENGTH - 14)}_-${hash}`
}

const NONE: ReadonlySet<string> = new Set()

/** The identity behind a safe name, without a look at any tools; undefined when the name holds a hash. */
export function fromSafeName(name: string): string | undefined {
  const [, owner = '', tool] = /^([^_]+(?:_[^_-][^_]*)?)(?:__(.+))?$/s.exec(name) ?? []
  const id = owner.replace('_', ':') + (tool === undefined ? '' : `.${tool}`)
  return toSafeName(id) === name ? id : undefined
}

/** Safe name → identity for a set of tools. Throws `TypeError` should two names ever meet. */
export function createNameTable(ids: Iterable<string>): ReadonlyMap<string, string> {
  const table = new Map<string, string>()
  for (const id of ids) {
    const name = toSafeName(id)
    const other = table.get(name)
    if (other !== undefined && other !== id) throw new TypeError(`${other} and ${id} have the same safe name ${name}`)
    table.set(name, id)
  }
  return table
}
