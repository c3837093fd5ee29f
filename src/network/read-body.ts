// Reading an answer: decoded, counted, and never more than the limit.
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { NetworkError, toNetworkError } from './network-error.ts'

/**
 * The decoded bytes of an answer. Throws `NetworkError` when they are more than `limit`, and when the deadline of the
 * request ends. Whoever stops early drops the connection.
 */
export function readBody({ headers, body }: Omit<Exchange, 'status'>, limit: number): AsyncIterable<Buffer> {
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length > limit) throw tooLarge(limit)
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase()
  if (encoding && encoding !== 'identity') return count(decode(body, encoding), limit)
  // No more bytes than announced belong to an answer.
  return length >= 0 ? body : count(body, limit)
}

async function* count(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of chunks) {
    total += chunk.length
    if (total > limit) throw tooLarge(limit)
    yield chunk
  }
}

async function* decode(body: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  // A HEAD or 204 may name an encoding and have no body; Brotli calls that an error.
  if (first.done) return
  const source = Readable.from(joined(first.value, chunks))
  try {
    yield* pipeline(source, decoderOf(encoding, first.value), () => {})
  } catch (error) {
    throw toNetworkError(error)
  } finally {
    source.destroy()
  }
}

async function* joined(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* { [Symbol.asyncIterator]: () => others }
}

function decoderOf(encoding: string, start: Buffer): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      // Many servers leave the zlib header out.
      return (start[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()
    default:
      throw new NetworkError(
        'HTTP_FAILED',
        `The answer is encoded as ${JSON.stringify(encoding)}, which cannot be read.`,
      )
  }
}

const tooLarge = (limit: number) =>
  new NetworkError('RESPONSE_TOO_LARGE', `The answer is larger than ${limit} bytes, the limit for an answer.`)
