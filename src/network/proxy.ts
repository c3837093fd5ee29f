// A way out for programs that have no network: an HTTP proxy on a UNIX socket, which knows the hosts that were granted
// and dials like HTTP tools do. One for each call: it tells what that call was refused, and ends with it.
import { setMaxListeners } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { forwardRequest } from './forward-request.ts'
import { type Connect, createGuardedConnect, type Resolve } from './guarded-connect.ts'
import { type HostPattern, isListed, readHostPattern } from './host-list.ts'
import { toNetworkError } from './network-error.ts'
import { createAddressGuard, type Destination, type NetworkRules } from './network-rules.ts'
import { readAuthority, readProxiedUrl, shownDestination } from './proxy-target.ts'

export type ProxyOptions = NetworkRules & {
  /** `host`, `host:port` or `*.suffix`; without a port 443 and 80 are meant. */
  readonly grants: readonly string[]
  /** Where it listens. */
  readonly socket: string
  /** Looks names up. Default: as the system does. */
  readonly resolve?: Resolve
  readonly limits?: Partial<ProxyLimits>
}

export type ProxyLimits = {
  readonly headerBytes: number
  /** How long a client may take to say what it wants. */
  readonly headersMs: number
  /** How long a connection may be silent. */
  readonly idleMs: number
  readonly connections: number
}

export type HostProxy = {
  /** `host:port` of what was refused so far, the first twenty. */
  refused(): readonly string[]
  /** Ends all connections. */
  close(): Promise<void>
}

const LIMITS: ProxyLimits = { headerBytes: 16 * 1024, headersMs: 10_000, idleMs: 120_000, connections: 64 }
const WEB_PORTS = [443, 80]
const MAX_REFUSED = 20

/** Throws `TypeError` on a grant that is no host. Rejects when the socket cannot be made. */
export async function openProxy({ grants, socket, resolve, limits, ...rules }: ProxyOptions): Promise<HostProxy> {
  const patterns = grants.flatMap(toPatterns)
  const { headerBytes, headersMs, idleMs, connections } = { ...LIMITS, ...limits }
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const connect = createGuardedConnect({
    guard: createAddressGuard(rules),
    closing: closing.signal,
    ...(resolve && { resolve }),
  })
  const refused = new Set<string>()
  const open = new Set<Socket>()

  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1000, headersMs),
    keepAlive: false,
    insecureHTTPParser: false,
  })
  server.maxConnections = connections
  server.maxRequestsPerSocket = 1
  server.on('connection', watch)
  server.on('request', (request, response) => void forward(request, response))
  server.on('connect', (request, client: Socket, first: Buffer) => void tunnel(request, client, first))
  server.on('clientError', (_, client) => client.destroy())
  await listen(server, socket)

  return {
    refused: () => [...refused],
    async close() {
      closing.abort()
      for (const one of open) one.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }

  async function tunnel(request: IncomingMessage, client: Socket, first: Buffer): Promise<void> {
    const target = readAuthority(request.url ?? '')
    if (!target) return refuse(client, 400, 'write CONNECT host:port')
    const dialled = await dial(target, connect)
    if (!dialled.ok) return refuse(client, dialled.status, dialled.why)
    const { socket: far } = dialled
    if (client.destroyed) return void far.destroy()
    watch(far)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    far.write(first)
    join(client, far)
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request
    const wanted = readProxiedUrl(url)
    if (!wanted)
      return answer(response, 400, 'this proxy takes CONNECT host:port, and GET http://host/ without a password')
    if (headers['transfer-encoding'] !== undefined && headers['transfer-encoding'].toLowerCase() !== 'chunked')
      return answer(response, 400, 'a body is sent as it is or chunked')
    const dialled = await dial(wanted.destination, connect)
    if (!dialled.ok) return answer(response, dialled.status, dialled.why)
    watch(dialled.socket)
    try {
      await forwardRequest(request, response, { url: wanted.url, socket: dialled.socket })
    } catch (error) {
      dialled.socket.destroy()
      answer(response, 502, toNetworkError(error).message)
    }
  }

  async function dial(target: Destination, connect: Connect): Promise<Dialled> {
    const shown = shownDestination(target)
    if (!isListed(patterns, target)) {
      remember(shown)
      return {
        ok: false,
        status: 403,
        why: `host ${shown} is not granted to this tool; granted: ${grants.join(', ') || 'none'}`,
      }
    }
    try {
      return { ok: true, socket: await connect({ ...target, tls: false }) }
    } catch (error) {
      const { code, message } = toNetworkError(error)
      if (code === 'ADDRESS_REFUSED') remember(shown)
      return { ok: false, status: code === 'ADDRESS_REFUSED' ? 403 : 502, why: `${shown}: ${message}` }
    }
  }

  function remember(shown: string): void {
    if (refused.size < MAX_REFUSED) refused.add(shown)
  }

  /** Whatever becomes of a connection, it is known here, is silent for so long at most, and never throws. */
  function watch(one: Socket): void {
    open.add(one)
    one.on('error', () => one.destroy())
    one.on('close', () => open.delete(one))
    one.setTimeout(idleMs, () => one.destroy())
    if (closing.signal.aborted) one.destroy()
  }
}

type Dialled =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly status: number; readonly why: string }

function toPatterns(grant: string): HostPattern[] {
  const pattern = readHostPattern(grant)
  if (!pattern) throw new TypeError(`network: ${JSON.stringify(grant)} is no host or host:port`)
  return pattern.port === undefined ? WEB_PORTS.map(port => ({ ...pattern, port })) : [pattern]
}

async function listen(server: ReturnType<typeof createServer>, socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => resolve())
  })
  server.on('error', () => {})
  // Inside a sandbox the program may be somebody else; outside, the folder keeps others away.
  chmodSync(socket, 0o666)
  server.unref()
}

function join(client: Socket, far: Socket): void {
  client.pipe(far)
  far.pipe(client)
  client.on('close', () => far.destroy())
  far.on('close', () => client.destroy())
}

/** Many clients show only the first line of what a proxy says to a CONNECT, so it holds the reason. */
function refuse(client: Socket, status: number, why: string): void {
  const line = oneLine(why)
  client.end(
    `HTTP/1.1 ${status} ${line}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${line.length + 1}\r\n\r\n${line}\n`,
  )
}

function answer(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) return void response.destroy()
  const line = oneLine(why)
  response.writeHead(status, line, { 'content-type': 'text/plain', connection: 'close' }).end(`${line}\n`)
}

const oneLine = (why: string): string => `network: ${why}`.replace(/[^ -~]+/g, ' ').slice(0, 500)
