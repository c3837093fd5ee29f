import type { Runtime } from '../runtime.ts'
import type { Session } from '../sessions/session.ts'
import type { Caller } from '../types.ts'
import { openIn } from './sessions.ts'

/** What an MCP server shows. */
export type McpOptions = {
  /** `discovery`: five operations that find and call any tool; `flat`: every tool under its own name. Default: discovery. */
  readonly mode?: 'discovery' | 'flat'
  /** Ids of tools that are listed beside the five operations. Default: none. */
  readonly pinned?: readonly string[]
  /** Hears of what goes wrong beside a request. Default: a warning of the process. */
  readonly onWarning?: (message: string) => void
}

/** One client at work. Only protocols before 2026-07-28 have a session. */
export type Connection = {
  readonly runtime: Runtime
  readonly mode: 'discovery' | 'flat'
  readonly pinned: readonly string[]
  readonly caller: Caller | undefined
  readonly session: Session | undefined
}

/** The caller as most functions of the runtime take it. */
export function who({ caller }: Pick<Connection, 'caller'>): { readonly caller?: Caller } {
  return caller ? { caller } : {}
}

// Whoever holds the connection ends the session, so that an agent may think for longer than an hour.
const TTL_MS = 24 * 24 * 60 * 60 * 1000

/** A session that lives as long as its connection. Throws `SkillInvocationError` when there are too many. */
export function openSession(runtime: Runtime, caller: Caller | undefined, workspaces?: string): Promise<Session> {
  return openIn(runtime, workspaces, { ttlMs: TTL_MS, ...(caller && { caller }) })
}
