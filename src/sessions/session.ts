import type { Subscribers } from '../audit/subscribers.ts'
import type { DiscoverySession } from '../catalogue/discovery-session.ts'
import type { Caller, Tool, ToolCall, ToolResult } from '../types.ts'

export type SessionOptions = {
  /** Default: a new random one. */
  readonly id?: string
  /** On whose behalf; only this caller may take the session up again. Absent: a caller without roles. */
  readonly caller?: Caller
  /** The folder that its tools work in. Default: the runtime's. */
  readonly workspace?: string
  /** How long it lives without being used, in milliseconds. Default: one hour. */
  readonly ttlMs?: number
  /** Whether a tool must have been expanded before it is called by discovery. Default: true. */
  readonly expandBeforeCall?: boolean
}

/** One agent at work: its workspace, its caller and its active skills. Sessions see nothing of each other. */
export type Session = {
  readonly id: string
  readonly caller: Caller | undefined
  readonly workspace: string
  /** Activates a skill, or an MCP server, and gives the ids of its tools. `content` is a whole SKILL.md for a skill that no source has. Throws `SkillInvocationError`. */
  useSkill(name: string, options?: { readonly content?: string }): Promise<readonly string[]>
  /** Deactivates it and gives the ids of the tools that went. Throws `SkillInvocationError` when it was not active. */
  removeSkill(name: string): Promise<readonly string[]>
  /** Ids of the active skills, in order of activation. This and what else gives a promise, `call` and `discovery` excepted, throws `SkillInvocationError` once the session has ended. */
  listActiveSkills(): Promise<readonly string[]>
  /** What the session sees: static tools and the tools of its active skills, as far as the caller may use them. */
  tools(): Promise<readonly Tool[]>
  /** Calls a tool that the session sees; with `inactive` any that its caller may use. Never throws: a failure is a result. */
  call(call: Omit<ToolCall, 'caller'>, options?: { readonly inactive?: boolean }): Promise<ToolResult>
  /** The five operations over everything that the caller may use, active or not, and the session's own inline skills. */
  readonly discovery: DiscoverySession
  /** Subscribes to the events of this session alone; returns how to stop. */
  readonly on: Subscribers['on']
  /** Hears that the tools it sees are others than before: a skill was activated, removed, or changed on disk. Returns how to stop. */
  onToolsChanged(listener: () => void): () => void
  /** Ends its running calls and forgets it. */
  close(): Promise<void>
}

/** `runtime.sessions`. */
export type Sessions = {
  /** Opens a new session. Throws `TypeError` on impossible options, `SkillInvocationError` when the id is taken or too many are open. */
  open(options?: SessionOptions): Promise<Session>
  /** A session of this caller; undefined when there is none with this id, it has expired, or it is another caller's. */
  get(id: string, options?: { readonly caller?: Caller }): Promise<Session | undefined>
}
