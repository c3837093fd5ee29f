import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { answer, dataOf, errorOf, json, makeHttp, serve } from '../support/http.ts'

const MB = 1024 * 1024
const TEN_GB = 10_240 * MB

describe('a bomb ends at the limit, with flat memory', () => {
  test.each([
    ['gzip', 'text/plain', () => createGzip({ level: 1 })],
    ['gzip', 'application/json', () => createGzip({ level: 1 })],
    ['gzip', 'application/octet-stream', () => createGzip({ level: 1 })],
    ['deflate', 'text/plain', () => createDeflate({ level: 1 })],
    ['br', 'text/plain', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('%s as %s', async (encoding, type, compress) => {
    let sent = 0
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': type, 'content-encoding': encoding })
      pipeline(Readable.from(zeros(bytes => (sent += bytes))), compress(), response, () => {})
    })
    const { call, outputs } = makeHttp({ allowPrivate: [server.host] })
    const memory = watchMemory()
    const error = errorOf(await call({ url: server.origin }, {}, { timeoutMs: 20_000 }))
    expect(error).toMatchObject({ code: 'RESPONSE_TOO_LARGE', again: undefined })
    expect(memory.stop()).toBeLessThan(150 * MB)
    expect(sent).toBeLessThan(TEN_GB)
    expect(readdirSync(outputs)).toEqual([])
  })
})

test('an answer that announces too much is not read', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-length': String(TEN_GB) }).write('x')
  })
  const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })
  expect(errorOf(outcome).code).toBe('RESPONSE_TOO_LARGE')
})

describe('one time limit over everything', () => {
  test.each<[string, (response: ServerResponse) => unknown]>([
    ['no answer', () => {}],
    ['headers only', response => response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()],
    ['headers only, encoded', response => response.writeHead(200, { 'content-encoding': 'gzip' }).flushHeaders()],
    ['a slow drip', drip],
    ['a slow drip in a bad answer', response => drip(response.writeHead(500))],
    [
      'endless redirects',
      async response => {
        await setTimeout(100)
        response.writeHead(302, { location: '/' }).end()
      },
    ],
  ])('%s', async (_, handler) => {
    const server = await serve((_, response) => handler(response))
    const start = performance.now()
    const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin }, {}, { timeoutMs: 300 })
    expect(errorOf(outcome)).toMatchObject({ code: 'HTTP_TIMEOUT', again: {} })
    expect(performance.now() - start).toBeLessThan(1500)
  })

  async function drip(response: ServerResponse): Promise<void> {
    while (!response.destroyed) {
      response.write('x')
      await setTimeout(20)
    }
  }
})

test('cancelling ends a request, and one that is cancelled beforehand is not sent', async () => {
  const server = await serve(() => {})
  const http = makeHttp({ allowPrivate: [server.host] })
  const controller = new AbortController()
  const running = http.call({ url: server.origin }, {}, { signal: controller.signal })
  while (server.seen.length === 0) await setTimeout(5)
  controller.abort()
  expect(errorOf(await running)).toMatchObject({ code: 'CANCELLED', again: undefined })
  expect(errorOf(await http.call({ url: server.origin }, {}, { signal: controller.signal })).code).toBe('CANCELLED')
  expect(server.seen).toHaveLength(1)
})

test.each([
  ['gzip', gzipSync('grüße')],
  ['x-gzip', gzipSync('grüße')],
  ['br', brotliCompressSync('grüße')],
  ['deflate', deflateSync('grüße')],
  ['deflate', deflateRawSync('grüße')],
  ['identity', Buffer.from('grüße')],
])('%s is decoded', async (encoding, bytes) => {
  const server = await serve(answer(bytes, { 'content-encoding': encoding, 'content-type': 'text/plain' }))
  expect(dataOf(await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin }))).toBe('grüße')
})

test.each([
  ['gzip', gzipSync('hello hello').subarray(0, 15)],
  ['gzip', Buffer.from('hello')],
  ['br', Buffer.from('hello hello hello')],
  ['zip', Buffer.from('hello')],
  ['gzip, br', Buffer.from('hello')],
])('an answer that is not %s as it says is an error', async (encoding, bytes) => {
  const server = await serve(answer(bytes, { 'content-encoding': encoding }))
  const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })
  expect(errorOf(outcome)).toMatchObject({ code: 'HTTP_FAILED', message: expect.stringContaining('encoded') })
})

test.each(['gzip', 'br', 'deflate'])('an empty answer may call itself %s', async encoding => {
  const server = await serve(({ method }, response) =>
    response.writeHead(method === 'HEAD' ? 200 : 204, { 'content-encoding': encoding }).end(),
  )
  const http = makeHttp({ allowPrivate: [server.host] })
  expect(dataOf(await http.call({ url: server.origin }))).toBe('')
  expect(dataOf(await http.call({ method: 'HEAD', url: server.origin }))).toMatchObject({ status: 200 })
})

test('connections are kept and used again', async () => {
  const server = await serve(json({}))
  const http = makeHttp({ allowPrivate: [server.host] })
  for (let i = 0; i < 20; i++) dataOf(await http.call({ url: server.origin }))
  expect(server.seen).toHaveLength(20)
  // undici opens a second one when asked again in the very moment in which the first becomes free.
  expect(server.connections()).toBeLessThanOrEqual(2)
})

function* zeros(count: (bytes: number) => void): Generator<Buffer> {
  const chunk = Buffer.alloc(MB)
  for (let sent = 0; sent < TEN_GB; sent += MB) {
    count(MB)
    yield chunk
  }
}

/** How much the process grew at most. */
function watchMemory(): { stop(): number } {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}
