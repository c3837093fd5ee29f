// Options from flags, environment and skillwright.yaml, in that order of precedence.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { AboutCategories } from '../catalogue/categories.ts'
import type { McpServers } from '../mcp/config.ts'
import type { RuntimeOptions } from '../runtime.ts'
import type { ServeOptions } from '../servers/serve.ts'
import { nearest } from '../text/nearest.ts'
import type { Caller } from '../types.ts'
import { readServers } from './servers-config.ts'
import { UsageError } from './usage-error.ts'

/** The options that all commands have. */
export type CommonOptions = {
  readonly source: readonly string[]
  readonly defaultSources: boolean
  readonly config?: string
  readonly workspace?: string
  readonly env: readonly string[]
  readonly allowPrivate: readonly string[]
  readonly json: boolean
  readonly quiet: boolean
}

/** On whose behalf a command is done, and which trace it belongs to. */
export type CallerOptions = CommonOptions & { readonly role: readonly string[]; readonly trace?: string }

export function callerOf({ role }: CallerOptions): { readonly caller?: Caller } {
  return role.length > 0 ? { caller: { id: 'cli', roles: role } } : {}
}

/** What the runtime is to be created with. Throws `UsageError` on a file that cannot be used. */
export function runtimeOptions(options: CommonOptions): RuntimeOptions {
  const config = configOf(options)
  const missing = options.source.find(folder => !existsSync(folder))
  if (missing !== undefined) throw new UsageError(`There is no folder ${missing}. Create it, or name another one.`)
  const workspace = options.workspace ?? config.workspace
  return {
    sources: [...(config.sources ?? []), ...options.source],
    defaultSources: options.defaultSources && config.defaultSources !== false,
    env: [...(config.env ?? []), ...options.env],
    allowPrivate: [...(config.allowPrivate ?? []), ...options.allowPrivate],
    ...(config.mcpServers && { mcpServers: config.mcpServers }),
    ...(workspace !== undefined && { workspace }),
    ...(config.timeoutMs !== undefined && { timeoutMs: config.timeoutMs }),
    ...(config.audit !== undefined && { audit: config.audit }),
    ...(config.categories && { categories: config.categories }),
  }
}

/** What the file says about servers. Throws `UsageError` as `runtimeOptions` does. */
export function serversOptions(options: CommonOptions): ServeOptions {
  return configOf(options).servers ?? {}
}

function configOf({ config }: CommonOptions): Config {
  const file = config ?? findUpwards('skillwright.yaml', process.cwd())
  return file === undefined ? {} : readConfig(resolve(file), { isNamed: config !== undefined })
}

type Config = {
  servers?: ServeOptions
  sources?: string[]
  defaultSources?: boolean
  workspace?: string
  timeoutMs?: number
  audit?: string | false
  categories?: AboutCategories
  env?: string[]
  allowPrivate?: string[]
  mcpServers?: McpServers
}

/** Keys that hand out rights. A file that merely lies in a folder, a cloned repository perhaps, must not set them. */
const GRANTS = new Set(['env', 'allow_private', 'mcp_servers', 'servers'])

type Reader = (value: unknown, config: Config, folder: string) => boolean

/** Key of the file → reads its value into the config; false when it is of the wrong kind. */
const READERS: Readonly<Record<string, Reader>> = {
  sources: (value, config, folder) => {
    if (!isTexts(value)) return false
    config.sources = value.map(path => resolve(folder, path))
    return true
  },
  default_sources: (value, config) => {
    if (typeof value !== 'boolean') return false
    config.defaultSources = value
    return true
  },
  workspace: (value, config, folder) => {
    if (typeof value !== 'string') return false
    config.workspace = resolve(folder, value)
    return true
  },
  timeout_sec: (value, config) => {
    if (typeof value !== 'number' || !(value > 0 && value * 1000 < 2 ** 31)) return false
    config.timeoutMs = value * 1000
    return true
  },
  audit: (value, config, folder) => {
    if (typeof value !== 'string' && value !== false) return false
    config.audit = value === false ? false : resolve(folder, value)
    return true
  },
  categories: (value, config) => {
    if (!isRecord(value) || !Object.values(value).every(isAboutCategory)) return false
    config.categories = value as AboutCategories
    return true
  },
  env: (value, config) => {
    if (!isTexts(value)) return false
    config.env = value
    return true
  },
  allow_private: (value, config) => {
    if (!isTexts(value)) return false
    config.allowPrivate = value
    return true
  },
  mcp_servers: (value, config) => {
    if (!isRecord(value)) return false
    // The runtime checks the rest.
    config.mcpServers = value as McpServers
    return true
  },
  servers: (value, config, folder) => {
    config.servers = readServers(value, folder)
    return true
  },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAboutCategory(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { summary, tags, ...rest } = value
  return (
    (summary === undefined || typeof summary === 'string') &&
    (tags === undefined || isTexts(tags)) &&
    Object.keys(rest).length === 0
  )
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

const EXPECTED: Readonly<Record<string, string>> = {
  sources: 'a list of folders',
  default_sources: 'true or false',
  workspace: 'a folder',
  timeout_sec: 'a number of seconds',
  audit: 'a file, or false',
  categories: 'a map of paths to `summary` and `tags`',
  env: 'a list of variable names',
  allow_private: 'a list of hosts',
  mcp_servers: 'a map of names to servers',
  servers: 'a map of settings',
}

function readConfig(file: string, { isNamed }: { readonly isNamed: boolean }): Config {
  const lines = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  let fields: unknown
  try {
    document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines })
    fields = document.errors[0] ?? document.toJS() ?? {}
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (fields instanceof Error) throw new UsageError(`${file}: ${fields.message}`)
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new UsageError(`${file}: expected \`key: value\` lines, such as \`sources: [./skills]\``)

  const config: Config = {}
  for (const [key, value] of Object.entries(fields)) {
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined
    const meant = nearest(key, Object.keys(READERS), 1)[0]
    if (!reader)
      throw new UsageError(
        `${file}: unknown key ${key}${meant ? `; did you mean ${meant}?` : ''} Known: ${Object.keys(READERS).join(', ')}`,
      )
    if (GRANTS.has(key) && !isNamed)
      throw new UsageError(`${file}: ${key} hands out rights, so it counts only in a file that is named with --config.`)
    if (!reader(value, config, dirname(file))) throw new UsageError(`${file}: ${key} must be ${EXPECTED[key]}`)
  }
  return config
}

function findUpwards(name: string, from: string): string | undefined {
  const file = join(from, name)
  if (existsSync(file)) return file
  const parent = dirname(from)
  return parent === from ? undefined : findUpwards(name, parent)
}
