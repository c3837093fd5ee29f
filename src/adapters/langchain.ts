// Skills as LangChain.js tools: 1 + N for each skill.
import { ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool, type StructuredTool } from '@langchain/core/tools'
import { toThrown } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Tool } from '../types.ts'
import { toText } from '../wire.ts'
import { createNameTable, toSafeName } from './tool-name.ts'

/**
 * Every tool of a runtime as a `StructuredTool`. In an agent loop a failure comes back as a `ToolMessage` with status
 * `error`, so that the model can recover; without a tool call it is thrown.
 */
export async function createLangchainTools(runtime: Runtime): Promise<StructuredTool[]> {
  const tools = await runtime.tools()
  createNameTable(tools.map(tool => tool.id))
  return tools.map(tool => toLangchain(tool, runtime))
}

function toLangchain(tool: Tool, runtime: Runtime): StructuredTool {
  return new DynamicStructuredTool({
    name: toSafeName(tool.id),
    description: tool.description,
    schema: tool.inputSchema,
    metadata: { toolId: tool.id, skill: tool.skill },
    // The tool is looked up when it is called, so that a reloaded skill is the one that runs.
    func: async (args: unknown, _manager, config) => {
      const result = await runtime.call({ toolId: tool.id, args, ...(config?.signal && { signal: config.signal }) })
      const callId = toolCallId(config)
      if (result.ok) return toText(result)
      if (callId === undefined) throw toThrown(result)
      return new ToolMessage({
        content: toText(result),
        tool_call_id: callId,
        name: toSafeName(tool.id),
        status: 'error',
      })
    },
  })
}

function toolCallId(config: unknown): string | undefined {
  const { toolCall } = (config ?? {}) as { toolCall?: { id?: string } }
  return toolCall?.id
}
