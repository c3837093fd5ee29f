// `mcpServers` in the shape that every client uses, and what it means once the host's variables are filled in.
import { resolve } from 'node:path'
import { parseTemplate, TemplateError } from '../templates/parse-template.ts'
import { RenderError, renderText } from '../templates/render.ts'
import { isSecretName } from '../text/secret-name.ts'

/**
 * Name → server. The configuration belongs to the host, so that `${NAME}`, `${env:NAME}` and `${NAME:-default}` in any of its texts
 * reach every variable of the host's environment.
 */
export type McpServers = Readonly<Record<string, McpServer>>

export type McpServer = StdioServer | HttpServer

/** A program that speaks over its stdin and stdout. */
export type StdioServer = {
  readonly type?: 'stdio'
  readonly command: string
  readonly args?: readonly string[]
  /** Added to a minimal environment; nothing else of the host's is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: the workspace. */
  readonly cwd?: string
  /** True: as if it were not there. */
  readonly disabled?: boolean
}

/** A server on the network. */
export type HttpServer = {
  /** Default: Streamable HTTP, and SSE when the server knows only that. */
  readonly type?: 'http' | 'streamable-http' | 'sse'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly disabled?: boolean
}

/** A server as it is reached, with all variables filled in. */
export type Target = (
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  | {
      readonly kind: 'http'
      readonly url: URL
      readonly headers: Readonly<Record<string, string>>
      readonly transport: 'http' | 'sse' | 'either'
    }
) & {
  /** Values that must not show in messages. */
  readonly secrets: readonly string[]
  /** Those of them that are named like secrets, and must not show in results either. */
  readonly credentials: readonly string[]
}

const STDIO_KEYS = ['type', 'command', 'args', 'env', 'cwd', 'disabled']
const HTTP_KEYS = ['type', 'url', 'headers', 'disabled']

/** Checks one entry. Throws `TypeError`; gives the keys that mean nothing here. */
export function checkServer(name: string, server: unknown): readonly string[] {
  const wrong = (what: string) => new TypeError(`mcpServers.${name}: ${what}`)
  if (!isRecord(server)) throw wrong('is not an object with `command` or `url`')
  const { type, command, url, args, env, cwd, headers, disabled } = server
  if ((command === undefined) === (url === undefined)) throw wrong('needs either `command` or `url`')
  if (disabled !== undefined && typeof disabled !== 'boolean') throw wrong('`disabled` is not true or false')
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio') throw wrong('a `command` has the type stdio')
    if (typeof command !== 'string' || command === '') throw wrong('`command` is not a text')
    if (args !== undefined && !(Array.isArray(args) && args.every(isText))) throw wrong('`args` is not a list of texts')
    if (env !== undefined && !isTexts(env)) throw wrong('`env` is not a map of texts')
    if (cwd !== undefined && typeof cwd !== 'string') throw wrong('`cwd` is not a text')
    return Object.keys(server).filter(key => !STDIO_KEYS.includes(key))
  }
  if (type !== undefined && !['http', 'streamable-http', 'sse'].includes(String(type)))
    throw wrong('a `url` has the type http, streamable-http or sse')
  if (typeof url !== 'string' || url === '') throw wrong('`url` is not a text')
  if (headers !== undefined && !isTexts(headers)) throw wrong('`headers` is not a map of texts')
  return Object.keys(server).filter(key => !HTTP_KEYS.includes(key))
}

/** Fills the host's variables in. Throws `ConfigError`. */
export function toTarget(server: McpServer, host: { env: NodeJS.ProcessEnv; workspace: string }): Target {
  const fill = (text: string) => fillIn(text, host.env)
  if ('command' in server) {
    const env = mapValues(server.env ?? {}, fill)
    const args = (server.args ?? []).map(fill)
    const filled = args.filter((arg, index) => arg !== server.args?.[index])
    return {
      kind: 'stdio',
      command: fill(server.command),
      args,
      env,
      cwd: resolve(host.workspace, fill(server.cwd ?? '.')),
      secrets: secretsIn([...Object.values(env), ...filled]),
      credentials: secretsIn(namedLikeSecrets(env)),
    }
  }
  const url = fill(server.url)
  const headers = mapValues(server.headers ?? {}, fill)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError('its `url` is no http or https address', 'Mend the `url`.')
  return {
    kind: 'http',
    url: new URL(url),
    headers,
    transport: server.type === undefined ? 'either' : server.type === 'sse' ? 'sse' : 'http',
    secrets: secretsIn([...Object.values(headers), ...(url === server.url ? [] : [url])]),
    credentials: secretsIn(namedLikeSecrets(headers)),
  }
}

/** A configuration that cannot be used as things stand. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

function fillIn(text: string, env: NodeJS.ProcessEnv): string {
  // Other clients know no `{{…}}`: without a `${` the text means itself.
  if (!text.includes('${')) return text
  try {
    const read = (name: string) => {
      const value = env[name]
      if (value === undefined) throw new RenderError(`the variable ${name} is not set`)
      return value
    }
    return renderText(parseTemplate(text), { args: env as Record<string, string>, env: read })
  } catch (error) {
    if (!(error instanceof RenderError) && !(error instanceof TemplateError)) throw error
    throw new ConfigError(error.message, 'Set the variable, or give a default: `${NAME:-default}`.')
  }
}

const MIN_SECRET = 8

/** Each word, since a server may repeat the token of `Bearer <token>` alone. */
function secretsIn(values: readonly string[]): string[] {
  return values.flatMap(value => [value, ...value.split(/\s+/)]).filter(word => word.length >= MIN_SECRET)
}

function namedLikeSecrets(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([name, text]) => (isSecretName(name) ? [text] : []))
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText)

function mapValues(texts: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))
}
