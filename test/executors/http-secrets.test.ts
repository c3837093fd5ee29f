// What `${env:…}` brings into a request never comes out again, whatever the server does with it.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CallUpdate, HttpSpec, Outcome } from '../../src/types.ts'
import { dataOf, errorOf, makeHttp, type Seen, serve } from '../support/http.ts'

const CANARY = 'canary-"7f3a/b c+d\\e'
const SPEC: Pick<HttpSpec, 'method' | 'headers' | 'body'> = {
  method: 'POST',
  headers: { authorization: 'Bearer ${env:KEY}' },
  body: { as: 'json', template: { key: '${env:KEY}' } },
}

type Handler = Parameters<typeof serve>[0]

/** Every spelling of the canary that the server has seen. */
const said = ({ url, headers, body }: Seen) => `${url}\n${headers.authorization}\n${body}\n${JSON.stringify(CANARY)}`

async function call(handler: Handler, onUpdate?: (update: CallUpdate) => void): Promise<Outcome> {
  const server = await serve(handler)
  const { call } = makeHttp({ allowPrivate: [server.host], env: { KEY: CANARY } })
  const outcome = await call({ url: `${server.origin}/x?key=\${env:KEY}`, ...SPEC }, {}, onUpdate ? { onUpdate } : {})
  // It did arrive.
  expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${CANARY}`)
  return outcome
}

const ECHOES: readonly (readonly [string, Handler])[] = [
  ['text', (seen, response) => response.end(said(seen))],
  ['JSON', (seen, response) => sendJson(response, 200, { seen: said(seen), [CANARY]: [CANARY] })],
  ['escaped JSON', (_, response) => sendText(response, `{"a":"${escaped(CANARY)}"}`)],
  ['an envelope that failed', (seen, response) => sendJson(response, 200, { ok: false, error: said(seen) })],
  ['a bad status', (seen, response) => sendJson(response, 500, { error: said(seen) })],
  ['a bad status, many times', (seen, response) => response.writeHead(400).end(said(seen).repeat(500))],
  [
    'a redirect to no URL',
    (_, response) => response.writeHead(302, { location: `http://[${encodeURI(CANARY)}` }).end(),
  ],
  [
    'a redirect elsewhere',
    (_, response) => response.writeHead(307, { location: `http://x.example/${encodeURIComponent(CANARY)}` }).end(),
  ],
  ['an encoding', (_, response) => response.writeHead(200, { 'content-encoding': CANARY }).end('x')],
  ['a type', (_, response) => response.writeHead(200, { 'content-type': `a/b-${CANARY}` }).end('x')],
  ['a long text', (seen, response) => response.end(said(seen).repeat(3000))],
]

test.each(ECHOES)('not in the outcome of %s', async (_, handler) => {
  const outcome = await call(handler)
  expectClean(JSON.stringify(outcome.ok ? outcome.data : outcome.error))
  if (outcome.outputFile) expectClean(readFileSync(outcome.outputFile, 'utf8'))
})

test('not in a file', async () => {
  const outcome = await call((seen, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(said(seen).repeat(3000))
  })
  const { file, bytes } = dataOf(outcome) as { file: string; bytes: number }
  const text = readFileSync(file, 'utf8')
  expectClean(text)
  expect(text.length).toBe(bytes)
})

test('not in what is told on the way, however it is cut', async () => {
  const heard: string[] = []
  const outcome = await call(
    async (seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = Buffer.from(said(seen))
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7))
        await setTimeout(1)
      }
      response.end()
    },
    update => heard.push(update.type === 'output' ? update.text : ''),
  )
  expect(heard.length).toBeGreaterThan(1)
  expectClean(heard.join(''))
  expectClean(JSON.stringify(outcome))
})

test('not in the headers of HEAD', async () => {
  const server = await serve((_, response) => response.writeHead(200, { 'x-echo': CANARY }).end())
  const { call } = makeHttp({ allowPrivate: [server.host], env: { KEY: CANARY } })
  expectClean(JSON.stringify(await call({ method: 'HEAD', url: server.origin, headers: { a: '${env:KEY}' } })))
})

test('not in what is told of a request that cannot be made', async () => {
  const { call } = makeHttp({ env: { KEY: CANARY, BASE: 'no url at all', HOST: 'http://inner.example.test:1' } })
  const outcomes = [
    await call({ url: 'http://127.0.0.1/${env:KEY}', ...SPEC }),
    await call({ url: '${env:BASE}/x' }),
    await call({ url: '${env:HOST}/x' }),
    await call({ ...SPEC, url: 'http://a.example', body: { as: 'multipart', fields: { f: '@${env:KEY}' } } }),
  ]
  for (const outcome of outcomes) {
    errorOf(outcome)
    expectClean(JSON.stringify(outcome))
    expect(JSON.stringify(outcome)).not.toMatch(/no url at all|inner\.example/)
  }
})

/** Neither as it is nor in a spelling: the parts between its special characters are enough to tell. */
function expectClean(text: string): void {
  expect(text).not.toContain('canary')
  expect(text).not.toContain('7f3a')
}

function escaped(text: string): string {
  return [...text].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

function sendJson(response: Parameters<Handler>[1], status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sendText(response: Parameters<Handler>[1], text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}
