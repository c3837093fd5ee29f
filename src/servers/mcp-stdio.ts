// MCP over stdin and stdout, for a client that starts us as its child.
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Runtime } from '../runtime.ts'
import type { Caller } from '../types.ts'
import { CONNECTION_TTL_SEC, type McpOptions } from './mcp-connection.ts'
import { createServerFactory, tellOfChanges } from './mcp-server.ts'
import { openSession } from './sessions.ts'

export type McpStdioOptions = McpOptions & {
  /** On whose behalf the client acts. Absent: a caller without roles. */
  readonly caller?: Caller
  /** Ends the connection and what runs in it. */
  readonly signal?: AbortSignal
  /** Default: those of the process. */
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/** Serves one client until its input ends or `signal` is aborted. Nothing but the protocol is written. */
export async function serveMcpStdio(runtime: Runtime, options: McpStdioOptions = {}): Promise<void> {
  const { caller, signal, stdin = process.stdin, stdout = process.stdout } = options
  const create = createServerFactory(runtime, options)
  const transport = new StdioServerTransport(stdin, stdout)
  const handle = serveStdio(
    async ({ era }) => {
      const session = era === 'legacy' ? await openSession(runtime, caller, { ttl_sec: CONNECTION_TTL_SEC }) : undefined
      const { server, connection } = create({ caller, ...(session && { session }) })
      tellOfChanges(server, connection)
      return server
    },
    { transport, onerror: error => options.onWarning?.(messageOf(error)) },
  )
  await ended(transport, signal)
  await handle.close()
}

/** What the SDK says of a wrong message is a page long. */
function messageOf(error: Error): string {
  return error.name === 'ZodError' ? 'A message that is no JSON-RPC was left out.' : error.message
}

function ended(transport: StdioServerTransport, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const before = transport.onclose
    transport.onclose = () => {
      before?.()
      resolve()
    }
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
