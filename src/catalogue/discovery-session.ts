// One agent's way through the catalogue: read the request → answer → remember what was shown and expanded → one event.
import { randomUUID } from 'node:crypto'
import { cutText } from '../text/clean-text.ts'
import type { Caller, DiscoveryEvent, Snapshot, Tool, ToolCall, ToolResult } from '../types.ts'
import { expandTool } from './expand.ts'
import { invalidRequest, notExpanded, staleSchema, thrownFailure, toolNotFound, toWireError } from './failures.ts'
import { pathOf } from './find.ts'
import { list } from './list.ts'
import type {
  CallToolRequest,
  CallToolResponse,
  ErrorResponse,
  ExpandToolRequest,
  ExpandToolResponse,
  ListRequest,
  ListResponse,
  NodePointer,
  OperationName,
  SearchNodesRequest,
  SearchNodesResponse,
  SearchToolByCategoryRequest,
  SearchToolByCategoryResponse,
  ToolPointer,
} from './operations.ts'
import { createRecent } from './recent.ts'
import { searchNodes, searchToolByCategory } from './search.ts'
import { versionOf } from './tool-version.ts'
import type { View, Views } from './views.ts'

export type DiscoverySessionOptions = {
  /** Absent: a caller without roles. */
  readonly caller?: Caller
  /** Whether a tool must have been expanded before it is called. Default: true. */
  readonly expandBeforeCall?: boolean
  /** Ties all steps together in the audit. Default: a new one for each way from a search to its calls. */
  readonly traceId?: string
}

/** The five operations, named and shaped as on the wire. They never throw: a failure is `{ error }`. */
export type DiscoverySession = {
  list(request?: ListRequest, options?: StepOptions): Promise<ListResponse | ErrorResponse>
  search_tool_by_category(
    request: SearchToolByCategoryRequest,
    options?: StepOptions,
  ): Promise<SearchToolByCategoryResponse | ErrorResponse>
  search_nodes(request: SearchNodesRequest, options?: StepOptions): Promise<SearchNodesResponse | ErrorResponse>
  expand_tool(request: ExpandToolRequest, options?: StepOptions): Promise<ExpandToolResponse | ErrorResponse>
  call_tool(request: CallToolRequest, options?: CallOptions): Promise<CallToolResponse>
}

/** A trace id given here is for this step alone. */
export type StepOptions = Pick<ToolCall, 'traceId'>

export type CallOptions = StepOptions & Pick<ToolCall, 'signal' | 'onUpdate' | 'timeoutMs'>

/** What a session stands on. */
export type DiscoveryParts = {
  /** The tools as they are on disk now: all of them, or at least this one. */
  readonly snapshot: (toolId?: string) => Promise<Snapshot>
  /** Calls a tool of this very snapshot. */
  readonly call: (call: ToolCall, snapshot: Snapshot) => Promise<ToolResult>
  readonly emit: (event: DiscoveryEvent) => void
  readonly views: Views
  /** What the steps are said to belong to in the audit. Absent: nothing. */
  readonly sessionId?: string
}

const MAX_EXPANDED = 1000
const MAX_SHOWN = 500
const MAX_LIMIT = 50
const MAX_QUERY_IN_AUDIT = 200

