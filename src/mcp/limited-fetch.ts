const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

const MAX_REDIRECTS = 5

/**
 * `fetch`, but no single message of an answer may be larger than the limit, since the SDK reads each of them as a whole;
 * and headers never follow a redirect to another origin, since they may hold secrets.
 */
export async function limitedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchWithin(new URL(url), init)
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const limited = response.body.pipeThrough(isStream ? limit(endsEvent) : limit(() => -1))
  const copy = new Response(limited, response)
  // A made-up response has no address of its own, and the SDK looks at it to tell redirects.
  Object.defineProperties(copy, { url: { value: response.url }, redirected: { value: response.redirected } })
  return copy
}

async function fetchWithin(url: URL, init: RequestInit | undefined, redirects = 0): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const location = response.status === 307 || response.status === 308 ? response.headers.get('location') : null
  if (location === null) return response
  await response.body?.cancel()
  const next = new URL(location, url)
  if (next.origin !== url.origin) throw new Error(`it redirects to another server, ${next.origin}`)
  if (redirects >= MAX_REDIRECTS) throw new Error('it redirects in circles')
  return fetchWithin(next, init, redirects + 1)
}

/** `lastEnd` tells where in a chunk the last message ends, or -1. */
function limit(lastEnd: (chunk: Uint8Array) => number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = lastEnd(chunk)
      size = end < 0 ? size + chunk.length : chunk.length - end
      if (size > MAX_MESSAGE_BYTES) controller.error(new Error(`a message is longer than ${MAX_MESSAGE_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
}

/** Events end with an empty line. */
function endsEvent(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\r\n\r\n'))
}
