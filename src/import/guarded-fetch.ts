import { createDeadline } from '../network/deadline.ts'
import { createHttpClient } from '../network/http-client.ts'
import { readBody } from '../network/read-body.ts'
import type { Fetch } from './download.ts'

/** A file may be large; the download itself ends what takes too long. */
const MAX_MS = 60 * 60_000

/**
 * Fetches with the address rules of HTTP tools. What a listing names may be hostile, so that only the host that the user has
 * named may be private.
 */
export function createGuardedFetch(allowPrivate: readonly string[]): Fetch {
  return async (url, { headers, signal }) => {
    const client = createHttpClient({ allowPrivate })
    const deadline = createDeadline(MAX_MS, signal)
    const end = () => {
      deadline.dispose()
      void client.close()
    }
    try {
      const answer = await client.send({ method: 'GET', url: new URL(url), headers, deadline })
      const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      const body = ReadableStream.from(untilRead(readBody(answer, Number.MAX_SAFE_INTEGER), end))
      const hasBody = answer.status !== 204 && answer.status !== 304
      const response = new Response(hasBody ? body : null, { status: answer.status, headers: fields })
      Object.defineProperty(response, 'url', { value: answer.url.href })
      return response
    } catch (error) {
      end()
      throw error
    }
  }
}

async function* untilRead(chunks: AsyncIterable<Uint8Array>, done: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } finally {
    done()
  }
}
