// The operations of the service: decode, call the runtime, encode.
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import { type DiscoverySession, toCallResponse } from '../../catalogue/discovery-session.ts'
import type { ExpandToolResponse } from '../../catalogue/operations.ts'
import type { Runtime } from '../../runtime.ts'
import type { Caller, Tool } from '../../types.ts'
import { createCallerDiscovery } from '../rest/discovery.ts'
import { openSession, ownSession } from '../sessions.ts'
import type { Handlers } from './handlers.ts'
import { fromStruct, toStruct, type WireStruct } from './struct.ts'

/** Scalars that a client leaves out come as empty, optional ones not at all. */
type InSession = { readonly session_id?: string }
type SkillRequest = { readonly session_id: string; readonly skill_name: string; readonly skill_content?: string }
type CallRequest = InSession & {
  readonly tool_id: string
  readonly args?: WireStruct | null
  readonly version?: string
}
type ExecuteRequest = InSession & {
  readonly tool_name: string
  readonly args?: WireStruct | null
  readonly timeout_ms?: number
  readonly trace_id?: string
}
type OpenRequest = { readonly ttl_sec?: number; readonly expand_before_call?: boolean }
type Paged = { readonly limit?: number; readonly cursor?: string }
type ListRequest = InSession & Paged & { path: string[]; tags: string[]; query?: string }
type SearchRequest = InSession & Paged & { query: string; category_path: string[] }
type NodesRequest = InSession & { readonly query: string; readonly limit?: number }

export type ServiceParts = { readonly runtime: Runtime; readonly workspaces?: string }

export function createService({ runtime, workspaces }: ServiceParts, { once, calling }: Handlers) {
  const discoveryOf = createCallerDiscovery(runtime)
  const service: UntypedServiceImplementation = {
    OpenSession: once<OpenRequest>(async ({ ttl_sec, expand_before_call }, caller) => {
      const options = {
        ...(ttl_sec !== undefined && { ttl_sec }),
        ...(expand_before_call !== undefined && { expand_before_call }),
      }
      return { session_id: (await openSession(runtime, caller, { ...options, workspaces })).id }
    }),
    CloseSession: once<SkillRequest>(async ({ session_id }, caller) => {
      await (await ownSession(runtime, session_id, caller)).close()
      return {}
    }),
    UseSkill: once<SkillRequest>(async ({ session_id, skill_name, skill_content }, caller) => {
      const session = await ownSession(runtime, session_id, caller)
      return { tool_names: await session.useSkill(skill_name, skill_content ? { content: skill_content } : {}) }
    }),
    RemoveSkill: once<SkillRequest>(async ({ session_id, skill_name }, caller) => {
      const session = await ownSession(runtime, session_id, caller)
      return { removed_tools: await session.removeSkill(skill_name) }
    }),
    ListActiveSkills: once<SkillRequest>(async ({ session_id }, caller) => {
      const session = await ownSession(runtime, session_id, caller)
      return { skills: await session.listActiveSkills() }
    }),
    Definitions: once<InSession>(async ({ session_id }, caller) => {
      const tools =
        session_id === undefined
          ? await runtime.tools({ caller })
          : await (await ownSession(runtime, session_id, caller)).tools()
      return { tools: tools.map(toDefinition) }
    }),
    Execute: calling<ExecuteRequest>(async ({ session_id, tool_name, args, timeout_ms, trace_id }, caller, options) => {
      const call = {
        toolId: tool_name,
        args: fromStruct(args),
        ...options,
        ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
        ...(trace_id !== undefined && { traceId: trace_id }),
      }
      if (session_id === undefined) return toCallResponse(await runtime.call({ ...call, caller }))
      return toCallResponse(await (await ownSession(runtime, session_id, caller)).call(call))
    }),
    List: once<ListRequest>(async ({ session_id, path, tags, ...rest }, caller) =>
      (await find(session_id, caller)).list({ path, ...(tags.length > 0 && { tags }), ...known(rest) }),
    ),
    SearchToolByCategory: once<SearchRequest>(async ({ session_id, ...request }, caller) =>
      (await find(session_id, caller)).search_tool_by_category(known(request)),
    ),
    SearchNodes: once<NodesRequest>(async ({ session_id, ...request }, caller) =>
      (await find(session_id, caller)).search_nodes(known(request)),
    ),
    ExpandTool: once<CallRequest>(async ({ session_id, tool_id }, caller) => {
      const answer = await (await find(session_id, caller)).expand_tool({ tool_id })
      return 'error' in answer ? answer : toExpanded(answer)
    }),
    CallTool: calling<CallRequest>(async ({ session_id, tool_id, args, version }, caller, options) => {
      const session = await find(session_id, caller)
      return session.call_tool({ tool_id, args: fromStruct(args), ...(version !== undefined && { version }) }, options)
    }),
  }
  return service

  async function find(sessionId: string | undefined, caller: Caller): Promise<DiscoverySession> {
    return sessionId === undefined ? discoveryOf(caller) : (await ownSession(runtime, sessionId, caller)).discovery
  }
}

/** Without the names of optional fields that proto-loader adds as `_field`; discovery reads strictly. */
function known<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('_'))) as Fields
}

function toDefinition({ id, description, inputSchema, resultSchema, skill }: Tool): object {
  return {
    name: id,
    description,
    parameters: toStruct(inputSchema),
    ...(resultSchema && { result_schema: toStruct(resultSchema) }),
    skill,
  }
}

function toExpanded({ tool_id, path, summary, args_schema, result_schema, version, ...details }: ExpandToolResponse) {
  return {
    ...{ tool_id, path, summary, version },
    args_schema: toStruct(args_schema),
    ...(result_schema && { result_schema: toStruct(result_schema) }),
    details: toStruct(details),
  }
}
