import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { expandTool } from '../catalogue/expand.ts'
import type { Tool } from '../types.ts'
import { isObjectSchema } from './mcp-results.ts'

/** Tools are frozen, so that each is described once. */
const known = new WeakMap<Tool, Omit<McpTool, 'name'>>()

/** A tool as `tools/list` shows it, with the words of strangers cleaned and cut as in `expand_tool`. */
export function toDefinition(tool: Tool, name: string): McpTool {
  let rest = known.get(tool)
  if (!rest) {
    rest = describe(tool)
    known.set(tool, rest)
  }
  return { name, ...rest }
}

function describe(tool: Tool): Omit<McpTool, 'name'> {
  const { summary, description, args_schema, result_schema, annotations } = expandTool(tool, [])
  const { title, read_only, destructive, idempotent, open_world } = annotations ?? {}
  const hints = {
    ...(read_only !== undefined && { readOnlyHint: read_only }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(open_world !== undefined && { openWorldHint: open_world }),
  }
  return {
    ...(title !== undefined && { title }),
    description: description ?? summary,
    // The protocol wants the type said; the schema of a host tool may leave it out.
    inputSchema: { ...args_schema, type: 'object' } as McpTool['inputSchema'],
    ...(isObjectSchema(tool.resultSchema) && { outputSchema: result_schema as NonNullable<McpTool['outputSchema']> }),
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
  }
}
