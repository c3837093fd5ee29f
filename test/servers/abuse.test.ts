// Clients that mean no good: each gets a clear answer or none, and the server goes on.
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runtimeOf } from '../support/catalogue.ts'
import { dial, failure } from './grpc-client.ts'
import { connect, start } from './support.ts'

const ECHO = {
  name: 'echo',
  description: 'Gives back what it gets.',
  inputSchema: { type: 'object' },
  run: (args: object) => ({ ...args }) as never,
}

async function open(origin: string): Promise<Socket> {
  const { port } = new URL(origin)
  const socket = connectSocket(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('a body of 100 MB is refused before it is read, with or without a length', async () => {
  const { origin } = await start(await runtimeOf([ECHO]))
  const before = process.memoryUsage().rss
  const announced = await open(origin)
  announced.write('POST /v1/tools/echo/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n')
  expect(String((await once(announced, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 [\s\S]*REQUEST_TOO_LARGE/)

  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536
      if (sent > 100 * 1024 * 1024) controller.close()
      else controller.enqueue(new Uint8Array(65_536).fill(32))
    },
  })
  const options = { method: 'POST', body: endless, duplex: 'half' } as RequestInit
  const answer = await fetch(`${origin}/v1/tools/echo/call`, options).catch(error => error as Error)
  // The connection may be cut while it still sends; an answer that comes through says why.
  if (answer instanceof Response) expect(answer.status).toBe(413)
  expect(sent).toBeLessThan(50 * 1024 * 1024)
  expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024)
  const api = await connect(origin)
  expect((await api('POST', '/v1/tools/echo/call', { args: { a: 1 } })).body).toMatchObject({ data: { a: 1 } })
})

test('who sends headers or a body too slowly is cut off', async () => {
  const { origin } = await start(await runtimeOf([ECHO]), { headersTimeoutMs: 600, requestTimeoutMs: 1200 })
  const headers = await open(origin)
  headers.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  const body = await open(origin)
  body.write('POST /v1/tools/echo/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"args"')
  const drip = setInterval(() => {
    headers.write('a')
    body.write(' ')
  }, 100)
  onTestFinished(() => clearInterval(drip))
  const answers = await Promise.all([headers, body].map(textUntilClosed))
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408/)
  expect((await fetch(`${origin}/health`)).status).toBe(200)
})

test('1,000 open connections leave the server answering, its memory flat, and go away by themselves', async () => {
  const { origin } = await start(await runtimeOf([ECHO]), { headersTimeoutMs: 4000 })
  const api = await connect(origin)
  await api('POST', '/v1/tools/echo/call')
  const before = process.memoryUsage().heapUsed
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => open(origin)))
  // Whoever does not read never learns that the other end has gone.
  for (const socket of sockets) socket.resume().write('GET /health HTTP/1.1\r\nHost: local')
  expect((await api('POST', '/v1/tools/echo/call', { args: { a: 1 } })).body).toMatchObject({ ok: true })
  // Both ends of all connections are in this process.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024)
  await expect.poll(() => sockets.filter(socket => !socket.closed).length, { timeout: 15_000 }).toBe(0)
})

test('connections beyond the limit are closed at once', async () => {
  const { origin } = await start(await runtimeOf([]), { maxConnections: 5 })
  const sockets = await Promise.all(Array.from({ length: 8 }, () => open(origin)))
  await expect.poll(() => sockets.filter(socket => socket.closed || socket.readableEnded).length).toBe(3)
})

test('what is no HTTP, no JSON or no protobuf gets a clear answer', async () => {
  const { origin, addresses } = await start(await runtimeOf([ECHO]))
  const noise = await open(origin)
  noise.write('\x16\x03\x01 nonsense\r\n\r\n')
  expect(await textUntilClosed(noise)).toMatch(/^HTTP\/1\.1 400/)
  const twisted = await open(origin)
  twisted.write('GET /health HTTP/1.1\r\nHost: localhost\\evil\r\nConnection: close\r\n\r\n')
  expect(await textUntilClosed(twisted)).toMatch(/^HTTP\/1\.1 4\d\d/)
  const api = await connect(origin)
  for (const body of ['{', '[1,2', 'nonsense', '\0'])
    expect((await api('POST', '/v1/tools/echo/call', body)).body).toMatchObject({ code: 'MALFORMED_REQUEST' })
  for (const body of ['[]', '7', '{"args": 7}', '{"arguments": {}}'])
    expect((await api('POST', '/v1/tools/echo/call', body)).body).toMatchObject({ code: 'INVALID_ARGS' })
  const mcp = await fetch(`${origin}/mcp`, {
    method: 'POST',
    body: '{"jsonrpc": "2.0", "id": 1, "method": ',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  })
  expect([mcp.status, await mcp.json()]).toMatchObject([400, { error: { code: -32700 } }])

  const peer = await dial(addresses.grpc!)
  const raw = (path: string, bytes: Buffer) =>
    failure(
      new Promise((resolve, reject) => {
        const same = (value: Buffer) => value
        peer.client.makeUnaryRequest(path, same, same, bytes, (error, answer) =>
          error ? reject(error) : resolve(answer),
        )
      }),
    )
  const broken = await raw('/skillwright.v1.Skillwright/UseSkill', Buffer.alloc(11, 0xff))
  expect(broken.code).toBe(13)
  expect((await raw('/skillwright.v1.Skillwright/Nothing', Buffer.alloc(0))).code).toBe(12)
  expect((await raw('/skillwright.v1.Skillwright/UseSkill', Buffer.alloc(2 * 1024 * 1024))).code).toBe(8)
  expect(await peer.ask('Definitions')).toMatchObject({ tools: [{ name: 'echo' }] })
})

async function textUntilClosed(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', piece => {
    text += String(piece)
  })
  await once(socket, 'close')
  return text
}
