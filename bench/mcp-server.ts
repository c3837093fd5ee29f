// node mcp-server.js bare|skillwright: a tool that does nothing over stdio, on the bare SDK or on ours.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { serveMcpStdio } from '../src/servers/mcp.ts'
import { createBareServer, createNoOpRuntime } from './mcp-no-op.ts'

if (process.argv[2] === 'bare') serveStdio(createBareServer)
else {
  const runtime = await createNoOpRuntime()
  await serveMcpStdio(runtime, { mode: 'flat' })
  await runtime.close()
}
