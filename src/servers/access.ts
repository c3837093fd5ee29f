// Who may come in: host, origin and token, the same for REST, MCP and gRPC.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { toolError } from '../errors.ts'
import type { Caller, ToolError } from '../types.ts'

/** A bearer token and whom it stands for. Exactly one of `tokenEnv` and `tokenSha256`. */
export type AccessToken = {
  /** The environment variable that holds the token. */
  readonly tokenEnv?: string
  /** Hex digest of the token. */
  readonly tokenSha256?: string
  /** Id of the caller. */
  readonly id: string
  readonly roles?: readonly string[]
}

export type AccessOptions = {
  /** The address that is listened on. Anything but loopback needs tokens. Default: `127.0.0.1`. */
  readonly host?: string
  /** With tokens every request needs one of them. Default: none, whoever reaches loopback comes in as the local caller. */
  readonly tokens?: readonly AccessToken[]
  /** Who comes in without tokens. Default: `{ id: 'local', roles: [] }`. */
  readonly localCaller?: Caller
  /** Names besides those of loopback that clients may call this server by. Default: none. */
  readonly allowedHosts?: readonly string[]
  /** Origins of web pages besides its own that may use it, such as `https://app.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[]
  /** Callers with one of these roles may import skills, and see the whole report and audit. Default: `['admin']`. */
  readonly adminRoles?: readonly string[]
}

/** What a request says of where it comes from. */
export type Knock = {
  readonly host: string | null | undefined
  readonly origin: string | null | undefined
  readonly authorization: string | null | undefined
}

export type Access = {
  /** Why a request must not be looked at: a page of somebody else's, or a name that was bent to this address. */
  refusal(knock: Pick<Knock, 'host' | 'origin'>): ToolError | undefined
  /** On whose behalf the request is made. Undefined: it needs a token, and has none that is known. */
  callerOf(authorization: Knock['authorization']): Caller | undefined
  isAdmin(caller: Caller): boolean
  /** Whether a page of this origin may read answers. */
  isAllowedOrigin(origin: string): boolean
}

export const DEFAULT_HOST = '127.0.0.1'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const MIN_TOKEN = 16

/** Throws `TypeError` when the options would leave a door open, or cannot be meant. */
export function createAccess(options: AccessOptions = {}, env: NodeJS.ProcessEnv = process.env): Access {
  const { host = DEFAULT_HOST, tokens = [], localCaller = { id: 'local', roles: [] }, adminRoles = ['admin'] } = options
  const isWide = !isLoopback(host)
  if (isWide && tokens.length === 0)
    throw new TypeError(
      `host: ${host} can be reached by others, so that it needs tokens. Listen on ${DEFAULT_HOST}, or add servers.tokens to the config.`,
    )
  const entries = readTokens(tokens, env)
  // Also the name that it prints as its own address.
  const own = hostName(isIP(host) === 6 ? `[${host}]` : host)
  const hosts = new Set([...LOOPBACK_NAMES, own, ...(options.allowedHosts ?? []).map(readHost)])
  const origins = new Set((options.allowedOrigins ?? []).map(readOrigin))

  return {
    refusal({ host, origin }) {
      const name = hostName(host)
      if (name === undefined || !isOwnName(name)) return hostRefused(host)
      if (origin && !origins.has(origin) && !isSameOrigin(origin, host!)) return originRefused(origin)
      return undefined
    },
    callerOf(authorization) {
      if (entries.length === 0) return localCaller
      const digest = sha256(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '')
      // All are compared, so that the time does not tell which one was nearly right.
      const matches = entries.filter(entry => timingSafeEqual(entry.digest, digest))
      return matches[0]?.caller
    },
    isAdmin: caller => caller.roles.some(role => adminRoles.includes(role)),
    isAllowedOrigin: origin => origins.has(origin),
  }

  /** Where others can reach it, an address will do: only names can be bent to another address. */
  function isOwnName(name: string): boolean {
    return hosts.has(name) || (isWide && isIP(name.replace(/^\[|\]$/g, '')) !== 0)
  }
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

export function tokenRequired(): ToolError {
  return toolError('TOKEN_REQUIRED', 'This server wants a bearer token that it knows.', {
    nextAction: 'Send the header `Authorization: Bearer <token>`.',
  })
}

function hostRefused(host: string | null | undefined): ToolError {
  return toolError('HOST_REFUSED', `This server does not go by the name ${JSON.stringify(host ?? '')}.`, {
    nextAction: 'Call it by localhost, or add the name to servers.allowed_hosts.',
  })
}

function originRefused(origin: string): ToolError {
  return toolError('ORIGIN_REFUSED', `Pages of ${JSON.stringify(origin)} may not use this server.`, {
    nextAction: 'Add the origin to servers.allowed_origins, if it is yours.',
  })
}

function readTokens(tokens: readonly AccessToken[], env: NodeJS.ProcessEnv) {
  const entries = tokens.map(token => readToken(token, env))
  const ids = new Map<string, string>()
  for (const { caller, digest } of entries) {
    const key = digest.toString('hex')
    if (ids.has(key)) throw new TypeError(`tokens: ${ids.get(key)} and ${caller.id} have the same token`)
    ids.set(key, caller.id)
  }
  return entries
}

function readToken({ tokenEnv, tokenSha256, id, roles = [] }: AccessToken, env: NodeJS.ProcessEnv) {
  const caller: Caller = { id, roles }
  if (typeof id !== 'string' || id === '') throw new TypeError('tokens: every token needs the id of its caller')
  if ((tokenEnv === undefined) === (tokenSha256 === undefined))
    throw new TypeError(`tokens: ${id} needs either token_env or token_sha256`)
  if (tokenSha256 !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(tokenSha256))
      throw new TypeError(`tokens: token_sha256 of ${id} is no SHA-256 digest in hex`)
    const digest = Buffer.from(tokenSha256, 'hex')
    // What hashing an unset variable gives: whoever sends nothing would come in.
    if (digest.equals(sha256(''))) throw new TypeError(`tokens: token_sha256 of ${id} is the digest of nothing`)
    return { caller, digest }
  }
  const token = env[tokenEnv!] ?? ''
  if (token.length < MIN_TOKEN || /\s/.test(token))
    throw new TypeError(`tokens: ${tokenEnv} must hold the token of ${id}: at least ${MIN_TOKEN} characters, no spaces`)
  return { caller, digest: sha256(token) }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** `Example.com:8080` → `example.com`; undefined for what is no host. */
function hostName(host: string | null | undefined): string | undefined {
  if (!host || /[@/\\?#\s]/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname
}

function isSameOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol } = new URL(origin)
  return (
    (protocol === 'http:' || protocol === 'https:') && new URL(origin).host === new URL(`${protocol}//${host}`).host
  )
}

function readHost(host: string): string {
  const name = hostName(host)
  if (name === undefined) throw new TypeError(`allowedHosts: ${JSON.stringify(host)} is no host name`)
  return name
}

function readOrigin(origin: string): string {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new TypeError(`allowedOrigins: ${JSON.stringify(origin)} is no origin such as https://app.example.com`)
  return origin
}
