import { expect, test } from 'vitest'
import { dataOf, errorOf, json, makeHttp, type Seen, serve } from '../support/http.ts'

const SECRETS = { authorization: 'Bearer a', cookie: 'b=c', 'x-key': '${env:KEY}', 'x-own': 'own', accept: 'text/x' }

/** Two origins: the first redirects `/` with this status to `to`. */
async function twoOrigins(status: number, to: (first: string, second: string) => string) {
  const second = await serve(json('second'))
  const first = await serve(({ url }, response) => {
    if (url !== '/') return response.end('first')
    response.writeHead(status, { location: to(first.origin, second.origin) }).end('moved')
  })
  const http = makeHttp({ allowPrivate: [first.host, second.host], env: { KEY: 'the-key-1234' } })
  return { first, second, http }
}

test('another origin gets neither credentials nor what the author put in headers', async () => {
  const { first, second, http } = await twoOrigins(302, (_, to) => `${to}/x`)
  const headers = { ...SECRETS, 'user-agent': 'agent ${env:KEY}' }
  expect(dataOf(await http.call({ url: first.origin, headers }))).toBe('second')
  expect(first.seen[0]!.headers).toMatchObject({ authorization: 'Bearer a', cookie: 'b=c', 'x-key': 'the-key-1234' })
  const { headers: arrived } = second.seen[0]!
  expect(arrived).toMatchObject({ accept: 'text/x', 'user-agent': 'skillwright' })
  for (const name of ['authorization', 'cookie', 'x-key', 'x-own']) expect(arrived[name]).toBeUndefined()
})

test('secrets do not come back when the way leads back to the first origin', async () => {
  const second = await serve((_, response) => response.writeHead(302, { location: `${first.origin}/back` }).end())
  const first = await serve(({ url }, response) =>
    url === '/' ? response.writeHead(302, { location: second.origin }).end() : response.end('back'),
  )
  const http = makeHttp({ allowPrivate: [first.host, second.host] })
  expect(dataOf(await http.call({ url: first.origin, headers: { authorization: 'Bearer a' } }))).toBe('back')
  expect(first.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', undefined])
})

test('the same origin gets everything again', async () => {
  const { first, http } = await twoOrigins(307, from => `${from}/x?y=1`)
  const body = { as: 'json', template: { a: 1 } } as const
  expect(dataOf(await http.call({ method: 'POST', url: first.origin, headers: SECRETS, body }))).toBe('first')
  const summary = ({ method, url, headers, body }: Seen) => [method, url, headers.authorization, String(body)]
  expect(first.seen.map(summary)).toEqual([
    ['POST', '/', 'Bearer a', '{"a":1}'],
    ['POST', '/x?y=1', 'Bearer a', '{"a":1}'],
  ])
})

test.each([307, 308])('status %d does not carry a body to another origin', async status => {
  const { first, second, http } = await twoOrigins(status, (_, to) => to)
  const error = errorOf(await http.call({ method: 'POST', url: first.origin }, { secret: 'x' }))
  expect(error).toMatchObject({
    code: 'HTTP_FAILED',
    message: expect.stringContaining(second.origin),
    again: undefined,
  })
  expect(second.connections()).toBe(0)
})

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [302, 'PUT', 'PUT'],
  [307, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
])('status %d turns %s into %s', async (status, method, becomes) => {
  const { first, http } = await twoOrigins(status, from => `${from}/x`)
  dataOf(await http.call({ method, url: first.origin }, { a: 1 }))
  const last = first.seen[1]!
  const hasBody = becomes !== 'GET'
  expect([last.method, String(last.body), last.headers['content-type']]).toEqual([
    becomes,
    hasBody ? '{"a":1}' : '',
    hasBody ? 'application/json' : undefined,
  ])
})

test('a circle of redirects ends', async () => {
  const server = await serve((_, response) => response.writeHead(302, { location: '/' }).end())
  const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })
  expect(errorOf(outcome)).toMatchObject({ code: 'HTTP_FAILED', message: expect.stringContaining('more than 5 times') })
  expect(server.seen).toHaveLength(6)
  expect(server.connections()).toBeLessThanOrEqual(2)
})