export function createDiscoverySession(parts: DiscoveryParts, options: DiscoverySessionOptions = {}): DiscoverySession {
  const { caller, expandBeforeCall = true } = options
  const expanded = createRecent<string>(MAX_EXPANDED)
  const shown = createRecent<{ readonly from: DiscoveryEvent['type']; readonly rank: number }>(MAX_SHOWN)
  let traceId = options.traceId ?? randomUUID()
  let hasCalled = false

  return {
    list: (request = {}, options) => look('list', request, list, options),
    search_tool_by_category: (request, options) =>
      look('search_tool_by_category', request, searchToolByCategory, options),
    search_nodes: (request, options) => look('search_nodes', request, searchNodes, options),
    expand_tool: expand,
    call_tool: call,
  }

  /** Listing and searching; after a call it begins a new way to a tool. */
  async function look<Request, Response extends object>(
    operation: LookingOperation,
    request: Request,
    answer: (view: View, request: Request) => Promise<Response | ErrorResponse>,
    more: StepOptions = {},
  ): Promise<Response | ErrorResponse> {
    if (hasCalled) beginTrace()
    const step = beginStep(more)
    const response = await guarded(operation, request, async read => answer(await viewNow(), read))
    const results = resultsOf(response)
    for (const [index, id] of results.entries()) shown.set(id, { from: `discovery.${operation}`, rank: index + 1 })
    step.tell({ type: `discovery.${operation}`, ...asked(request), ...told(response), results })
    return response
  }

  async function expand(
    request: ExpandToolRequest,
    more: StepOptions = {},
  ): Promise<ExpandToolResponse | ErrorResponse> {
    const step = beginStep(more)
    let tool: Tool | undefined
    const response = await guarded('expand_tool', request, async ({ tool_id }) => {
      const view = await viewNow(tool_id)
      tool = view.tools.get(tool_id)
      if (!tool) return toolNotFound(tool_id, view)
      return remember(tool, view)
    })
    const choice = shown.get(nameOf(request))
    step.tell({
      type: 'discovery.expand_tool',
      ...about(request, tool),
      ...told(response),
      chosenFrom: choice?.from ?? null,
      rank: choice?.rank ?? null,
    })
    return response
  }

  async function call(request: CallToolRequest, more: CallOptions = {}): Promise<CallToolResponse> {
    const step = beginStep(more)
    let tool: Tool | undefined
    hasCalled = true
    const response = await guarded('call_tool', request, async ({ tool_id, args, version }) => {
      const snapshot = await parts.snapshot(tool_id)
      const view = parts.views.of(snapshot, caller)
      tool = view.tools.get(tool_id)
      if (!tool) return toolNotFound(tool_id, view)
      const known = version ?? expanded.get(tool_id)
      if (known === undefined && expandBeforeCall) return notExpanded(tool_id)
      if (known !== undefined && known !== versionOf(tool)) return staleSchema(remember(tool, view))
      const { signal, onUpdate, timeoutMs } = more
      return toCallResponse(
        await parts.call(
          {
            toolId: tool_id,
            args: args ?? {},
            traceId: step.traceId,
            ...(caller && { caller }),
            ...(signal && { signal }),
            ...(onUpdate && { onUpdate }),
            ...(timeoutMs !== undefined && { timeoutMs }),
          },
          snapshot,
        ),
      )
    })
    const attempt = 'meta' in response ? response.meta.attempts : 0
    const latencyMs = step.tell({ type: 'discovery.call_tool', ...about(request, tool), ...told(response), attempt })
    if ('meta' in response) return response
    const meta = { tool_id: nameOf(request), trace_id: step.traceId, latency_ms: latencyMs, attempts: 0 }
    return { ok: false, error: response.error, meta }
  }

  function remember(tool: Tool, view: View): ExpandToolResponse {
    expanded.set(tool.id, versionOf(tool))
    return expandTool(tool, pathOf(tool, view))
  }

  async function viewNow(toolId?: string): Promise<View> {
    return parts.views.of(await parts.snapshot(toolId), caller)
  }

  function beginTrace(): void {
    hasCalled = false
    if (options.traceId !== undefined) return
    traceId = randomUUID()
    shown.clear()
  }

  /** A step belongs to the trace it began in, also when others end or begin meanwhile. */
  function beginStep(more: StepOptions) {
    const own = more.traceId ?? traceId
    const start = performance.now()
    return {
      traceId: own,
      tell(event: Details): number {
        const latencyMs = since(start)
        const who = { sessionId: parts.sessionId ?? null, callerId: caller?.id ?? null }
        const when = { time: new Date().toISOString(), latencyMs }
        parts.emit({ ...NOTHING, ...event, ...who, ...when, traceId: own } as DiscoveryEvent)
        return latencyMs
      },
    }
  }
}

