// What can be imported from an unpacked tree: each skill that is not part of another, each plugin as a whole.
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { readHead } from '../skills/read-head.ts'
import { readSkill } from '../skills/read-skill.ts'
import { toValidName } from '../skills/skill-name.ts'
import { type SkillPlace, walkSource } from '../skills/walk-source.ts'
import { ImportError, quote } from './import-error.ts'
import type { Offer } from './offer.ts'

/** The folder that everything lies in: archives often wrap it in folders of their own. */
export function findRoot(folder: string): string {
  let root = folder
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const names = readdirSync(root)
    const only = join(root, names[0] ?? '')
    if (names.length !== 1 || names[0] === '.claude-plugin' || !lstatSync(only).isDirectory()) break
    root = only
  }
  return root
}

/** The skills and plugins below a folder. `called` names a skill that lies at the root and has no name of its own. */
export async function findUnits(root: string, called: string): Promise<Offer[]> {
  const places = (await walkSource({ name: 'import', path: root })).places
  const plugins = new Set(places.flatMap(place => pluginFolder(place.folder, root) ?? []))
  const skills = new Map(places.map(place => [place.folder, place]))
  const outermost = [...plugins, ...[...skills.keys()].filter(folder => !plugins.has(folder))].filter(
    folder => !above(folder, root).some(up => plugins.has(up) || skills.has(up)),
  )
  const names = new Set<string>()
  return outermost.map(folder => {
    const plain = folder === root ? called : basename(folder)
    return plugins.has(folder)
      ? unit('plugin', folder, pluginName(folder) ?? plain)
      : unit('skill', folder, skillName(skills.get(folder)!) ?? plain)
  })

  function unit(kind: Offer['kind'], folder: string, wanted: string): Offer {
    const path = relative(root, folder)
    // Copies often keep the name of the original: then the folder tells them apart, or at last the whole path.
    const name = [wanted, basename(folder), path].map(toValidName).find(one => !names.has(one))
    if (name === undefined)
      throw new ImportError(
        'SOURCE_UNREADABLE',
        `Two skills are called ${quote(wanted)}.`,
        'Import one folder: //folder.',
      )
    names.add(name)
    return {
      name,
      kind,
      path: path || '.',
      async bring(place) {
        renameSync(folder, place)
        return {}
      },
    }
  }
}

/** The skills in a finished import, with their ids as a runtime will give them. */
export async function skillsIn(folder: string): Promise<{ readonly id: string; readonly folder: string }[]> {
  const { places } = await walkSource({ name: 'import', path: folder })
  return places.map(place => ({
    id: readSkill(place, 'import', readHead(place.file)).skill?.id ?? basename(place.folder),
    folder: place.folder,
  }))
}

/** What a folder has instead of a skill, for an error. */
export function describeFolder(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true }).map(entry => entry.name + (entry.isDirectory() ? '/' : ''))
  if (names.length === 0) return 'It is empty.'
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''
  return `It has ${names.sort().slice(0, MAX_SHOWN).map(quote).join(', ')}${more}.`
}

/** The outermost folder with a plugin.json: this one, or one around it. */
function pluginFolder(folder: string, root: string): string | undefined {
  return [folder, ...above(folder, root)].findLast(up => existsSync(join(up, '.claude-plugin', 'plugin.json')))
}

/** The folders around this one, up to the root. */
function above(folder: string, root: string): string[] {
  return folder === root ? [] : [dirname(folder), ...above(dirname(folder), root)]
}

function pluginName(folder: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, '.claude-plugin', 'plugin.json'), 'utf8'))
    const name = (value as { name?: unknown }).name
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** The name the author wrote; a skill that cannot be read is still imported, and the report says what is wrong. */
function skillName(place: SkillPlace): string | undefined {
  const name = readSkill(place, 'import', readHead(place.file)).skill?.frontmatter['name']
  return typeof name === 'string' && name.trim() !== '' ? name : undefined
}

const MAX_WRAPPERS = 3
const MAX_SHOWN = 12
