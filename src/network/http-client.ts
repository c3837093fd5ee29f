// Requests over one pool of kept-alive connections, each made by the guarded connector. Redirects are followed here, by
// hand, so that every hop is checked and nothing secret goes to another origin.
import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { type Connect, createGuardedConnect, type Resolve } from './guarded-connect.ts'
import { NetworkError, toNetworkError } from './network-error.ts'
import { createAddressGuard, destinationOf, type NetworkRules } from './network-rules.ts'
import { nextRequest } from './redirect.ts'

export type HttpRequest = {
  readonly method: string
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of headers that another origin never sees, whatever they are called. */
  readonly secretHeaders?: ReadonlySet<string>
  readonly body?: string | StreamedBody
  /** Ends the request and the reading of its answer; see `createDeadline`. */
  readonly signal: AbortSignal
}

/** A body that is not held in memory. Opened again for each hop that it is sent to. */
export type StreamedBody = { readonly length: number; open(): AsyncIterable<Uint8Array> }

/** The answer of the last hop. Its body must be read to the end or destroyed: see `readBody`. */
export type HttpAnswer = {
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

export type HttpClient = {
  /** Rejects with `NetworkError` when there is no answer; an answer of any status is an answer. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Drops all connections. */
  close(): Promise<void>
}

export type HttpClientOptions = NetworkRules & {
  /** Looks names up. Default: as the system does. */
  readonly resolve?: Resolve
}

const MAX_REDIRECTS = 5
/** What a redirect may say besides its target before its connection is given up. */
const REDIRECT_BODY_BYTES = 16 * 1024

/** Throws `TypeError` on impossible rules. */
export function createHttpClient({ resolve, ...rules }: HttpClientOptions): HttpClient {
  const closing = new AbortController()
  const guard = createAddressGuard(rules)
  const connect = createGuardedConnect({ guard, closing: closing.signal, ...(resolve && { resolve }) })
  let pool: Promise<Agent> | undefined

  return {
    async send(request) {
      let current = request
      for (let hops = 0; ; hops++) {
        const answer = await sendOnce(current)
        const next = nextRequest(current, answer)
        if (!next) return { url: current.url, status: answer.statusCode, headers: answer.headers, body: answer.body }
        await answer.body.dump({ limit: REDIRECT_BODY_BYTES, signal: request.signal }).catch(() => {})
        if (hops === MAX_REDIRECTS)
          throw new NetworkError('HTTP_FAILED', `The server redirected more than ${MAX_REDIRECTS} times.`)
        current = next
      }
    },
    async close() {
      closing.abort()
      await (await pool)?.destroy()
    },
  }

  async function sendOnce({ method, url, headers, body, signal }: HttpRequest): Promise<Dispatcher.ResponseData> {
    destinationOf(url)
    try {
      pool ??= openPool(connect)
      const agent = await pool
      signal.throwIfAborted()
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as Dispatcher.HttpMethod,
        headers: {
          'user-agent': 'skillwright',
          accept: '*/*',
          'accept-encoding': 'gzip, deflate, br',
          ...headers,
          ...(typeof body === 'object' && { 'content-length': String(body.length) }),
        },
        body: typeof body === 'object' ? Readable.from(body.open(), { objectMode: false }) : (body ?? null),
        signal,
      })
      // The deadline may end while nobody listens; whoever reads the body hears of it then.
      answer.body.on('error', () => {})
      return answer
    } catch (error) {
      throw toNetworkError(error)
    }
  }
}

async function openPool(connect: Connect): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    // The deadline of each request stands in for these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ({ hostname, port, protocol }, callback) => {
      const tls = protocol === 'https:'
      connect({ hostname, port: port ? Number(port) : tls ? 443 : 80, tls }).then(
        socket => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
  })
}
