// `skill://pdf/SKILL.md`, or `skill://plugin.data-tools/csv/SKILL.md` for a skill of a plugin. Ids hold no dot, so that a plugin and a
// folder of a skill never share an address.
import type { Skill } from '../types.ts'

const PLUGIN = 'plugin.'

export function skillUri({ id }: Pick<Skill, 'id'>, path = 'SKILL.md'): string {
  const [first = '', second] = id.split(':')
  const root = second === undefined ? first : `${PLUGIN}${first}/${second}`
  // The form that `URL` gives, which clients compare by.
  return new URL(`skill://${root}/${path.split('/').map(encodeURIComponent).join('/')}`).href
}

/** Which file of which skill is meant; undefined when it is no such address. */
export function readSkillUri(uri: string): { readonly id: string; readonly path: string } | undefined {
  try {
    const { protocol, host, pathname, search, hash } = new URL(uri)
    if (protocol !== 'skill:' || search || hash) return undefined
    const parts = pathname.slice(1).split('/').map(decodeURIComponent)
    if (parts.some(part => part.includes('/'))) return undefined
    const id = host.startsWith(PLUGIN) ? `${host.slice(PLUGIN.length)}:${parts.shift()}` : host
    return { id, path: parts.join('/') }
  } catch {
    return undefined
  }
}
