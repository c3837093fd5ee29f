// Reading an answer: decoded, counted, and never more than the limit.
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { HttpAnswer } from './http-client.ts'
import { NetworkError, toNetworkError } from './network-error.ts'

/**
 * The decoded bytes of an answer. Throws `NetworkError` when they are more than `limit`, and when the deadline of the
 * request ends. Whoever stops early drops the connection.
 */
export async function* readBody(answer: Pick<HttpAnswer, 'headers' | 'body'>, limit: number): AsyncGenerator<Buffer> {
  try {
    let total = 0
    if (Number(answer.headers['content-length']) > limit) throw tooLarge(limit)
    for await (const chunk of await decode(answer)) {
      total += (chunk as Buffer).length
      if (total > limit) throw tooLarge(limit)
      yield chunk as Buffer
    }
  } catch (error) {
    throw toNetworkError(error)
  } finally {
    answer.body.destroy()
  }
}

async function decode({ headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): Promise<Readable> {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase()
  if (encoding === 'identity' || encoding === '') return body
  // A HEAD or 204 may name an encoding and have no body; Brotli calls that an error.
  const first = await peek(body)
  return first === undefined ? body : pipeline(body, decoderOf(encoding, first), () => {})
}

function decoderOf(encoding: string, firstByte: number): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      // Many servers leave the zlib header out.
      return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()
    default:
      throw unreadable(encoding)
  }
}

/** The first byte, which stays in the stream; undefined when it is empty. */
async function peek(stream: Readable): Promise<number | undefined> {
  while (true) {
    const chunk: Buffer | null = stream.read()
    if (chunk) {
      stream.unshift(chunk)
      return chunk[0]
    }
    if (stream.errored) throw stream.errored
    if (stream.readableEnded || stream.destroyed) return undefined
    await new Promise<void>(resolve => {
      const wake = () => {
        for (const event of EVENTS) stream.off(event, wake)
        resolve()
      }
      for (const event of EVENTS) stream.on(event, wake)
    })
  }
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const

const unreadable = (encoding: string) =>
  new NetworkError('HTTP_FAILED', `The answer is encoded as ${JSON.stringify(encoding)}, which cannot be read.`)

const tooLarge = (limit: number) =>
  new NetworkError('RESPONSE_TOO_LARGE', `The answer is larger than ${limit} bytes, the limit for an answer.`)
