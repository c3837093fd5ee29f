// The proxy itself, on its real socket, with clients that behave and clients that do not.
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createProxies, refusedHints } from '../../src/network/proxies.ts'
import type { ProxyLimits } from '../../src/network/proxy.ts'
import { serve } from '../support/server.ts'

type Setup = {
  readonly grants: readonly string[]
  readonly allowPrivate?: readonly string[]
  readonly resolve?: (name: string) => Promise<readonly string[]>
  readonly limits?: Partial<ProxyLimits>
}

async function open({ grants, ...options }: Setup) {
  const proxies = createProxies(options)
  onTestFinished(() => proxies.close())
  const proxy = await proxies.open(grants)
  return { ...proxy, proxies, send: (text: string) => talk(proxy.socket, text) }
}

/** Sends this and gives all that comes back until the connection ends. */
function talk(socket: string, text: string): Promise<string> {
  return new Promise(resolve => {
    const client = connect(socket, () => client.write(text))
    let said = ''
    client.on('data', data => {
      said += data
    })
    client.on('error', () => {})
    client.on('close', () => resolve(said))
  })
}

const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: other.example\r\n${more}\r\n`

test('a granted host is reached by request and by tunnel, with headers for it alone', async () => {
  const { host, received } = await serve((request, response) => response.end(`hello ${request.url}`))
  const { send, refused } = await open({ grants: [host], allowPrivate: [host] })
  const answer = await send(
    get(`http://${host}/a?b=c`, 'Proxy-Authorization: x\r\nConnection: x-mine, close\r\nX-Mine: 1\r\nX-Theirs: 2\r\n'),
  )
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(answer).toContain('hello /a?b=c')
  expect(received[0]?.headers).toEqual({ host, connection: 'close', 'x-theirs': '2' })

  const tunnelled = await send(
    `CONNECT ${host} HTTP/1.1\r\n\r\nGET /inside HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
  expect(tunnelled).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK/)
  expect(tunnelled).toContain('hello /inside')
  expect(refused()).toEqual([])
})

test('bodies pass whole, chunked or counted', async () => {
  const { host, received } = await serve((_, response) => response.end('ok'))
  const { send } = await open({ grants: [host], allowPrivate: [host] })
  await send(`POST http://${host}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody`)
  await send(
    `PUT http://${host}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
  )
  await send(`POST http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
  expect(received.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST body', 'PUT abcde', 'POST '])
})

test('what is not granted is refused in one line that says what is', async () => {
  const { host } = await serve((_, response) => response.end('never'))
  const [, port] = host.split(':')
  const { send, refused } = await open({
    grants: [`granted.test:${port}`, 'api.example.com', '*.example.org'],
    allowPrivate: [host],
  })
  const all = [
    `127.0.0.1:${port}`,
    'api.example.com:22',
    'example.org:443',
    'evil-example.org:443',
    'x.example.com:443',
    '[::1]:80',
  ]
  for (const target of all) {
    const why = `network: host ${target} is not granted to this tool; granted: granted.test:${port}, api.example.com, *.example.org`
    const answer = await send(`CONNECT ${target} HTTP/1.1\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
    expect(answer.split('\r\n\r\n')[1]).toBe(`${why}\n`)
    expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 403 ${why}`)
    expect(await send(get(`http://${target}/`))).toMatch(/^HTTP\/1.1 403 /)
  }
  expect(refused()).toEqual(
    [...all.slice(0, 5), '[::1]:80', '[::1]:80'].filter((one, i, list) => list.indexOf(one) === i),
  )
  expect(refusedHints(refused())[0]).toContain('add "127.0.0.1:')
})

test('a granted name that leads to a private address is refused unless that is allowed too, however it is written', async () => {
  const { host } = await serve((_, response) => response.end('inside'))
  const [, port] = host.split(':')
  const grants = [`inside.test:${port}`, `localhost:${port}`, `127.0.0.1:${port}`, `[::ffff:127.0.0.1]:${port}`]
  const resolve = async () => ['127.0.0.1']
  const guarded = await open({ grants, resolve })
  for (const name of [
    'inside.test',
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::ffff:7f00:1]',
    'INSIDE.test.',
  ])
    expect(await guarded.send(`CONNECT ${name}:${port} HTTP/1.1\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 403 .*not public|^HTTP\/1.1 403 .*not granted/,
    )
  expect(guarded.refused().length).toBeGreaterThan(0)
  const allowed = await open({ grants, resolve, allowPrivate: [`inside.test:${port}`] })
  expect(await allowed.send(get(`http://inside.test:${port}/`))).toContain('inside')
  expect(await allowed.send(get(`http://127.0.0.1:${port}/`))).toMatch(/^HTTP\/1.1 403 /)
})

test('a name is looked up once, and what was checked is what is dialled', async () => {
  const { host } = await serve((_, response) => response.end('private'))
  const [, port] = host.split(':')
  let lookups = 0
  const resolve = async () => (lookups++ === 0 ? ['203.0.113.1', '127.0.0.1'] : ['127.0.0.1'])
  const { send } = await open({ grants: [`rebind.test:${port}`], resolve })
  expect(await send(`CONNECT rebind.test:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /)
  expect(lookups).toBe(1)
})

test.each([
  ['a request for itself', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an encrypted address', get('https://127.0.0.1/')],
  ['another protocol', get('ftp://127.0.0.1/')],
  ['a password', get('http://a:b@HOST/')],
  ['a tunnel without a port', 'CONNECT HOSTNAME HTTP/1.1\r\n\r\n'],
  ['a tunnel with a path', 'CONNECT HOST/x HTTP/1.1\r\n\r\n'],
  ['a tunnel with a user', 'CONNECT a@HOST HTTP/1.1\r\n\r\n'],
  ['port 0', 'CONNECT HOSTNAME:0 HTTP/1.1\r\n\r\n'],
  ['port 99999', 'CONNECT HOSTNAME:99999 HTTP/1.1\r\n\r\n'],
  ['two lengths', 'POST http://HOST/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST http://HOST/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['odd chunks', 'POST http://HOST/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'GET http://HOST/ HTTP/1.1\r\nHost: x\r\nA: b\r\n c: d\r\n\r\n'],
  ['a bare line feed', 'GET http://HOST/ HTTP/1.1\nHost: x\nX: y\n\n'],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a head without end', `GET http://HOST/ HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
])('%s reaches nobody', async (_, text) => {
  const { host, received } = await serve((_, response) => response.end('reached'))
  const { send } = await open({ grants: [host], allowPrivate: [host] })
  const said = await send(text.replaceAll('HOSTNAME', '127.0.0.1').replaceAll('HOST', host))
  expect(said).not.toContain('reached')
  expect(received).toEqual([])
  expect(await send(get(`http://${host}/`))).toContain('reached')
})

test('nothing rides along behind a request', async () => {
  const { host, received } = await serve((_, response) => response.end('ok'))
  const { send } = await open({ grants: [host], allowPrivate: [host] })
  const second = 'GET /second HTTP/1.1\r\nHost: virtual.host\r\n\r\n'
  await send(get(`http://${host}/first`) + second)
  await send(
    `GET http://${host}/body HTTP/1.1\r\nHost: x\r\nConnection: content-length\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
  )
  expect(received.map(({ url, headers }) => [url, headers.host])).toEqual([
    ['/first', host],
    ['/body', host],
  ])
  expect(received[1]?.body).toBe(second)
})

test('a request that would like another protocol is passed on without that wish', async () => {
  const { host, received } = await serve((_, response) => response.end('plain'))
  const { send } = await open({ grants: [host], allowPrivate: [host] })
  const wish = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  expect(await send(get(`http://${host}/`, wish))).toContain('plain')
  expect(received[0]?.headers).toEqual({ host, connection: 'close' })
})

test('a server that changes to another protocol unasked is an answer of the proxy', async () => {
  const eager = createTcpServer(socket => {
    socket.on('error', () => {}).write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nraw')
  })
  await new Promise<void>(resolve => eager.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void eager.close())
  const host = `127.0.0.1:${(eager.address() as AddressInfo).port}`
  const { send } = await open({ grants: [host], allowPrivate: [host], limits: { idleMs: 2000 } })
  expect(await send(get(`http://${host}/`))).toMatch(/^HTTP\/1.1 502 network: The server changed to another protocol/)
})

test('a server that does not speak HTTP, or goes away, is an answer of the proxy', async () => {
  const rude = createTcpServer(socket => socket.end('\x00\x01nonsense\r\n\r\n'))
  await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void rude.close())
  const host = `127.0.0.1:${(rude.address() as AddressInfo).port}`
  const { send } = await open({ grants: [host, '127.0.0.1:1'], allowPrivate: ['127.0.0.1'] })
  expect(await send(get(`http://${host}/`))).toMatch(/^HTTP\/1.1 502 network: /)
  expect(await send('CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1.1 502 network: 127.0.0.1:1: Nothing listens/,
  )
})

test('clients that are slow, silent or many are dropped, and the others served', async () => {
  const { host } = await serve((_, response) => response.end('served'))
  const { send, socket } = await open({
    grants: [host],
    allowPrivate: [host],
    limits: { headersMs: 200, idleMs: 300, connections: 5 },
  })
  const ended = (client: Socket) => new Promise(resolve => client.on('close', resolve).on('error', () => {}))
  const slow = connect(socket, () => slow.write('GET http://'))
  const drip = setInterval(() => slow.write('x'), 50)
  onTestFinished(() => clearInterval(drip))
  const silent = connect(socket, () => silent.write(`CONNECT ${host} HTTP/1.1\r\n\r\n`))
  silent.resume()
  await Promise.all([ended(slow), ended(silent)])
  const many = Array.from({ length: 40 }, () => connect(socket).on('error', () => {}))
  await Promise.all(many.map(ended))
  expect(await send(get(`http://${host}/`))).toContain('served')
})

test('a tunnel ends with its proxy, and the folder of the sockets is private and goes', async () => {
  const { host } = await serve((_, response) => response.write('begun'))
  const { socket, close, proxies } = await open({ grants: [host], allowPrivate: [host] })
  const folder = dirname(socket)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(socket.length).toBeLessThan(104)
  const client = connect(socket, () => client.write(get(`http://${host}/`)))
  await new Promise(resolve => client.once('data', resolve))
  const gone = new Promise(resolve => client.on('close', resolve).on('error', () => {}))
  await close()
  await gone
  await proxies.close()
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined()
})

test('a large answer is carried with a slow reader, without gathering in memory', async () => {
  const big = createServer((_, response) => {
    const send = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
      response.once('drain', send)
    }
    send()
  })
  await new Promise<void>(resolve => big.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    big.closeAllConnections()
    big.close()
  })
  const host = `127.0.0.1:${(big.address() as AddressInfo).port}`
  const { socket } = await open({ grants: [host], allowPrivate: [host] })
  const client = connect(socket, () => client.write(get(`http://${host}/`)))
  client.pause()
  const before = process.memoryUsage().rss
  await sleep(700)
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  client.destroy()
})

test.each(['', '*', 'a b', 'http://x', 'x:0', 'x:70000', '*.', '*x.com', 'a/b'])('%j is no grant', async grant => {
  await expect(open({ grants: [grant] })).rejects.toThrow(TypeError)
})
