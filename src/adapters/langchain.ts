// Skills as LangChain.js tools: 1 + N for each skill, or the five operations that find and call any of them.
import { ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool, type StructuredTool, ToolInputParsingException } from '@langchain/core/tools'
import type { DiscoverySession, DiscoverySessionOptions } from '../catalogue/discovery-session.ts'
import { OPERATIONS, type OperationName, requestSchema } from '../catalogue/operations.ts'
import { toThrown } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Caller, Tool } from '../types.ts'
import { toDiscoveryText, toText } from '../wire.ts'
import { createNameTable, toSafeName } from './tool-name.ts'

/**
 * Every tool that a caller may use as a `StructuredTool`. In an agent loop a failure comes back as a `ToolMessage` with status
 * `error`, so that the model can recover; without a tool call it is thrown.
 */
export async function createLangchainTools(
  runtime: Runtime,
  options: { readonly caller?: Caller } = {},
): Promise<StructuredTool[]> {
  const tools = await runtime.tools(options)
  createNameTable(tools.map(tool => tool.id))
  return tools.map(tool => toLangchain(tool, runtime, options))
}

/**
 * The five discovery operations as `StructuredTool`s, so that an agent with ten thousand tools begins with five. They share
 * one session: a given one, or a new one with these options.
 */
export function createDiscoveryTools(
  runtime: Runtime,
  { session, ...options }: DiscoverySessionOptions & { readonly session?: DiscoverySession } = {},
): StructuredTool[] {
  const own = session ?? runtime.discovery.session(options)
  return (Object.keys(OPERATIONS) as OperationName[]).map(name => toOperation(name, own))
}

function toLangchain(tool: Tool, runtime: Runtime, { caller }: { readonly caller?: Caller }): StructuredTool {
  return new SkillTool({
    name: toSafeName(tool.id),
    description: tool.description,
    // LangChain's validator writes marks into the schema it is given; ours are frozen.
    schema: structuredClone(tool.inputSchema),
    metadata: { toolId: tool.id, skill: tool.skill },
    // The tool is looked up when it is called, so that a reloaded skill is the one that runs.
    func: async (args: unknown, _manager, config) => {
      const signal = config?.signal
      const result = await runtime.call({ toolId: tool.id, args, ...(caller && { caller }), ...(signal && { signal }) })
      const callId = toolCallId(config)
      if (result.ok) return toText(result)
      if (callId === undefined) throw toThrown(result)
      return failed(toText(result), callId, toSafeName(tool.id))
    },
  })
}

/** An answer is data in either case: the error of an operation tells a model how to go on. */
function toOperation(name: OperationName, session: DiscoverySession): StructuredTool {
  return new SkillTool({
    name,
    description: OPERATIONS[name].description,
    schema: requestSchema(name),
    func: async (request: unknown, _manager, config) => {
      const response = await session[name](request as never, config?.signal && { signal: config.signal })
      const text = toDiscoveryText(response)
      const callId = toolCallId(config)
      return callId !== undefined && 'error' in response ? failed(text, callId, name) : text
    },
  })
}

function failed(content: string, callId: string, name: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: callId, name, status: 'error' })
}

/** Wrong arguments take the same path as right ones: LangChain's own complaint has no hints and leaves no audit. */
class SkillTool extends DynamicStructuredTool {
  override async call(...[given, config, tags]: Parameters<DynamicStructuredTool['call']>): Promise<unknown> {
    try {
      return await super.call(given, config, tags)
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error
      const isToolCall = typeof given === 'object' && given !== null && 'type' in given && given.type === 'tool_call'
      return this.func(isToolCall && 'args' in given ? given.args : given, undefined, config)
    }
  }
}

function toolCallId(config: unknown): string | undefined {
  const { toolCall } = (config ?? {}) as { toolCall?: { id?: string } }
  return toolCall?.id
}
