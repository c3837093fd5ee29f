// What a connection lists as its tools, and what a call of one does.
import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { fromSafeName, toSafeName } from '../adapters/tool-name.ts'
import type { CallOptions } from '../catalogue/discovery-session.ts'
import { OPERATIONS } from '../catalogue/operations.ts'
import type { Tool, ToolCall, ToolResult } from '../types.ts'
import { ACTIVATION_NAMES, activationTools, callActivation, isActivation } from './mcp-activation.ts'
import { type Connection, who } from './mcp-connection.ts'
import { toDefinition } from './mcp-definition.ts'
import { callOperation, isOperation, operationTools } from './mcp-operations.ts'
import { toCallToolResult } from './mcp-results.ts'

/** The same list in the same order, whoever asks how often. */
export async function listTools(connection: Connection): Promise<McpTool[]> {
  const { mode, session } = connection
  const direct = await directTools(connection)
  return [
    ...(mode === 'discovery' ? operationTools(connection) : []),
    ...(session ? activationTools() : []),
    ...direct.map(tool => toDefinition(tool, nameOf(tool.id))).sort((a, b) => (a.name < b.name ? -1 : 1)),
  ]
}

/** Throws `ProtocolError` for a tool that is not listed; every other failure is a result. */
export async function callTool(
  connection: Connection,
  { name, args }: { readonly name: string; readonly args: unknown },
  options: CallOptions,
): Promise<CallToolResult> {
  const { mode, session } = connection
  if (mode === 'discovery' && isOperation(name)) return callOperation(name, args, connection, options)
  if (session && isActivation(name)) return callActivation(name, args, session, nameOf)

  const found = (await findListed(connection, name)) ?? (await findActive(connection, name))
  if (!found) throw unknownTool(connection, name)
  return toCallToolResult(await found.call({ toolId: found.tool.id, args: args ?? {}, ...options }), found.tool)
}

type Found = { readonly tool: Tool; readonly call: (call: ToolCall) => Promise<ToolResult> }

/** Tools that are listed by option. */
async function findListed(connection: Connection, name: string): Promise<Found | undefined> {
  const { runtime, mode, pinned, session } = connection
  const id = mode === 'flat' ? await flatId(connection, name) : pinned.find(one => nameOf(one) === name)
  const tool = id === undefined ? undefined : await runtime.findTool(id, who(connection))
  if (!tool) return undefined
  // Within the session, so that it works in its folder, is among its events and ends with it.
  if (session) return { tool, call: call => session.call(call, { inactive: true }) }
  return { tool, call: call => runtime.call({ ...call, ...who(connection) }) }
}

async function findActive(connection: Connection, name: string): Promise<Found | undefined> {
  const tool = (await activeTools(connection)).find(one => nameOf(one.id) === name)
  return tool && connection.session && { tool, call: connection.session.call }
}

/** Most names lead back without a look at all tools. */
async function flatId(connection: Connection, name: string): Promise<string | undefined> {
  const id = fromSafeName(name)
  if (id !== undefined && nameOf(id) === name) return id
  return (await connection.runtime.tools(who(connection))).find(tool => nameOf(tool.id) === name)?.id
}

async function directTools(connection: Connection): Promise<Tool[]> {
  const { runtime, mode, pinned } = connection
  const listed =
    mode === 'flat'
      ? await runtime.tools(who(connection))
      : await Promise.all(pinned.map(id => runtime.findTool(id, who(connection))))
  const all = [...listed, ...(await activeTools(connection))].filter(tool => tool !== undefined)
  return [...new Map(all.map(tool => [tool.id, tool])).values()]
}

async function activeTools({ session }: Connection): Promise<readonly Tool[]> {
  const active = new Set(await session?.listActiveSkills())
  if (!session || active.size === 0) return []
  return (await session.tools()).filter(tool => active.has(tool.skill))
}

const OWN_NAMES: ReadonlySet<string> = new Set([...Object.keys(OPERATIONS), ...ACTIVATION_NAMES])

/** A skill may be called `list`: then its tool gets another name, never another meaning. */
function nameOf(id: string): string {
  return toSafeName(id, OWN_NAMES)
}

function unknownTool({ mode }: Connection, name: string): ProtocolError {
  const advice = mode === 'discovery' ? ' Find tools with list and call them with call_tool.' : ''
  const shown = JSON.stringify(name.slice(0, 128))
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown}.${advice}`)
}
