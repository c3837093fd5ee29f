// Plugins and marketplaces: which folders belong to which plugin.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import { isInside } from '../files/inside.ts'
import type { Diagnostic } from '../types.ts'
import { toValidName } from './skill-name.ts'

export type PluginFolders = {
  /** Folder → name of the plugin that owns everything below it. */
  readonly owners: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads `.claude-plugin/plugin.json` and `marketplace.json` of a folder. Never throws. */
export function readPlugins(folder: string, root: string): PluginFolders {
  const owners = new Map<string, string>()
  const diagnostics: Diagnostic[] = []

  const marketplace = readJson(join(folder, '.claude-plugin', 'marketplace.json'), diagnostics)
  for (const plugin of list(marketplace?.['plugins'])) {
    const name = plugin['name']
    const source = plugin['source'] ?? './'
    // A plugin that lives elsewhere (a git URL, a package) is not in this folder: importing brings it.
    if (typeof name !== 'string' || typeof source !== 'string' || !/^\.{0,2}\/|^\.$|^[\w-]/.test(source)) continue
    const base = resolve(folder, source)
    for (const place of skillFolders(plugin['skills'], base)) {
      if (isInside(root, place) && !owners.has(place)) owners.set(place, toValidName(name))
    }
  }

  const own = readJson(join(folder, '.claude-plugin', 'plugin.json'), diagnostics)
  if (typeof own?.['name'] === 'string') owners.set(folder, toValidName(own['name']))
  return { owners, diagnostics }
}

/** The folders a plugin lists, or its whole base when it lists none. */
function skillFolders(listed: unknown, base: string): string[] {
  const names = typeof listed === 'string' ? [listed] : Array.isArray(listed) ? listed : []
  const folders = names.filter(name => typeof name === 'string').map(name => resolve(base, name))
  return folders.length > 0 ? folders : [base]
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function readJson(file: string, diagnostics: Diagnostic[]): Record<string, unknown> | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isRecord(value)) return value
  } catch {
    // Said below, together with JSON that is no object.
  }
  const hint = 'Mend the JSON; until then its skills load without the plugin’s name.'
  diagnostics.push(diagnose('plugin-unreadable', { file }, { message: 'Not a JSON object.', hint }))
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
