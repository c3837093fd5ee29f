// The HTTP application on a socket: TLS, time limits, a limit on connections, and an orderly end.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { toolError } from '../errors.ts'
import { problemOf } from './problem.ts'

export type TlsFiles = { readonly cert: Buffer; readonly key: Buffer }

export type HttpLimits = {
  /** Milliseconds in which the headers of a request must have come. Default: 10,000. */
  readonly headersTimeoutMs?: number
  /** Milliseconds in which the whole request must have come. Default: 60,000. */
  readonly requestTimeoutMs?: number
  /** Connections at the same time; further ones are closed. Default: 2,000. */
  readonly maxConnections?: number
}

export type ListenOptions = HttpLimits & {
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles
}

export type HttpListener = {
  readonly port: number
  /** Takes no new connections and no new requests. Resolves when the running ones are answered. */
  drain(): Promise<void>
  /** Ends all connections. */
  close(): void
}

type Fetch = (request: Request, bindings: HttpBindings) => Response | Promise<Response>

export async function listenHttp(fetch: Fetch, options: ListenOptions): Promise<HttpListener> {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 60_000, maxConnections = 2000 } = options
  let draining = false
  const answer = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    overrideGlobalObjects: false,
    errorHandler: () => problemOf(malformed()),
  })
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.setHeader('connection', 'close')
    return answer(request, response)
  }
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs / 2),
    maxHeaderSize: 16 * 1024,
  }
  const server = options.tls
    ? createHttpsServer({ ...limits, ...options.tls }, listener)
    : createHttpServer(limits, listener)
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    port: (server.address() as AddressInfo).port,
    async drain() {
      draining = true
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      // Connections whose last answer has left become idle one by one.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.closeIdleConnections()
      await closed
      clearInterval(sweep)
    },
    close: () => server.closeAllConnections(),
  }
}

/** The address at the other end of a request. */
export function addressOf(context: Context): string {
  const { incoming } = context.env as HttpBindings
  return incoming.socket.remoteAddress ?? 'unknown'
}

function malformed() {
  return toolError('MALFORMED_REQUEST', 'The request line or its Host header cannot be read.', {
    nextAction: 'Send a plain HTTP request.',
  })
}
