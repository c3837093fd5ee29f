import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { createRuntime, type JsonSchema, type Runtime } from '../src/index.ts'

const NO_OP = { name: 'noop', description: 'Does nothing.' }
const INPUT: JsonSchema = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] }

/** The least that the SDK needs to serve the tool. */
export function createBareServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
  server.registerTool(
    NO_OP.name,
    { description: NO_OP.description, inputSchema: fromJsonSchema<{ value: string }>(INPUT) },
    ({ value }) => ({ content: [{ type: 'text', text: value }] }),
  )
  return server
}

/** Audited to a file, as it is by default. */
export function createNoOpRuntime(): Promise<Runtime> {
  return createRuntime({
    tools: [{ ...NO_OP, inputSchema: INPUT, run: ({ value }) => String(value) }],
    defaultSources: false,
  })
}
