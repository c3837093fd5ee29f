// The five discovery operations as MCP tools.
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server'
import type { CallOptions } from '../catalogue/discovery-session.ts'
import { OPERATIONS, type OperationName, requestSchema } from '../catalogue/operations.ts'
import { jsonSchemaOf } from '../json-schema/json-schema-of.ts'
import { type Connection, who } from './mcp-connection.ts'
import { isObjectSchema, toOperationResult } from './mcp-results.ts'

const NAMES = Object.keys(OPERATIONS) as OperationName[]

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

let described: { readonly [kind in 'session' | 'stateless']: readonly McpTool[] } | undefined

/** Without a session nobody remembers what was expanded, so that a call must say which version it is made for. */
export function operationTools({ session }: Pick<Connection, 'session'>): readonly McpTool[] {
  described ??= {
    session: NAMES.map(name => describe(name, [])),
    stateless: NAMES.map(name => describe(name, name === 'call_tool' ? ['version'] : [])),
  }
  return described[session ? 'session' : 'stateless']
}

/** Never throws: an operation that fails answers with an error that a model can follow. */
export async function callOperation(
  name: OperationName,
  args: unknown,
  connection: Connection,
  options: CallOptions,
): Promise<CallToolResult> {
  const discovery = connection.session?.discovery ?? connection.runtime.discovery.session(who(connection))
  return toOperationResult(await discovery[name](args as never, options))
}

function describe(name: OperationName, alsoRequired: readonly string[]): McpTool {
  const input = requestSchema(name)
  const required = [...((input['required'] as readonly string[] | undefined) ?? []), ...alsoRequired]
  const output = jsonSchemaOf(OPERATIONS[name].response)
  return {
    name,
    description: OPERATIONS[name].description,
    inputSchema: { ...input, ...(required.length > 0 && { required }) } as McpTool['inputSchema'],
    ...(isObjectSchema(output) && { outputSchema: output as NonNullable<McpTool['outputSchema']> }),
    ...(name !== 'call_tool' && { annotations: { readOnlyHint: true } }),
  }
}
