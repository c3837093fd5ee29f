// What a runtime tells of itself: to subscribers, to the audit, to those who listen over a server.
import type { ErrorCode } from './errors.ts'
import type { ExecutorSpec, Json, RanUnder, Report } from './types.ts'

export type RuntimeEvent = CompileEvent | ReloadEvent | ToolEvent | DiscoveryEvent

/** The sources were compiled to a new snapshot. */
export type CompileEvent = {
  readonly type: 'dynamic_tool.compile'
  readonly time: string
  readonly traceId: string
  /** Compiling is done for all sessions. */
  readonly sessionId: null
  readonly status: 'ok' | 'error'
  readonly latencyMs: number
  readonly snapshot: string
  readonly counts: Report['counts']
}

/** Something changed on disk and the tools were compiled anew. */
export type ReloadEvent = Omit<CompileEvent, 'type'> & {
  readonly type: 'dynamic_tool.reload'
  /** Ids of the skills that changed, came or went. */
  readonly skills: readonly string[]
}

/** What can happen to a call. */
export type ToolEvent = CallEvent | RetryEvent | FailedEvent | DegradedEvent

type AboutCall = {
  readonly time: string
  readonly traceId: string
  /** Null when no session made the call. */
  readonly sessionId: string | null
  /** Null when nobody said who calls. */
  readonly callerId: string | null
  /** Null when the tool is unknown. */
  readonly skillId: string | null
  readonly toolName: string
  readonly executor: ExecutorSpec['type'] | null
  readonly attempt: number
  /** Since the call began. */
  readonly latencyMs: number
  readonly status: 'ok' | 'error'
  readonly errorCode: ErrorCode | null
}

/** One call has ended, well or not: exactly one per call. */
export type CallEvent = AboutCall & {
  readonly type: 'dynamic_tool.call'
  /** With secret values masked and long ones cut. */
  readonly args: Json
  /** Null when nothing ran. */
  readonly ranUnder: RanUnder | null
}

/** A try failed and will be repeated after `waitMs`. */
export type RetryEvent = AboutCall & { readonly type: 'dynamic_tool.retry'; readonly waitMs: number }

/** The last try failed. */
export type FailedEvent = AboutCall & { readonly type: 'dynamic_tool.failed' }

/** The tool itself is in trouble: go on without it for a while. */
export type DegradedEvent = AboutCall & { readonly type: 'dynamic_tool.degraded' }

/** A step on the way from a need to a tool. */
export type DiscoveryEvent =
  | (DiscoveryStep & { readonly type: 'discovery.list' })
  | (DiscoveryStep & { readonly type: 'discovery.search_tool_by_category' })
  | (DiscoveryStep & { readonly type: 'discovery.search_nodes' })
  | (DiscoveryStep & { readonly type: 'discovery.expand_tool' } & Choice)
  | (DiscoveryStep & { readonly type: 'discovery.call_tool' })

type DiscoveryStep = {
  readonly time: string
  readonly traceId: string
  /** Null outside of a session. */
  readonly sessionId: string | null
  /** Null when nobody said who asks. */
  readonly callerId: string | null
  /** Of the tool that was expanded or called; null in other steps, or when the caller knows no such tool. */
  readonly skillId: string | null
  /** As it was asked for. */
  readonly toolName: string | null
  readonly executor: ExecutorSpec['type'] | null
  /** How many tries the call took; 0 in other steps. */
  readonly attempt: number
  readonly latencyMs: number
  readonly status: 'ok' | 'error'
  readonly errorCode: ErrorCode | null
  /** What was asked, cut. */
  readonly query: string | null
  readonly path: readonly string[] | null
  /** Ids of the tools and paths of the nodes that were answered, in order. */
  readonly results: readonly string[]
}

/** Which earlier step of the trace showed the tool, and as which one of its results; null when none did. */
type Choice = { readonly chosenFrom: DiscoveryEvent['type'] | null; readonly rank: number | null }
