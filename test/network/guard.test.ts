// What must not be reached is not even dialled: real listeners count connections.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDeadline } from '../../src/network/deadline.ts'
import { createHttpClient } from '../../src/network/http-client.ts'
import { makeFolder } from '../support/folders.ts'
import { answer, dataOf, errorOf, json, makeHttp, serve } from '../support/http.ts'

describe('loopback is refused in every spelling, and no connection is made', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '%31%32%37.0.0.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
  ])('%s', async host => {
    const server = await serve(json('reached'))
    const outcome = await makeHttp().call({ url: `http://${host}:${server.port}/` })
    expect(errorOf(outcome)).toMatchObject({ code: 'ADDRESS_REFUSED', again: undefined })
    expect(server.connections()).toBe(0)
  })
})

test('a name is refused when one of its addresses is loopback', async () => {
  const server = await serve(json('reached'))
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return ['127.0.0.1', '93.184.216.34']
  }
  const outcome = await makeHttp({ resolve }).call({ url: `http://rebind.example:${server.port}/` })
  expect(errorOf(outcome)).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.not.stringContaining('127.0.0.1') })
  expect(asked).toEqual(['rebind.example'])
  expect(server.connections()).toBe(0)
})

test('a name is looked up once for a connection: the checked address is the one that is dialled', async () => {
  const server = await serve(json('reached'))
  let asked = 0
  const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['192.0.2.1'])
  const http = makeHttp({ resolve, allowPrivate: ['inside.example'] })
  expect(dataOf(await http.call({ url: `http://inside.example:${server.port}/` }))).toBe('reached')
  expect([asked, server.seen[0]!.headers.host]).toEqual([1, `inside.example:${server.port}`])
})

test('a redirect from an allowed port to another one of loopback is refused', async () => {
  const inner = await serve(json('reached'))
  const outer = await serve(answer('', { location: `${inner.origin}/admin` }, 302))
  const outcome = await makeHttp({ allowPrivate: [outer.host] }).call({ url: outer.origin })
  expect(errorOf(outcome).code).toBe('ADDRESS_REFUSED')
  expect([outer.connections(), inner.connections()]).toEqual([1, 0])
})

test.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'http://user:secret@example.com/', 'javascript:1', 'data:,x'])(
  'a redirect to %s is refused',
  async location => {
    const server = await serve(answer('', { location }, 302))
    const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })
    expect(errorOf(outcome).code).toBe('ADDRESS_REFUSED')
  },
)

test('a URL with another protocol or with a password is refused', async () => {
  const server = await serve(json('reached'))
  const http = makeHttp({ allowPrivate: [server.host] })
  for (const url of [`ftp://${server.host}`, 'file:///etc/passwd', `http://me:pw@${server.host}`])
    expect(errorOf(await http.call({ url })).code).toBe('ADDRESS_REFUSED')
  expect(server.connections()).toBe(0)
})

test('what is allowed is allowed for its port, in any spelling, and for nothing else', async () => {
  const [one, two] = [await serve(json(1)), await serve(json(2))]
  const http = makeHttp({ allowPrivate: [`0x7f.1:${one.port}`] })
  expect(dataOf(await http.call({ url: one.origin }))).toBe(1)
  expect(dataOf(await http.call({ url: `http://2130706433:${one.port}` }))).toBe(1)
  expect(errorOf(await http.call({ url: two.origin })).code).toBe('ADDRESS_REFUSED')
  expect(errorOf(await http.call({ url: `http://localhost:${one.port}` })).code).toBe('ADDRESS_REFUSED')
  expect(two.connections()).toBe(0)
})

test.each(['', 'http://127.0.0.1', '127.0.0.1/8', 'a b', 'x:y', '[::1', 'u@h'])(
  'allowPrivate: %j is no host',
  entry => {
    expect(() => createHttpClient({ allowPrivate: [entry] })).toThrow(TypeError)
  },
)

test('TLS: the name is sent and its certificate must hold', async () => {
  const folder = makeFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=inside.example', '-days', '1', '-keyout', key, '-out', cert]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject],
    {
      stdio: 'ignore',
    },
  )
  const names: string[] = []
  const server = await serve(json('reached'), listener =>
    createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener).on('secureConnection', socket =>
      names.push(String((socket as { servername?: string }).servername)),
    ),
  )
  const http = makeHttp({ resolve: async () => ['127.0.0.1'], allowPrivate: ['inside.example'] })
  const spec = { url: `https://inside.example:${server.port}/` }
  expect(errorOf(await http.call(spec))).toMatchObject({ code: 'HTTP_FAILED', again: undefined })
  expect(server.seen).toEqual([])

  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  expect(dataOf(await http.call(spec))).toBe('reached')
  expect(names).toContain('inside.example')
})

test('closing gives up connections that are being made', async () => {
  // A server that accepts and says nothing: the TLS handshake never ends.
  const silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  const client = createHttpClient({ allowPrivate: ['127.0.0.1'] })
  const url = new URL(`https://127.0.0.1:${port}`)
  const deadline = createDeadline(5000, new AbortController().signal)
  onTestFinished(deadline.dispose)
  const sent = client.send({ method: 'GET', url, headers: {}, deadline })
  const rejected = expect(sent).rejects.toThrow()
  await new Promise(resolve => silent.once('connection', resolve))
  await client.close()
  await rejected
})
