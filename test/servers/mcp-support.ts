import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'
import type { Caller, Runtime } from '../../src/index.ts'
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from '../../src/servers/mcp.ts'

/** The newest protocol and the one before, as the newest SDK speaks them, and the SDK that everybody had until then. */
export const KINDS = ['2026-07-28', '2025-11-25', 'sdk-1'] as const
export type Kind = (typeof KINDS)[number]

type Answer = { content: { type: string; text?: string }[]; structuredContent?: unknown; isError?: boolean }
type CallOptions = { signal?: AbortSignal; onprogress?: (progress: unknown) => void }
type Params = { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> }
type Listed = { name: string; description?: string; [field: string]: unknown }

/** What all clients have in common. */
export type Peer = {
  listTools(): Promise<{ tools: Listed[]; [field: string]: unknown }>
  callTool(params: Params, options?: CallOptions): Promise<Answer>
  getInstructions(): string | undefined
  close(): Promise<void>
}

/** Headers say who asks, as a token would. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  ada: { id: 'ada', roles: ['teacher'] },
  bob: { id: 'bob', roles: ['pupil'] },
}

export type Mounted = { readonly url: string; readonly handler: McpHandler; readonly server: Server }

/** The handler behind a real HTTP server on loopback; closed when the test ends. */
export async function mount(runtime: Runtime, options: McpHandlerOptions = {}): Promise<Mounted> {
  const handler = createMcpHandler(runtime, options)
  const server = createServer(
    getRequestListener(request => {
      const caller = CALLERS[request.headers.get('x-caller') ?? '']
      return handler.fetch(request, caller ? { caller } : {})
    }),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    await handler.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, handler, server }
}

export async function connectHttp(kind: Kind, { url }: { readonly url: string }, as?: string): Promise<Peer> {
  const options = { requestInit: { headers: as === undefined ? {} : { 'x-caller': as } } }
  if (kind === 'sdk-1') return connectOld(new OldHttp(new URL(url), options) as OldTransport)
  return connectNew(kind, new StreamableHTTPClientTransport(new URL(url), options) as Transport)
}

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

/** Starts `skillwright mcp` as clients do. */
export async function connectStdio(kind: Kind, args: readonly string[]): Promise<Peer & { readonly pid: number }> {
  const command = { command: process.execPath, args: [MAIN, 'mcp', ...args], stderr: 'pipe' as const }
  if (kind === 'sdk-1') {
    const transport = new OldStdio(command)
    return Object.assign(await connectOld(transport), { pid: transport.pid! })
  }
  const transport = new StdioClientTransport(command)
  return Object.assign(await connectNew(kind, transport), { pid: transport.pid! })
}

/** A client of the newest SDK, for what the old one cannot do. */
export async function connectNew(kind: Exclude<Kind, 'sdk-1'>, transport: Transport): Promise<Client & Peer> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: kind === '2026-07-28' ? 'auto' : 'legacy' } },
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client as Client & Peer
}

async function connectOld(transport: OldTransport): Promise<Peer & OldClient> {
  const client = new OldClient({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = client.callTool.bind(client)
  return Object.assign(client, {
    callTool: (params: Params, options?: CallOptions) => call(params, undefined, options as never) as Promise<Answer>,
  }) as unknown as Peer & OldClient
}

export function textOf({ content }: Answer): string {
  return content.map(block => block.text ?? '').join('')
}
