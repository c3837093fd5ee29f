// Calls a tool of an MCP server.
import { fail } from '../errors.ts'
import { McpFailure } from '../mcp/failure.ts'
import type { Servers } from '../mcp/servers.ts'
import type { CallUpdate, ExecuteRequest, Executor, McpSpec, Outcome } from '../types.ts'
import { readContent } from './mcp-content.ts'

export type McpExecutorOptions = {
  readonly servers: Pick<Servers, 'call'>
  /** Path of a file that takes what is too long, or no text, to return. */
  readonly outputFile: (name: string) => string
}

export function createMcpExecutor({ servers, outputFile }: McpExecutorOptions): Executor<McpSpec> {
  return { type: 'mcp', execute }

  async function execute(request: ExecuteRequest<McpSpec>): Promise<Outcome> {
    const { spec, tool, args, timeoutMs, onUpdate, callId } = request
    const limit = AbortSignal.timeout(Math.ceil(timeoutMs))
    try {
      const result = await servers.call(spec.server, {
        tool: spec.tool,
        args,
        signal: AbortSignal.any([request.ending.signal, limit]),
        // A manifest declares a schema of its own; a mounted tool has the server's.
        ...(tool.origin === 'mcp-server' && { inputSchema: tool.inputSchema }),
        ...(onUpdate && { onProgress: progress => onUpdate(toUpdate(progress)) }),
      })
      return readContent(result, { server: spec.server, tool: spec.tool, file: name => outputFile(`${callId}${name}`) })
    } catch (error) {
      if (request.ending.signal.aborted)
        return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
      if (limit.aborted) return timedOut(request)
      if (!(error instanceof McpFailure)) throw error
      const { message, hint, again } = error
      const nextAction = again ? 'Call again later, or use another tool.' : 'Do as the hint says, or use another tool.'
      return { ...fail('MCP_FAILED', message, { hints: [hint], nextAction }), ...(again && { again }) }
    }
  }
}

function timedOut({ spec, timeoutMs }: ExecuteRequest<McpSpec>): Outcome {
  const message = `${spec.tool} of the MCP server ${spec.server} did not answer within ${timeoutMs / 1000} s and was cancelled.`
  const nextAction = 'Give it less to do, or call it with a longer timeout.'
  return { ...fail('MCP_FAILED', message, { nextAction }), again: {} }
}

function toUpdate({ progress, total, message }: { progress: number; total?: number; message?: string }): CallUpdate {
  return {
    type: 'progress',
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message }),
  }
}
