// Requests over one pool of kept-alive connections, each made by the guarded connector. Redirects are followed here, by
// hand, so that every hop is checked and nothing secret goes to another origin.
import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'
import { type Exchange, exchange } from './exchange.ts'
import { type Connect, createGuardedConnect, type Resolve } from './guarded-connect.ts'
import { NetworkError } from './network-error.ts'
import { createAddressGuard, type Destination, destinationOf, type NetworkRules } from './network-rules.ts'
import { nextRequest } from './redirect.ts'

export type HttpRequest = {
  readonly method: string
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of headers that another origin never sees, whatever they are called. */
  readonly secretHeaders?: ReadonlySet<string>
  readonly body?: string | StreamedBody
  /** Asked about every hop before it is made; throws `NetworkError` when it must not be. */
  readonly mayReach?: (destination: Destination) => void
  /** Ends the request and the reading of its answer. */
  readonly deadline: Deadline
}

/** A body that is not held in memory. Opened again for each hop that it is sent to. */
export type StreamedBody = { readonly length: number; open(): AsyncIterable<Uint8Array> }

/** The answer of the last hop; see `readBody`. */
export type HttpAnswer = Exchange & { readonly url: URL }

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
        if (!next) return { ...answer, url: current.url }
        if (hops === MAX_REDIRECTS)
          throw new NetworkError('HTTP_FAILED', `The server redirected more than ${MAX_REDIRECTS} times.`)
        await skip(answer.body)
        current = next
      }
    },
    async close() {
      closing.abort()
      await (await pool)?.destroy()
    },
  }

  async function sendOnce({ method, url, headers, body, mayReach, deadline }: HttpRequest): Promise<Exchange> {
    const destination = destinationOf(url)
    mayReach?.(destination)
    pool ??= openPool(connect)
    const request = {
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
    }
    return exchange(await pool, request, deadline)
  }
}

/** Reads what a redirect says besides its target, so that the connection can be used again. */
async function skip(body: AsyncIterable<Buffer>): Promise<void> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > REDIRECT_BODY_BYTES) return
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
