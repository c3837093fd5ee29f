import { z } from 'zod'
import { toCallResponse } from '../../catalogue/discovery-session.ts'
import { OPERATIONS } from '../../catalogue/operations.ts'
import { SkillInvocationError, toolError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import type { Tool, ToolCall, ToolResult } from '../../types.ts'
import { toolSchema, toWireTool } from '../wire.ts'
import { answerCall, CALL_EVENTS, callBody, callQuery } from './call.ts'
import { type Incoming, type Route, route } from './route.ts'

type Asked = Pick<Incoming<unknown, unknown>, 'params' | 'caller'>

/** Tools as a caller or a session has them. */
export type Toolbox = {
  tools(): Promise<readonly Tool[]>
  /** Never throws: an answer that has begun could not say so. */
  call(call: ToolCall): Promise<ToolResult>
}

/** Listing, showing and calling tools, below a path; `find` gives the tools that a request is about. */
export function toolRoutes(prefix: string, suffix: string, find: (asked: Asked) => Promise<Toolbox>): Route[] {
  return [
    route({
      method: 'get',
      path: `${prefix}/tools`,
      id: `list_tools${suffix}`,
      summary: 'Every tool that can be called, with its schema.',
      answer: z.object({ tools: z.array(toolSchema) }),
      handle: async asked => ({ tools: (await (await find(asked)).tools()).map(toWireTool) }),
    }),
    route({
      method: 'get',
      path: `${prefix}/tools/{tool_id}`,
      id: `get_tool${suffix}`,
      summary: 'One tool with its schema.',
      answer: toolSchema,
      handle: async asked => toWireTool(named(asked.params['tool_id']!, await (await find(asked)).tools())),
    }),
    route({
      method: 'post',
      path: `${prefix}/tools/{tool_id}/call`,
      id: `call_tool_by_id${suffix}`,
      summary: 'Call a tool that is known, without expanding it first.',
      query: callQuery,
      body: callBody,
      answer: OPERATIONS.call_tool.response.options[0],
      events: CALL_EVENTS,
      handle: async incoming => {
        const { call } = await find(incoming)
        return answerCall(incoming, async options => toCallResponse(await call(toCall(incoming, options))))
      },
    }),
  ]
}

function toCall(
  { params, body }: Incoming<z.infer<typeof callBody>, unknown>,
  options: Pick<ToolCall, 'signal' | 'onUpdate'>,
): ToolCall {
  return {
    toolId: params['tool_id']!,
    args: body.args ?? {},
    ...options,
    ...(body.timeout_ms !== undefined && { timeoutMs: body.timeout_ms }),
    ...(body.trace_id !== undefined && { traceId: body.trace_id }),
  }
}

function named(id: string, tools: readonly Tool[]): Tool {
  const tool = tools.find(one => one.id === id)
  if (tool) return tool
  const close = nearest(
    id,
    tools.map(one => one.id),
  )
  const hints = close.map(name => `Did you mean ${name}?`)
  throw new SkillInvocationError(
    toolError('TOOL_NOT_FOUND', `There is no tool ${JSON.stringify(id)}.`, { hints, nextAction: 'List the tools.' }),
  )
}
