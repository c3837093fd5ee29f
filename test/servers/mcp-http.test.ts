// The HTTP surface at the level of requests: sessions of older clients, and what is no MCP at all.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { McpHandlerOptions } from '../../src/servers/mcp.ts'
import { until } from '../mcp/support.ts'
import { runtimeOf } from '../support/catalogue.ts'
import { connectHttp, type Mounted, mount } from './mcp-support.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

const start = async (options: McpHandlerOptions = {}) => mount(await runtimeOf([]), options)

function send({ url }: Mounted, body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

async function open(mounted: Mounted, as = ''): Promise<string> {
  const response = await send(mounted, INITIALIZE, { 'x-caller': as })
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

const listed = async (mounted: Mounted, id: string, as = '') => {
  const response = await send(mounted, LIST, { 'mcp-session-id': id, 'x-caller': as })
  await response.text()
  return response.status
}

describe('a session of an older client', () => {
  test('belongs to its caller alone', async () => {
    const mounted = await start()
    const id = await open(mounted, 'ada')
    expect(await listed(mounted, id, 'ada')).toBe(200)
    expect(await listed(mounted, id, 'bob')).toBe(404)
    expect(await listed(mounted, id)).toBe(404)
    expect((await send(mounted, undefined, { 'mcp-session-id': id, 'x-caller': 'bob' }, 'DELETE')).status).toBe(404)
    expect(await listed(mounted, id, 'ada')).toBe(200)
  })

  test('ends when it is deleted', async () => {
    const mounted = await start()
    const id = await open(mounted)
    expect((await send(mounted, undefined, { 'mcp-session-id': id }, 'DELETE')).status).toBe(200)
    expect(await listed(mounted, id)).toBe(404)
  })

  test('is forgotten when nobody uses it, but not while a client listens', async () => {
    const mounted = await start({ sessionTtlMs: 150 })
    const [idle, listening] = [await open(mounted), await open(mounted)]
    const gone = new AbortController()
    const stream = await fetch(mounted.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': listening },
      signal: gone.signal,
    })
    expect(stream.status).toBe(200)
    await sleep(400)
    expect(await listed(mounted, idle)).toBe(404)
    expect(await listed(mounted, listening)).toBe(200)
    gone.abort()
    await sleep(400)
    expect(await listed(mounted, listening)).toBe(404)
  })

  test('makes room for a newer one of the same caller when there are too many', async () => {
    const mounted = await start({ maxSessionsPerCaller: 2 })
    const other = await open(mounted, 'bob')
    const [first, second] = [await open(mounted, 'ada'), await open(mounted, 'ada')]
    expect(await listed(mounted, first, 'ada')).toBe(200)
    const third = await open(mounted, 'ada')
    expect(await listed(mounted, second, 'ada')).toBe(404)
    for (const id of [first, third]) expect(await listed(mounted, id, 'ada')).toBe(200)
    expect(await listed(mounted, other, 'bob')).toBe(200)
  })

  test('is refused with a time to come back when the runtime has no room', async () => {
    const mounted = await mount(await runtimeOf([], { maxSessions: 1 }))
    await open(mounted, 'ada')
    const refused = await send(mounted, INITIALIZE, { 'x-caller': 'bob' })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('60')
  })

  test('ends with its running calls when the server closes', async () => {
    let ended = false
    const wait = {
      name: 'wait',
      description: 'Waits.',
      run: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<null>(resolve => {
          signal.addEventListener('abort', () => {
            ended = true
            resolve(null)
          })
        }),
    }
    const mounted = await mount(await runtimeOf([wait as never]), { mode: 'flat' })
    const client = await connectHttp('2025-11-25', mounted)
    const call = client.callTool({ name: 'wait' }).catch(() => 'over')
    await sleep(100)
    await mounted.handler.close()
    await until(() => ended)
    await client.close()
    expect(await call).toBe('over')
    expect((await send(mounted, INITIALIZE)).status).toBe(503)
  })
})

describe('what is no MCP', () => {
  test.each([
    ['broken JSON', '{"jsonrpc":', {}, 400, -32700],
    ['nothing', '', {}, 400, -32700],
    ['another kind of content', 'hello', { 'content-type': 'text/plain' }, 415, -32000],
    ['a request before any session', LIST, {}, 400, -32000],
    ['a session that never was', LIST, { 'mcp-session-id': 'x' }, 404, -32001],
    ['no JSON-RPC', { hello: 1 }, {}, 400, undefined],
    ['a list of nonsense', [1, 2], {}, 400, undefined],
    ['null', 'null', {}, 400, undefined],
    [
      'a protocol that is unknown',
      { ...LIST, params: { _meta: { ...MODERN, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } } },
      { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
      400,
      -32022,
    ],
    [
      'a method that is unknown',
      { ...LIST, method: 'tools/paint', params: { _meta: MODERN } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/paint' },
      404,
      -32601,
    ],
    [
      'a header that says something else',
      { ...LIST, params: { _meta: MODERN } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      400,
      -32020,
    ],
    ['4 MB too much', `"${'x'.repeat(5 * 1024 * 1024)}"`, {}, 413, -32000],
  ])('%s gets a clear answer', async (_, body, headers, status, code) => {
    const mounted = await start()
    const response = await send(mounted, body, headers as Record<string, string>)
    const answer = (await response.json()) as { error: { code: number; message: string } }
    expect({ status: response.status, answer }).toMatchObject({
      status,
      answer: { error: { message: expect.any(String) } },
    })
    if (code !== undefined) expect(answer.error.code).toBe(code)
    // And the server lives.
    expect(await listed(mounted, await open(mounted))).toBe(200)
  })

  test('an unknown method within a session is an error of its own', async () => {
    const mounted = await start()
    const id = await open(mounted)
    const response = await send(mounted, { ...LIST, method: 'tools/paint' }, { 'mcp-session-id': id })
    expect(await response.text()).toContain('-32601')
  })

  test.each(['PUT', 'PATCH'])('%s is not allowed', async method => {
    const response = await send(await start(), {}, {}, method)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })
})
