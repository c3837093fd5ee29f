// What our MCP server adds to a bare one of the same SDK, and what a client reads before its first call.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createMcpHandler as createBareHandler } from '@modelcontextprotocol/server'
import { createRuntime } from '../src/index.ts'
import { createMcpHandler } from '../src/servers/mcp.ts'
import { syntheticTools } from './context-cost.ts'
import { createBareServer, createNoOpRuntime } from './mcp-no-op.ts'
import { compare } from './measure.ts'
import { printTable } from './table.ts'

const PROTOCOLS = ['2026-07-28', '2025-11-25'] as const
type Protocol = (typeof PROTOCOLS)[number]

export async function benchMcp(): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const before = process.cwd()
  process.chdir(workspace)
  const runtime = await createNoOpRuntime()
  const bare = await listen(createBareHandler(createBareServer).fetch)
  const ours = await listen(createMcpHandler(runtime, { mode: 'flat' }).fetch)
  const rows: string[][] = []
  for (const protocol of PROTOCOLS)
    for (const [how, connectBare, connectOurs] of [
      ['stdio', () => overStdio('bare', protocol), () => overStdio('skillwright', protocol)],
      ['HTTP', () => overHttp(bare.url, protocol), () => overHttp(ours.url, protocol)],
    ] as const) {
      const clients = { bare: await connectBare(), ours: await connectOurs() }
      const times = await compare(
        { bare: () => call(clients.bare), ours: () => call(clients.ours) },
        { rounds: 1000, warmUp: 200 },
      )
      await Promise.all([clients.bare.close(), clients.ours.close()])
      const ratio = `${(times.ours / times.bare).toFixed(2)}×`
      // The SDK serves older clients over HTTP without sessions, from a new server for each request; ours keeps one for each session.
      const note = how === 'HTTP' && protocol === '2025-11-25' ? ' (baseline has no sessions)' : ''
      rows.push([`${how}, ${protocol}${note}`, times.bare.toFixed(3), times.ours.toFixed(3), ratio])
    }
  bare.close()
  ours.close()
  await runtime.close()
  process.chdir(before)
  rmSync(workspace, { recursive: true })
  printTable('Call a tool that does nothing over MCP, p50 in ms (target: at most 1.25×)', [
    ['', 'bare SDK server (baseline)', 'skillwright, audited to file', 'ratio'],
    ...rows,
  ])
  await benchBytes()
}

async function benchBytes(): Promise<void> {
  const runtime = await createRuntime({ tools: syntheticTools(1000), defaultSources: false, audit: false })
  const bytes = async (mode: 'discovery' | 'flat', protocol: Protocol) => {
    const server = await listen(createMcpHandler(runtime, { mode }).fetch)
    const client = await overHttp(server.url, protocol)
    const { tools } = await client.listTools()
    const size = Buffer.byteLength(JSON.stringify([client.getInstructions(), tools]))
    await client.close()
    server.close()
    return size
  }
  const rows: string[][] = []
  for (const protocol of PROTOCOLS) {
    const [flat, discovery] = [await bytes('flat', protocol), await bytes('discovery', protocol)]
    rows.push([protocol, String(flat), String(discovery), `${((100 * discovery) / flat).toFixed(2)} %`])
  }
  await runtime.close()
  printTable('Bytes that a client reads before its first call, 1,000 tools of the usual size (target: at most 1 %)', [
    ['', 'flat tools/list (baseline)', 'instructions and tools/list in discovery mode', 'share'],
    ...rows,
  ])
}

async function call(client: Client): Promise<void> {
  const { content, isError } = await client.callTool({ name: 'noop', arguments: { value: 'x' } })
  if (isError || JSON.stringify(content) !== '[{"type":"text","text":"x"}]') throw new Error(JSON.stringify(content))
}

function overStdio(which: 'bare' | 'skillwright', protocol: Protocol): Promise<Client> {
  const server = fileURLToPath(new URL('mcp-server.js', import.meta.url))
  return connect(new StdioClientTransport({ command: process.execPath, args: [server, which] }), protocol)
}

function overHttp(url: string, protocol: Protocol): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(new URL(url)) as Transport, protocol)
}

async function connect(transport: Transport, protocol: Protocol): Promise<Client> {
  const mode = protocol === '2026-07-28' ? 'auto' : 'legacy'
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

async function listen(fetch: (request: Request) => Promise<Response>): Promise<{ url: string; close(): void }> {
  const server = createServer(getRequestListener(fetch))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close }
}
