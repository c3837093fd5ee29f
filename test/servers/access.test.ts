import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAccess } from '../../src/servers/access.ts'
import { createRateLimit } from '../../src/servers/rate-limit.ts'
import { serve } from '../../src/servers/serve.ts'
import { runtimeOf } from '../support/catalogue.ts'
import { makeFolder } from '../support/folders.ts'
import { credentials, dial } from './grpc-client.ts'
import { CALLERS, connect, start, TOKENS } from './support.ts'

test('nothing listens wider than loopback without tokens', async () => {
  const runtime = await runtimeOf([])
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.com'])
    await expect(serve(runtime, { host })).rejects.toThrow(/needs tokens/)
  const { origin } = await start(runtime, { host: '0.0.0.0', tokens: CALLERS })
  const local = origin.replace('0.0.0.0', '127.0.0.1')
  expect((await fetch(`${local}/v1/tools`)).status).toBe(401)
  expect((await fetch(`${local}/v1/tools`, { headers: { authorization: `Bearer ${TOKENS.bob}` } })).status).toBe(200)
})

test('tokens that cannot be meant are refused at the start', () => {
  const wrong = (token: object) => () =>
    createAccess({ tokens: [token as never] }, { SHORT: 'abc', GOOD: 'x'.repeat(16) })
  expect(wrong({ id: 'a' })).toThrow('either token_env or token_sha256')
  expect(wrong({ id: 'a', tokenEnv: 'GOOD', tokenSha256: '0'.repeat(64) })).toThrow('either')
  expect(wrong({ id: 'a', tokenEnv: 'SHORT' })).toThrow('at least 16 characters')
  expect(wrong({ id: 'a', tokenEnv: 'UNSET' })).toThrow('UNSET')
  expect(wrong({ id: 'a', tokenSha256: 'secret' })).toThrow('no SHA-256')
  expect(wrong({ id: 'a', tokenSha256: createHash('sha256').digest('hex') })).toThrow('digest of nothing')
  const twice = [
    { id: 'a', tokenEnv: 'GOOD' },
    { id: 'b', roles: ['admin'], tokenEnv: 'GOOD' },
  ]
  expect(() => createAccess({ tokens: twice }, { GOOD: 'x'.repeat(16) })).toThrow('a and b have the same token')
  expect(wrong({ id: '', tokenEnv: 'GOOD' })).toThrow('id')
  expect(wrong({ id: 'a', tokenEnv: 'GOOD' })).not.toThrow()
})

test('with tokens every surface wants one; health alone does not', async () => {
  const { origin, addresses } = await start(await runtimeOf([]), { tokens: CALLERS })
  for (const path of ['/v1/tools', '/openapi.json', '/mcp', '/v1/events', '/nothing']) {
    const none = await fetch(`${origin}${path}`)
    expect([path, none.status]).toEqual([path, 401])
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="skillwright"')
    expect(await none.json()).toMatchObject({ code: 'TOKEN_REQUIRED' })
    const wrong = await fetch(`${origin}${path}`, { headers: { authorization: 'Bearer nonsense-nonsense' } })
    expect([path, wrong.status]).toEqual([path, 401])
  }
  expect((await fetch(`${origin}/health`)).status).toBe(200)
  await expect(dial(addresses.grpc!)).rejects.toMatchObject({ code: 16 })
})

test('without tokens the caller is the local one, with the roles that it was given', async () => {
  const tool = { name: 'secret', description: 'For teachers.', roles: ['teacher'], run: () => 'told' }
  const runtime = await runtimeOf([tool])
  const stranger = await connect((await start(runtime)).origin)
  expect((await stranger('GET', '/v1/tools/secret')).status).toBe(404)
  const localCaller = { id: 'me', roles: ['teacher'] }
  const me = await connect((await start(await runtimeOf([tool]), { localCaller })).origin)
  expect((await me('POST', '/v1/tools/secret/call')).body).toMatchObject({ ok: true, data: 'told' })
})

