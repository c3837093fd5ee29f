// REST, MCP over HTTP and gRPC in front of one runtime, behind one door; and their orderly end.
import { readFileSync } from 'node:fs'
import type { Runtime } from '../runtime.ts'
import { type AccessOptions, createAccess, DEFAULT_HOST } from './access.ts'
import { type GrpcListener, listenGrpc } from './grpc/server.ts'
import { createGuard } from './guard.ts'
import { addressOf, type HttpLimits, listenHttp } from './http-listener.ts'
import { createMcpHandler, type McpHandlerOptions } from './mcp-http.ts'
import { packageVersion } from './package-version.ts'
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts'
import { createRestApp } from './rest/app.ts'

export type ServeOptions = AccessOptions &
  HttpLimits & {
    /** Port of REST and MCP. Default: 0, any that is free. */
    readonly port?: number
    /** Port of gRPC, or false for none. Default: 0, any that is free. */
    readonly grpcPort?: number | false
    /** PEM files, for HTTP and gRPC. Both or none. */
    readonly tlsCert?: string
    readonly tlsKey?: string
    readonly rateLimit?: RateLimitOptions
    /** The audit file of the runtime, for queries. Default: false, there is none. */
    readonly auditFile?: string | false
    /** The folder that imports go to. Default: `skillwright/skills` in the user's data folder, a default source. */
    readonly importInto?: string
    /** A folder in which each session gets a workspace of its own. Default: all share that of the runtime. */
    readonly workspaces?: string
    /** How MCP is served at `/mcp`, or false for not at all. */
    readonly mcp?: McpHandlerOptions | false
  }

export type Serving = {
  /** Surface → where it listens. */
  readonly addresses: { readonly rest: string; readonly openapi: string; readonly mcp?: string; readonly grpc?: string }
  /**
   * Takes nothing new, lets running requests finish for so long (default: 10 s), then closes the runtime, which cancels what
   * still runs, so that every client gets an answer. Call it again to wait no longer.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

/** Time for the answers of cancelled calls to leave, and then for connections to end. */
const ANSWERS_MS = 300
const LAST_WORDS_MS = 2000

/** Starts all servers. Throws `TypeError` on options that would leave a door open; nothing listens then. */
export async function serve(runtime: Runtime, options: ServeOptions = {}): Promise<Serving> {
  const { host = DEFAULT_HOST, port = 0, grpcPort = 0, auditFile = false } = options
  const access = createAccess(options)
  const guard = createGuard(access, createRateLimit(options.rateLimit))
  const tls = readTls(options)
  const closing = new AbortController()
  const impatient = new AbortController()
  const { importInto, workspaces } = options
  const mcp =
    options.mcp === false
      ? undefined
      : createMcpHandler(runtime, { ...(workspaces !== undefined && { workspaces }), ...options.mcp })
  const parts = {
    runtime,
    access,
    guard,
    auditFile,
    closing: closing.signal,
    ...(importInto !== undefined && { importInto }),
    ...(workspaces !== undefined && { workspaces }),
  }

  const app = createRestApp({ ...parts, version: packageVersion(), addressOf, ...(mcp && { mcp }) })
  const http = await listenHttp(app.fetch, { ...options, host, port, ...(tls && { tls }) })
  let grpc: GrpcListener | undefined
  try {
    if (grpcPort !== false) grpc = await listenGrpc({ ...parts, host, port: grpcPort, ...(tls && { tls }) })
  } catch (error) {
    http.close()
    await http.drain()
    throw error
  }
  const name = host.includes(':') ? `[${host}]` : host
  const origin = `${tls ? 'https' : 'http'}://${name}:${http.port}`
  let closed: Promise<void> | undefined

  return {
    addresses: {
      rest: `${origin}/v1`,
      openapi: `${origin}/openapi.json`,
      ...(mcp && { mcp: `${origin}/mcp` }),
      ...(grpc && { grpc: `${name}:${grpc.port}` }),
    },
    close({ graceMs = 10_000 } = {}) {
      if (closed) impatient.abort()
      closed ??= shutDown(graceMs)
      return closed
    },
  }

  async function shutDown(graceMs: number): Promise<void> {
    closing.abort()
    const drained = Promise.all([http.drain(), grpc?.drain()])
    await within(runtime.idle(), graceMs, impatient.signal)
    await runtime.close()
    // Streams that MCP clients keep open would never end by themselves.
    await within(drained, ANSWERS_MS)
    await mcp?.close()
    await within(drained, LAST_WORDS_MS)
    http.close()
    grpc?.close()
    await drained
  }
}

/** Waits for something, but not for longer, and not once somebody has lost patience. */
async function within(work: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve())
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}

function readTls({ tlsCert, tlsKey }: ServeOptions) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) throw new TypeError('TLS needs both tlsCert and tlsKey')
  return { cert: readPem(tlsCert, 'tlsCert'), key: readPem(tlsKey, 'tlsKey') }
}

function readPem(file: string, option: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new TypeError(`${option}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
