// Finds the skill folders of one source.
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import { isInside } from '../files/inside.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { Diagnostic, Source } from '../types.ts'
import { readPlugins } from './plugins.ts'

export type SkillPlace = {
  readonly folder: string
  readonly file: string
  readonly plugin?: string
  /** The folders between the source and the skill. */
  readonly within: readonly string[]
}

export type Walk = { readonly places: readonly SkillPlace[]; readonly diagnostics: readonly Diagnostic[] }

const MAX_DEPTH = 6
const NEVER_ENTERED = new Set(['node_modules', '.git', '__pycache__', '.skillwright'])

type Folder = { readonly path: string; readonly depth: number; readonly plugin: string | undefined }

/** Walks a source in a fixed order, links last and only inside the source. Never throws. */
export async function walkSource(source: Source): Promise<Walk> {
  const places: SkillPlace[] = []
  const diagnostics: Diagnostic[] = []
  const owners = new Map<string, string>()
  const seen = new Set<string>()
  const linked: Folder[] = []
  const slice = createTimeSlice()

  let root: string
  try {
    root = realpathSync.native(source.path)
  } catch {
    const hint = 'Create it, or remove it from the sources.'
    const message = 'This source does not exist.'
    return { places, diagnostics: [diagnose('source-missing', { file: source.path }, { message, hint })] }
  }

  const waiting: Folder[] = [{ path: root, depth: 0, plugin: undefined }]
  // Links come last, so that a folder that is also reachable without a link keeps its own place and plugin.
  for (let folder = waiting.pop(); folder; folder = waiting.pop() ?? linked.shift()) {
    if (seen.has(folder.path)) continue
    seen.add(folder.path)
    visit(folder)
    if (slice.spent()) await slice.rest()
  }
  return { places, diagnostics }

  function visit({ path, depth, plugin: inherited }: Folder): void {
    const folders: Dirent[] = []
    const links: Dirent[] = []
    let named: Dirent | undefined
    for (const entry of list(path)) {
      if ((entry.name === 'SKILL.md' || entry.name === 'skill.md') && named?.name !== 'SKILL.md') named = entry
      else if (entry.isDirectory()) folders.push(entry)
      if (entry.isSymbolicLink()) links.push(entry)
    }
    if (folders.some(entry => entry.name === '.claude-plugin')) readOwners(path)
    const plugin = owners.get(path) ?? inherited
    const skillFile = named && findSkillFile(path, named)
    if (skillFile) {
      // Cut by hand, since it is done at every look: all folders begin with the root.
      const within = path.slice(root.length).split(sep).filter(Boolean).slice(0, -1)
      places.push({ folder: path, file: skillFile, within, ...(plugin !== undefined && { plugin }) })
    }

    for (const entry of links.sort(byName)) {
      if (NEVER_ENTERED.has(entry.name)) continue
      const target = follow(join(path, entry.name))
      if (target?.is === 'folder' && depth < MAX_DEPTH) linked.push({ path: target.path, depth: depth + 1, plugin })
    }
    if (depth === MAX_DEPTH) return
    // The last one that waits is the first to be visited.
    for (const entry of folders.sort(byName).reverse())
      if (!NEVER_ENTERED.has(entry.name)) waiting.push({ path: path + sep + entry.name, depth: depth + 1, plugin })
  }

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true })
    } catch (error) {
      const message = `The folder cannot be read (${(error as NodeJS.ErrnoException).code}).`
      diagnostics.push(diagnose('source-unreadable', { file: path }, { message, hint: 'Make it readable.' }))
      return []
    }
  }

  function readOwners(path: string): void {
    const plugins = readPlugins(path, root)
    diagnostics.push(...plugins.diagnostics)
    for (const [folder, name] of plugins.owners) if (!owners.has(folder)) owners.set(folder, name)
  }

  function findSkillFile(path: string, entry: Dirent): string | undefined {
    // Put together by hand: `join` would take a tenth of the whole walk.
    const file = path + sep + entry.name
    if (entry.isFile()) return file
    if (!entry.isSymbolicLink()) return undefined
    const target = resolveLink(file)
    return target.kind === 'inside' && target.is === 'file' ? target.path : undefined
  }

  function follow(path: string): Extract<Target, { kind: 'inside' }> | undefined {
    const target = resolveLink(path)
    if (target.kind === 'inside') return target
    const text =
      target.kind === 'broken'
        ? { message: 'The link points to nothing.', hint: 'Remove it, or restore what it pointed to.' }
        : {
            message: `The link leads out of its source, to ${target.path}.`,
            hint: 'Copy the target into the source, or add its folder as a source.',
          }
    diagnostics.push(diagnose(target.kind === 'broken' ? 'link-broken' : 'link-outside', { file: path }, text))
    return undefined
  }

  function resolveLink(path: string): Target {
    try {
      const target = realpathSync.native(path)
      if (!isInside(root, target)) return { kind: 'outside', path: target }
      const isVendored = relative(root, target)
        .split(sep)
        .some(part => NEVER_ENTERED.has(part))
      const stats = statSync(target)
      const is = stats.isFile() ? 'file' : stats.isDirectory() && !isVendored ? 'folder' : 'other'
      return { kind: 'inside', path: target, is }
    } catch {
      return { kind: 'broken' }
    }
  }
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1)

type Target =
  | { readonly kind: 'inside'; readonly path: string; readonly is: 'file' | 'folder' | 'other' }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'broken' }
