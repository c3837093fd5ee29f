// Skills as prompts: what a user picks by name and fills in.
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { fromSafeName, toSafeName } from '../adapters/tool-name.ts'
import { cutText } from '../text/clean-text.ts'
import type { Tool } from '../types.ts'
import { toText } from '../wire.ts'
import { type Connection, who } from './mcp-connection.ts'

const MAX_DESCRIPTION = 1000
const ARGUMENTS = [{ name: 'arguments', description: 'What to do it with, in words.', required: false }]

export async function listPrompts(connection: Connection): Promise<Prompt[]> {
  return (await promptTools(connection))
    .map(tool => ({
      name: toSafeName(tool.id),
      description: cutText(tool.description, MAX_DESCRIPTION),
      arguments: ARGUMENTS,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Throws `ProtocolError` when there is no such prompt, or its skill cannot be read. */
export async function getPrompt(
  connection: Connection,
  { name, args }: { readonly name: string; readonly args: string },
): Promise<GetPromptResult> {
  const tool = await findPrompt(connection, name)
  if (!tool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(name.slice(0, 128))}.`,
    )
  const result = await connection.runtime.call({ toolId: tool.id, args: { arguments: args }, ...who(connection) })
  if (!result.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, toText(result))
  return {
    description: cutText(tool.description, MAX_DESCRIPTION),
    messages: [{ role: 'user', content: { type: 'text', text: toText(result) } }],
  }
}

/** The prompts of skills that this caller may use; one tool each. */
export async function promptTools(connection: Pick<Connection, 'runtime' | 'caller'>): Promise<Tool[]> {
  return (await connection.runtime.tools(who(connection))).filter(isPrompt)
}

async function findPrompt(connection: Connection, name: string): Promise<Tool | undefined> {
  const id = fromSafeName(name)
  if (id === undefined) return (await promptTools(connection)).find(tool => toSafeName(tool.id) === name)
  const tool = await connection.runtime.findTool(id, who(connection))
  return tool && isPrompt(tool) ? tool : undefined
}

const isPrompt = ({ executor }: Tool): boolean => executor.type === 'prompt'
