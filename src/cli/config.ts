// Options from flags, environment and skillwright.yaml, in that order of precedence.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BuiltinName } from '../builtins/builtin.ts'
import type { AboutCategories } from '../catalogue/categories.ts'
import { yamlLibrary } from '../libraries.ts'
import type { McpServers } from '../mcp/config.ts'
import { POLICIES } from '../policy/policies.ts'
import type { RuntimeOptions } from '../runtime.ts'
import type { ServeOptions } from '../servers/serve.ts'
import { nearest } from '../text/nearest.ts'
import type { Caller, Policy, Source } from '../types.ts'
import { type PolicyConfig, policyNamed, readPolicies } from './policy-config.ts'
import { UsageError } from './usage-error.ts'

/** Where skills are, and how to speak. */
export type PlacedOptions = {
  readonly source: readonly string[]
  readonly defaultSources: boolean
  readonly config?: string
  readonly workspace?: string
  readonly json: boolean
  readonly quiet: boolean
}

/** The options that all commands have which show or call tools. */
export type CommonOptions = PlacedOptions & {
  readonly env: readonly string[]
  readonly allowPrivate: readonly string[]
  readonly builtins: boolean
  readonly policy?: string
}

/** On whose behalf a command is done, and which trace it belongs to. */
export type CallerOptions = CommonOptions & { readonly role: readonly string[]; readonly trace?: string }

export function callerOf({ role }: Pick<CallerOptions, 'role'>): { readonly caller?: Caller } {
  return role.length > 0 ? { caller: { id: 'cli', roles: role } } : {}
}

/** What the runtime is to be created with. Throws `UsageError` on a file that cannot be used. */
export async function runtimeOptions(options: CommonOptions): Promise<RuntimeOptions> {
  const { file, config } = await openConfig(options)
  const missing = options.source.find(folder => !existsSync(folder))
  if (missing !== undefined) throw new UsageError(`There is no folder ${missing}. Create it, or name another one.`)
  const workspace = options.workspace ?? config.workspace
  const policy = options.policy ?? config.policy
  const where = options.policy === undefined ? `${file}: policy` : '--policy'
  return {
    sources: [...(config.sources ?? []), ...options.source],
    defaultSources: options.defaultSources && config.defaultSources !== false,
    env: [...(config.env ?? []), ...options.env],
    allowPrivate: [...(config.allowPrivate ?? []), ...options.allowPrivate],
    builtins: options.builtins || (config.builtins ?? false),
    ...(config.mcpServers && { mcpServers: config.mcpServers }),
    ...(workspace !== undefined && { workspace }),
    ...(config.timeoutMs !== undefined && { timeoutMs: config.timeoutMs }),
    ...(config.audit !== undefined && { audit: config.audit }),
    ...(config.categories && { categories: config.categories }),
    ...(policy !== undefined && { policy: policyNamed(policy, policiesOf(config), where) }),
    ...(config.policies && { policies: config.policies.rules }),
    ...(file !== undefined && { protect: [file] }),
    ...(config.servers?.workspaces !== undefined && { hide: [config.servers.workspaces] }),
  }
}

/** The policies that can be named here: the three that everybody has, and those of the file in use. */
export async function knownPolicies(options: CommonOptions): Promise<ReadonlyMap<string, Policy>> {
  return policiesOf((await openConfig(options)).config)
}

function policiesOf({ policies }: Config): ReadonlyMap<string, Policy> {
  return policies?.known ?? new Map(Object.entries(POLICIES))
}

/** What the file says about servers. Throws `UsageError` as `runtimeOptions` does. */
export async function serversOptions(options: CommonOptions): Promise<ServeOptions> {
  return (await openConfig(options)).config.servers ?? {}
}

async function openConfig({ config: named }: Pick<CommonOptions, 'config'>): Promise<{
  readonly file?: string
  readonly config: Config
}> {
  const found = named ?? findUpwards('skillwright.yaml', process.cwd())
  if (found === undefined) return { config: {} }
  const file = resolve(found)
  return { file, config: await readConfig(file, { isNamed: named !== undefined }) }
}

