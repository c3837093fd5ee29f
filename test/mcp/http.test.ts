// Servers on loopback, in the protocols of 2026, 2025 and 2024.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpServer, ToolResult } from '../../src/index.ts'
import { listen, makeLog, runtimeOn, until } from './support.ts'

const dataOf = (result: ToolResult) => (result.ok ? result.data : result.error)

test('Streamable HTTP of 2026-07-28: tools, calls, progress, headers', async () => {
  process.env['SKILLWRIGHT_TEST_TOKEN'] = 'canary-0815'
  const log = makeLog()
  const { url } = await listen('everything', ['0'], { LOG: log.path })
  const runtime = await runtimeOn({ web: { url, headers: { Authorization: 'Bearer ${SKILLWRIGHT_TEST_TOKEN}' } } })
  const updates: unknown[] = []
  expect(dataOf(await runtime.call({ toolId: 'web.add', args: { a: 2, b: 3 } }))).toEqual({ sum: 5 })
  await runtime.call({ toolId: 'web.slow', args: { steps: 2 }, onUpdate: one => updates.push(one) })
  delete process.env['SKILLWRIGHT_TEST_TOKEN']
  expect(updates).toHaveLength(2)
  expect(new Set(log.lines().slice(1))).toEqual(new Set(['POST Bearer canary-0815']))
})

test('cancelling reaches a server of 2026-07-28 by closing the stream', async () => {
  const log = makeLog()
  const { url } = await listen('everything', ['0'], { LOG: log.path })
  const runtime = await runtimeOn({ web: { url } })
  await runtime.tools()
  const call = { toolId: 'web.slow', args: { steps: 50 }, signal: AbortSignal.timeout(100) }
  expect(dataOf(await runtime.call(call))).toMatchObject({ code: 'CANCELLED' })
  await until(() => log.lines().includes('cancelled'))
})

test('a change of the tools is heard through the subscription', async () => {
  const { url } = await listen('everything', ['0'])
  const runtime = await runtimeOn({ web: { url } })
  const ids = async () => (await runtime.tools()).map(tool => tool.id)
  expect(await ids()).not.toContain('web.late')
  await runtime.call({ toolId: 'web.grow' })
  await until(async () => (await ids()).includes('web.late'))
})

test('Streamable HTTP of 2025 with sessions: a restarted server is greeted again', async () => {
  const log = makeLog()
  const first = await listen('old', ['http', '0'], { LOG: log.path })
  const runtime = await runtimeOn({ old: { url: first.url, headers: { 'X-Key': 'k' } } })
  const before = dataOf(await runtime.call({ toolId: 'old.pid' }))
  expect(before).toEqual(expect.stringMatching(/^\d+$/))
  await first.stop()
  expect(dataOf(await runtime.call({ toolId: 'old.pid' }))).toMatchObject({
    code: 'MCP_FAILED',
    message: 'The MCP server old cannot be reached (ECONNREFUSED).',
  })
  await listen('old', ['http', String(first.port)])
  const after = dataOf(await runtime.call({ toolId: 'old.pid' }))
  expect(after).toEqual(expect.stringMatching(/^\d+$/))
  expect(after).not.toBe(before)
  expect(
    new Set(
      log
        .lines()
        .slice(1)
        .map(line => line.split(' ')[1]),
    ),
  ).toEqual(new Set(['k']))
})

test.each<HttpServer['type']>([undefined, 'sse'])('a server that knows only SSE (type %s)', async type => {
  const { url } = await listen('old', ['sse', '0'])
  const runtime = await runtimeOn({ sse: { url, ...(type && { type }) } })
  expect(dataOf(await runtime.call({ toolId: 'sse.greet', args: { name: 'Bob' } }))).toBe('Hello Bob')
})

/** A server of one answer. */
async function answering(
  status: number,
  headers: Record<string, string> = {},
): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers['x-key'] ?? '-'}`)
    response.writeHead(status, headers).end('no')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen }
}

test.each([
  [401, 'The MCP server web denies access (HTTP 401).', 'Give a valid token in `headers` of mcpServers.web.'],
  [404, /^The MCP server web answered with HTTP 404/, 'Check the `url` of mcpServers.web.'],
  [503, 'The MCP server web answered with HTTP 503.', 'Try again later.'],
])('HTTP %i is told with what to do', async (status, message, hint) => {
  const { url } = await answering(status)
  const runtime = await runtimeOn({ web: { url } })
  const { diagnostics } = await runtime.report()
  expect(diagnostics).toEqual([
    {
      severity: 'warning',
      code: 'mcp-server-unreachable',
      file: 'mcpServers.web',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      hint,
    },
  ])
})

test('headers are not sent on to another origin', async () => {
  const other = await answering(200)
  const { url, seen } = await answering(307, { Location: other.url })
  const runtime = await runtimeOn({ web: { url, headers: { 'X-Key': 'canary-1234' } } })
  const { diagnostics } = await runtime.report()
  expect(seen).toContain('POST canary-1234')
  expect(other.seen).toEqual([])
  expect(diagnostics[0]?.code).toBe('mcp-server-unreachable')
  expect(JSON.stringify(diagnostics)).not.toContain('canary')
})

test('headers do not follow a redirect to another server', async () => {
  const seen: unknown[] = []
  const other = createServer((request, response) => {
    seen.push(request.headers['x-api-key'])
    response.end()
  })
  const first = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end()
  })
  for (const server of [other, first]) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void [other, first].map(server => server.close()))
  const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}/mcp`
  const runtime = await runtimeOn({ web: { url, type: 'http', headers: { 'X-Api-Key': 'canary-0815' } } })
  expect(await runtime.tools()).toEqual([])
  expect(seen).toEqual([])
  const { diagnostics } = await runtime.report()
  expect(JSON.stringify(diagnostics)).toContain('redirects to another server')
})