test('names that are bent to loopback, and pages of others, are refused; configured ones are not', async () => {
  const access = createAccess({ allowedHosts: ['tools.example.com'], allowedOrigins: ['https://app.example.com'] })
  const code = (host: string | undefined, origin?: string) => access.refusal({ host, origin })?.code
  for (const host of ['localhost', 'localhost:80', '127.0.0.1:4747', '[::1]:4747', 'LOCALHOST', 'tools.example.com:1'])
    expect([host, code(host)]).toEqual([host, undefined])
  for (const host of [
    'evil.com',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'evil.com@localhost',
    '',
    undefined,
    '10.0.0.1',
  ])
    expect([host, code(host)]).toEqual([host, 'HOST_REFUSED'])
  const own = 'localhost:4747'
  for (const origin of ['http://localhost:4747', 'https://app.example.com'])
    expect([origin, code(own, origin)]).toEqual([origin, undefined])
  for (const origin of [
    'http://evil.com',
    'null',
    'http://localhost:3000',
    'file://',
    'https://app.example.com.evil.com',
  ])
    expect([origin, code(own, origin)]).toEqual([origin, 'ORIGIN_REFUSED'])
})

test('where others can reach it, an address is a good name too', () => {
  const access = createAccess({ host: '0.0.0.0', tokens: CALLERS })
  expect(access.refusal({ host: '10.0.0.1:4747', origin: undefined })).toBeUndefined()
  expect(access.refusal({ host: 'evil.com', origin: undefined })?.code).toBe('HOST_REFUSED')
})

test('it goes by the name that it was told to listen on', () => {
  const refusalAt = (host: string, name: string) =>
    createAccess({ host, tokens: CALLERS }).refusal({ host: name, origin: undefined })
  expect(refusalAt('127.0.0.2', '127.0.0.2:4747')).toBeUndefined()
  expect(refusalAt('tools.lan', 'tools.lan:4747')).toBeUndefined()
  expect(refusalAt('fd00::2', '[fd00::2]:4747')).toBeUndefined()
  expect(refusalAt('tools.lan', 'other.lan:4747')?.code).toBe('HOST_REFUSED')
})

test('a page of an allowed origin may ask and read, others may not', async () => {
  const { origin } = await start(await runtimeOf([]), { allowedOrigins: ['https://app.example.com'] })
  const preflight = await fetch(`${origin}/v1/list`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com' },
  })
  expect(preflight.status).toBe(204)
  const asked = await fetch(`${origin}/v1/list`, { method: 'POST', headers: { origin: 'https://app.example.com' } })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.com'])
  const foreign = await fetch(`${origin}/v1/list`, { method: 'POST', headers: { origin: 'https://evil.com' } })
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
})

test('who asks too fast is told when to go on, and others are not disturbed', async () => {
  let now = 0
  const limit = createRateLimit({ perSecond: 2, burst: 3 }, () => now)
  expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 0])
  expect(limit.take('a')).toBe(0.5)
  expect(limit.take('b')).toBe(0)
  now = 500
  expect(limit.take('a')).toBe(0)
  const { origin } = await start(await runtimeOf([]), { tokens: CALLERS, rateLimit: { perSecond: 0.1, burst: 2 } })
  const ask = (token: string) => fetch(`${origin}/v1/tools`, { headers: { authorization: `Bearer ${token}` } })
  expect([(await ask(TOKENS.ada)).status, (await ask(TOKENS.ada)).status]).toEqual([200, 200])
  const third = await ask(TOKENS.ada)
  expect([third.status, Number(third.headers.get('retry-after'))]).toEqual([429, expect.closeTo(10, -1)])
  expect((await ask(TOKENS.bob)).status).toBe(200)
})

test('TLS files serve HTTPS and gRPC', async () => {
  const folder = makeFolder()
  const [tlsKey, tlsCert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const files = ['-keyout', tlsKey, '-out', tlsCert]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files], {
    stdio: 'ignore',
  })
  const { addresses, origin } = await start(await runtimeOf([]), { tlsCert, tlsKey })
  expect(origin).toMatch(/^https:/)
  const ca = readFileSync(tlsCert)
  const status = await new Promise((resolve, reject) => {
    httpsRequest(`${origin}/health`, { ca }, response => resolve(response.statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)
  const peer = await dial(addresses.grpc!, { secure: credentials.createSsl(ca) })
  expect(await peer.ask('Definitions')).toEqual({ tools: expect.any(Array) })
  await expect(serve(await runtimeOf([]), { tlsCert })).rejects.toThrow('both')
  await expect(serve(await runtimeOf([]), { tlsCert, tlsKey: tlsCert })).rejects.toThrow(
    'not a certificate and its key',
  )
})