/** What an event says of things that its step did not touch. */
const NOTHING = { skillId: null, toolName: null, executor: null, attempt: 0, query: null, path: null, results: [] }

type LookingOperation = 'list' | 'search_tool_by_category' | 'search_nodes'

type Details = Pick<DiscoveryEvent, 'type' | 'status' | 'errorCode'> & Partial<DiscoveryEvent>

/** Reads the request, and makes an answer of whatever goes wrong. The schemas are loaded with the first request. */
async function guarded<Request, Response>(
  operation: OperationName,
  given: Request,
  answer: (request: Request) => Promise<Response | ErrorResponse>,
): Promise<Response | ErrorResponse> {
  try {
    const { requestProblem } = await import('./operations.ts')
    const request = withLimit(given ?? ({} as Request))
    const problem = requestProblem(operation, request)
    return problem === undefined ? await answer(request) : invalidRequest(problem)
  } catch (error) {
    return thrownFailure(error)
  }
}

/** Whoever asks for more than a page can hold gets a full page. */
function withLimit<Request>(request: Request): Request {
  const limit: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'limit') : undefined
  return typeof limit === 'number' && limit > MAX_LIMIT ? { ...request, limit: MAX_LIMIT } : request
}

/** The result of a call as it stands on the wire. */
export function toCallResponse(result: ToolResult): CallToolResponse {
  const { toolId, traceId, latencyMs, attempts, exitCode, stderr, outputFile, ranUnder } = result.meta
  const meta = {
    tool_id: toolId,
    trace_id: traceId,
    latency_ms: latencyMs,
    attempts,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(stderr !== undefined && { stderr }),
    ...(outputFile !== undefined && { output_file: outputFile }),
    ...(ranUnder && { ran_under: { ...ranUnder, downgrades: [...(ranUnder.downgrades ?? [])] } }),
  }
  return result.ok ? { ok: true, data: result.data, meta } : { ok: false, error: toWireError(result.error), meta }
}

/** Ids of tools and paths of nodes, best first. */
function resultsOf(response: unknown): string[] {
  const {
    nodes = [],
    tools = [],
    results = [],
  } = response as Partial<ListResponse & { results: (ToolPointer | NodePointer)[] }>
  return [...tools, ...results, ...nodes].map(one => ('tool_id' in one ? one.tool_id : `${one.path.join('/')}/`))
}

function told(response: object): Pick<DiscoveryEvent, 'status' | 'errorCode'> {
  const errorCode = 'error' in response ? (response as ErrorResponse).error.code : null
  return { status: errorCode ? 'error' : 'ok', errorCode }
}

/** Whatever a program handed over: it is checked elsewhere. */
function asked(request: unknown): Pick<DiscoveryEvent, 'query' | 'path'> {
  const { query, path, category_path } = Object(request) as Record<string, unknown>
  const place = path ?? category_path
  return {
    query: typeof query === 'string' ? cutText(query, MAX_QUERY_IN_AUDIT) : null,
    path: Array.isArray(place) ? place.slice(0, 8).map(label => cutText(String(label), 48)) : null,
  }
}

function about(request: unknown, tool: Tool | undefined): Pick<DiscoveryEvent, 'toolName' | 'skillId' | 'executor'> {
  const toolName = cutText(nameOf(request), MAX_QUERY_IN_AUDIT)
  return { toolName, skillId: tool?.skill ?? null, executor: tool?.executor.type ?? null }
}

function nameOf(request: unknown): string {
  const { tool_id } = Object(request) as Record<string, unknown>
  return typeof tool_id === 'string' ? tool_id : ''
}

function since(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000
}