type Config = {
  servers?: ServeOptions
  sources?: Source[]
  defaultSources?: boolean
  workspace?: string
  timeoutMs?: number
  audit?: string | false
  categories?: AboutCategories
  env?: string[]
  allowPrivate?: string[]
  mcpServers?: McpServers
  builtins?: boolean | BuiltinName[]
  policy?: string
  policies?: PolicyConfig
}

/** Keys that hand out rights. A file that merely lies in a folder, a cloned repository perhaps, must not set them. */
const GRANTS = new Set(['env', 'allow_private', 'mcp_servers', 'policies', 'builtins', 'servers'])

type Reader = (value: unknown, config: Config, folder: string, file: string) => boolean | Promise<boolean>

/** Key of the file → reads its value into the config; false when it is of the wrong kind. */
const READERS: Readonly<Record<string, Reader>> = {
  sources: (value, config, folder) => {
    if (!Array.isArray(value) || !value.every(isSource)) return false
    config.sources = value.map(one => toSource(one, folder))
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
  policy: (value, config) => {
    if (typeof value !== 'string') return false
    config.policy = value
    return true
  },
  policies: (value, config, _folder, file) => {
    config.policies = readPolicies(value, file)
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
  builtins: (value, config) => {
    if (typeof value !== 'boolean' && !isTexts(value)) return false
    // The runtime checks the names.
    config.builtins = value as boolean | BuiltinName[]
    return true
  },
  mcp_servers: (value, config) => {
    if (!isRecord(value)) return false
    // The runtime checks the rest.
    config.mcpServers = value as McpServers
    return true
  },
  servers: async (value, config, folder) => {
    const { readServers } = await import('./servers-config.ts')
    config.servers = readServers(value, folder)
    return true
  },
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type WrittenSource = string | { path: string; name?: string; roles?: string[] }

function isSource(value: unknown): value is WrittenSource {
  if (!isRecord(value)) return typeof value === 'string'
  const { path, name, roles, ...rest } = value
  const isNamed = name === undefined || (typeof name === 'string' && name !== '')
  return (
    typeof path === 'string' && isNamed && (roles === undefined || isTexts(roles)) && Object.keys(rest).length === 0
  )
}

function toSource(given: WrittenSource, folder: string): Source {
  const { path, name, roles } = typeof given === 'string' ? { path: given } : given
  const whole = resolve(folder, path)
  return { name: name ?? whole, path: whole, ...(roles && { roles }) }
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
  sources: 'a list of folders, each a path or { path, name, roles }',
  default_sources: 'true or false',
  workspace: 'a folder',
  timeout_sec: 'a number of seconds',
  audit: 'a file, or false',
  categories: 'a map of paths to `summary` and `tags`',
  policy: 'the name of a policy',
  policies: 'a map of own, sources, skills and tools',
  env: 'a list of variable names',
  allow_private: 'a list of hosts',
  builtins: 'true, false, or a list of names',
  mcp_servers: 'a map of names to servers',
  servers: 'a map of settings',
}

async function readConfig(file: string, { isNamed }: { readonly isNamed: boolean }): Promise<Config> {
  const { LineCounter, parseDocument } = yamlLibrary()
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
    if (key === 'policy' && value !== 'strict' && !isNamed)
      throw new UsageError(`${file}: a policy other than strict counts only in a file that is named with --config.`)
    if (!(await reader(value, config, dirname(file), file)))
      throw new UsageError(`${file}: ${key} must be ${EXPECTED[key]}`)
  }
  return config
}

function findUpwards(name: string, from: string): string | undefined {
  const file = join(from, name)
  if (existsSync(file)) return file
  const parent = dirname(from)
  return parent === from ? undefined : findUpwards(name, parent)
}
