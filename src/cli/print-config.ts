import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { nearest } from '../text/nearest.ts'
import { runtimeOptions } from './config.ts'
import { type McpCommandOptions, readMode } from './mcp.ts'
import { MCP_CLIENTS, type McpClient, type ServerAddress } from './mcp-clients.ts'
import { bold, complain, dim, print, printJson } from './output.ts'
import { UsageError } from './usage-error.ts'

export type ConfigCommandOptions = McpCommandOptions & { readonly http?: string }

/** `skillwright config [client]`: prints what to write into the settings of an MCP client. */
export async function printConfig(id: string | undefined, options: ConfigCommandOptions): Promise<number> {
  const server = options.http === undefined ? await localServer(options) : { url: readUrl(options.http) }
  const clients = id === undefined ? Object.entries(MCP_CLIENTS) : [[id, findClient(id)] as const]
  const snippets = clients.flatMap(([key, client]) => {
    const entry = client.entry(server)
    return entry ? [{ client: key, name: client.name, file: client.file, format: client.format, entry }] : []
  })
  if (snippets.length === 0)
    throw new UsageError(`${findClient(id!).name} takes only servers that it starts itself. Leave out --http.`)
  if (options.http !== undefined && !options.quiet)
    complain(dim('A server with tokens also wants the header `Authorization: Bearer <token>` from its clients.'))
  if (options.json) printJson(snippets)
  else if (id !== undefined) printOne(snippets[0]!, options)
  else print(snippets.map(one => `${bold(one.name)}: ${one.file}\n${dim(toText(one).trimEnd())}`).join('\n\n'))
  return 0
}

/** Only the snippet goes to stdout, so that it can be redirected. */
function printOne(snippet: Snippet & { readonly name: string; readonly file: string }, { quiet }: { quiet: boolean }) {
  if (!quiet) complain(`${snippet.name}: ${snippet.file}`)
  print(toText(snippet).trimEnd())
}

/**
 * This installation, with the sources and the workspace as they are here: a client may start it anywhere. A file that was merely
 * found is not named, since naming it would hand out rights.
 */
async function localServer(options: ConfigCommandOptions): Promise<ServerAddress> {
  const runtime = await runtimeOptions(options)
  const { sources = [], workspace = '.', env = [], allowPrivate = [], defaultSources, policy } = runtime
  const isNamed = options.config !== undefined
  const own = isNamed ? options : { source: sources.map(one => (typeof one === 'string' ? one : one.path)) }
  const found = typeof policy === 'object' ? policy.name : policy
  const policyName = isNamed ? options.policy : found
  const repeat = (flag: string, values: readonly string[]) => values.flatMap(value => [flag, value])
  const args = [
    realpathSync(process.argv[1]!),
    'mcp',
    ...(isNamed ? ['--config', resolve(options.config)] : []),
    ...repeat(
      '--source',
      own.source.map(path => resolve(path)),
    ),
    ...(defaultSources === false ? ['--no-default-sources'] : []),
    ...['--workspace', resolve(workspace)],
    ...(policyName !== undefined ? ['--policy', policyName] : []),
    ...(options.builtins ? ['--builtins'] : []),
    ...repeat('--env', isNamed ? options.env : env),
    ...repeat('--allow-private', isNamed ? options.allowPrivate : allowPrivate),
    ...repeat('--role', options.role),
    ...(readMode(options.mode) === 'flat' ? ['--mode', 'flat'] : []),
    ...repeat('--pin', options.pin),
  ]
  return { command: process.execPath, args }
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new UsageError(`--http ${text} is no address. Write --http http://127.0.0.1:8080/mcp`)
}

function findClient(id: string): McpClient {
  if (Object.hasOwn(MCP_CLIENTS, id)) return MCP_CLIENTS[id]!
  const all = Object.keys(MCP_CLIENTS)
  const close = nearest(id, all)
  throw new UsageError(
    `There is no client ${JSON.stringify(id)}. ${close.length > 0 ? `Did you mean ${close.join(', ')}?` : `There are: ${all.join(', ')}.`}`,
  )
}

type Snippet = Pick<McpClient, 'format'> & { readonly entry: object }

function toText({ format, entry }: Snippet): string {
  if (format === 'yaml') return stringify(entry)
  return format === 'toml' ? toToml(entry) : JSON.stringify(entry, null, 2)
}

/** Tables of tables down to plain values: a string in JSON is one in TOML too. */
function toToml(entry: object, path: readonly string[] = []): string {
  const values = Object.entries(entry)
  const isTable = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const own = values.filter(([, value]) => !isTable(value))
  const lines = own.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
  const head = own.length > 0 && path.length > 0 ? `[${path.join('.')}]\n` : ''
  const tables = values.filter(([, value]) => isTable(value))
  return head + lines.join('') + tables.map(([key, value]) => toToml(value as object, [...path, key])).join('')
}
