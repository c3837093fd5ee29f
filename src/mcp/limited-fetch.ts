const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** `fetch`, but no single message of an answer may be larger than the limit: the SDK reads each of them as a whole. */
export async function limitedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const limited = response.body.pipeThrough(isStream ? limit(endsEvent) : limit(() => -1))
  const copy = new Response(limited, response)
  // A made-up response has no address of its own, and the SDK looks at it to tell redirects.
  Object.defineProperties(copy, { url: { value: response.url }, redirected: { value: response.redirected } })
  return copy
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
