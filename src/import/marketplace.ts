// .claude-plugin/marketplace.json: a listing of plugins, in the same tree or elsewhere.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toValidName } from '../skills/skill-name.ts'
import { type Budget, createBudget } from './budget.ts'
import { copyTree } from './copy-tree.ts'
import { pathParts } from './entry-path.ts'
import { ImportError, quote, reasonOf } from './import-error.ts'
import { loadTree, type Tree } from './load-tree.ts'
import type { Offer } from './offer.ts'
import { type ImportSource, isLocal, parseSource } from './parse-source.ts'
import type { ImportScope } from './scope.ts'

type Plugin = Readonly<Record<string, unknown>> & { readonly name: string }

/** The plugins that a tree lists; undefined when it is no marketplace. Throws `SOURCE_UNREADABLE` on a broken listing. */
export function readMarketplace(root: string, from: ImportSource, scope: ImportScope): Offer[] | undefined {
  const file = join(root, LISTING)
  if (!existsSync(file)) return undefined
  const listing = readListing(file)
  const pluginRoot = isRecord(listing['metadata']) ? listing['metadata']['pluginRoot'] : undefined
  const plugins = Array.isArray(listing['plugins']) ? listing['plugins'].filter(isPlugin) : []
  const seen = new Set<string>()
  // Plugins can share folders, so they are copied; a listing must not multiply what was unpacked without end.
  const copies = createBudget(scope.budget.limits)
  return plugins.flatMap(plugin => {
    const name = toValidName(plugin.name)
    if (seen.has(name)) return []
    seen.add(name)
    return [{ name, kind: 'plugin', path: describePlace(plugin['source']), bring: place => bring(plugin, place) }]
  })

  async function bring(plugin: Plugin, place: string): Promise<{ commit?: string }> {
    const base = await findBase(plugin)
    if (!statSync(base.folder, { throwIfNoEntry: false })?.isDirectory())
      throw new ImportError(
        'SOURCE_UNREADABLE',
        `The plugin ${quote(plugin.name)} should lie at ${quote(describePlace(plugin['source']))}, but there is no such folder.`,
        'Tell the author of the marketplace.',
      )
    assemble(plugin, base.folder, place, copies)
    return base.commit === undefined ? {} : { commit: base.commit }
  }

  async function findBase(plugin: Plugin): Promise<Tree> {
    const source = plugin['source'] ?? './'
    if (typeof source === 'string' && !isUrl(source)) {
      const start = typeof pluginRoot === 'string' && !source.startsWith('./') ? pathParts(pluginRoot) : []
      return { folder: join(root, ...start, ...pathParts(source)) }
    }
    const elsewhere = parseSource(gitText(source, plugin.name))
    // A listing from the network must not reach for files of this machine.
    if (elsewhere.type !== 'git' || (isLocal(elsewhere) && !isLocal(from))) throw unsupported(plugin.name)
    return loadTree(elsewhere, scope)
  }
}

/** A plugin on its own: what it lists, or all of its folder; with a plugin.json, without the listing it came from. */
function assemble(plugin: Plugin, base: string, place: string, budget: Budget): void {
  const listed = [plugin['skills']].flat().filter(path => typeof path === 'string')
  const paths = listed.length > 0 ? listed.map(pathParts) : [[]]
  for (const parts of paths) {
    const from = join(base, ...parts)
    if (existsSync(from)) copyTree(from, join(place, ...parts), budget)
  }
  rmSync(join(place, LISTING), { force: true })
  const manifest = join(place, MANIFEST)
  if (existsSync(manifest)) return
  mkdirSync(join(place, '.claude-plugin'), { recursive: true })
  const own = join(base, MANIFEST)
  if (existsSync(own)) copyTree(own, manifest, budget)
  else writeFileSync(manifest, `${JSON.stringify(describePlugin(plugin), null, 2)}\n`)
}

function describePlugin(plugin: Plugin): Record<string, unknown> {
  const kept = ['name', 'description', 'version', 'author', 'license', 'homepage'].filter(
    key => plugin[key] !== undefined,
  )
  return Object.fromEntries(kept.map(key => [key, plugin[key]]))
}

/** A source that lies elsewhere, as a person would write it; never a path, which would mean a folder of this machine. */
function gitText(source: unknown, plugin: string): string {
  if (typeof source === 'string') return source
  if (!isRecord(source)) throw unsupported(plugin)
  const text = (key: string) => (typeof source[key] === 'string' ? source[key] : undefined)
  if (!['github', 'url', 'git', 'git-subdir'].includes(text('source') ?? '')) throw unsupported(plugin)
  const given = text('repo') ?? text('url') ?? ''
  const url = /^[\w.-]+\/[\w.-]+$/.test(given) ? `https://github.com/${given}.git` : given
  if (!isUrl(url)) throw unsupported(plugin)
  const path = text('path')
  const ref = text('sha') ?? text('ref')
  return `${url}${path ? `//${path}` : ''}${ref ? `#${ref}` : ''}`
}

function readListing(file: string): Record<string, unknown> {
  let why = 'it is no object'
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    if (isRecord(value)) return value
  } catch (error) {
    why = reasonOf(error)
  }
  throw new ImportError(
    'SOURCE_UNREADABLE',
    `${LISTING} is not readable: ${why}.`,
    'Tell the author of the marketplace.',
  )
}

function describePlace(source: unknown): string {
  return typeof source === 'string' ? source : source === undefined ? './' : JSON.stringify(source)
}

function unsupported(plugin: string): ImportError {
  return new ImportError(
    'SOURCE_UNSUPPORTED',
    `The plugin ${quote(plugin)} does not lie in a folder or git repository that can be reached from here.`,
    'Import it from where it lies, or leave it out.',
  )
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(text)

const isPlugin = (value: unknown): value is Plugin => isRecord(value) && typeof value['name'] === 'string'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LISTING = '.claude-plugin/marketplace.json'
const MANIFEST = '.claude-plugin/plugin.json'
