import type { Exchange } from './exchange.ts'
import type { HttpRequest } from './http-client.ts'
import { NetworkError } from './network-error.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What another origin may see. A list of what it may not would forget the header that holds somebody's key. */
const HEADERS_FOR_ALL: readonly string[] = ['accept', 'accept-language', 'user-agent']

/** The request that an answer asks for instead, if it does. Throws `NetworkError` when it must not be made. */
export function nextRequest(request: HttpRequest, { status, headers }: Exchange): HttpRequest | undefined {
  const { location } = headers
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined
  if (!URL.canParse(location, request.url.href))
    throw new NetworkError('HTTP_FAILED', 'The server redirects to no URL.')
  const url = new URL(location, request.url)
  url.hash = ''

  const next = becomesGet(status, request.method) ? asGet(request) : request
  if (url.origin === request.url.origin) return { ...next, url }
  if (next.body !== undefined)
    throw new NetworkError(
      'HTTP_FAILED',
      `The server redirects to ${url.origin}; the body of a ${next.method} is not sent on to another origin.`,
    )
  const mayKeep = (name: string) => HEADERS_FOR_ALL.includes(name) && !request.secretHeaders?.has(name)
  return { ...next, url, headers: keepHeaders(next, mayKeep) }
}

/** As browsers do. */
function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function asGet({ body: _, ...request }: HttpRequest): HttpRequest {
  return { ...request, method: 'GET', headers: keepHeaders(request, name => !name.startsWith('content-')) }
}

function keepHeaders({ headers }: HttpRequest, isKept: (name: string) => boolean): HttpRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)))
}
