// One session at work. What it is stands in the store; here is what only this process has: running calls, listeners, files.
import { randomUUID } from 'node:crypto'
import type { Subscribers } from '../audit/subscribers.ts'
import { createDiscoverySession, type DiscoveryParts } from '../catalogue/discovery-session.ts'
import type { Views } from '../catalogue/views.ts'
import { fail } from '../errors.ts'
import type { RuntimeEvent, Snapshot, Tool, ToolCall, ToolResult } from '../types.ts'
import { seenWith, usableTools } from './active-skills.ts'
import { createInlineSkills, type InlineOptions } from './inline-skills.ts'
import type { Session } from './session.ts'
import { sessionClosed } from './session-error.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'
import { createSkillChanges, type SkillChange } from './skill-changes.ts'

/** What sessions stand on. */
export type SessionParts = Pick<DiscoveryParts, 'snapshot' | 'emit' | 'views'> & {
  readonly store: SessionStore
  readonly call: (call: ToolCall, snapshot: Snapshot, session: SessionOfCall) => Promise<ToolResult>
  readonly on: Subscribers['on']
  /** Views of its own, for a session whose tools are not those of others. */
  readonly newViews: () => Views
  readonly inline: InlineOptions
  /** Whether skills may be handed over as text. */
  readonly allowInline: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type SessionOfCall = {
  readonly id: string
  readonly workspace: string
  readonly closing: AbortSignal
  readonly sees?: (tool: Tool) => boolean
}

export type LiveSession = Session & {
  /** Whether it is idle since so long that it should be looked after. */
  isOverdue(): boolean
  /** Says that these skills have other tools than before. */
  toolsChanged(skills: readonly string[]): Promise<void>
  /** Lets go of what this process holds for it. */
  release(): Promise<void>
}

export function createLiveSession(first: SessionRecord, parts: SessionParts, forget: () => void): LiveSession {
  const { store, now } = parts
  const { id, caller, workspace, ttlMs } = first
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const listeners = new Set<() => void>()
  const inline = createInlineSkills(parts.inline)
  const stops = new Set<() => void>()
  const changes = createSkillChanges({ ...parts, dynamicRoles: parts.inline.dynamicRoles, caller, inline, lookAt })
  let ownViews: Views | undefined
  let lastUse = now()
  let queue: Promise<unknown> = Promise.resolve()

  const discovery = createDiscoverySession(
    {
      snapshot: async toolId => (await look(toolId)).snapshot,
      call: run,
      emit: parts.emit,
      views: { of: (snapshot, who) => viewsFor(snapshot).of(snapshot, who) },
      sessionId: id,
    },
    { ...(caller && { caller }), expandBeforeCall: first.expandBeforeCall },
  )

  return {
    id,
    caller,
    workspace,
    discovery,
    useSkill: (name, { content } = {}) =>
      change(record =>
        content === undefined ? changes.activate(record, String(name)) : changes.take(record, String(name), content),
      ),
    removeSkill: name => change(record => changes.deactivate(record, String(name))),
    listActiveSkills: async () => (await current()).activeSkills,
    async tools() {
      const { record, snapshot } = await look()
      return usableTools(snapshot, caller).filter(seenWith(record.activeSkills))
    },
    call,
    on: ((type: '*', listener: (event: RuntimeEvent) => void) =>
      stoppable(parts.on(type, event => void (event.sessionId === id && listener(event))))) as Session['on'],
    onToolsChanged(listener) {
      // A function that is given twice is heard twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    isOverdue: () => running.size === 0 && now() - lastUse >= ttlMs,
    async toolsChanged(skills) {
      if (listeners.size === 0) return
      const active = (await store.get(id))?.record.activeSkills ?? []
      if (skills.some(skill => active.includes(skill))) tell()
    },
    close,
    release,
  }

  async function call(
    request: Omit<ToolCall, 'caller'>,
    { inactive = false }: { readonly inactive?: boolean } = {},
  ): Promise<ToolResult> {
    const { caller: _, ...rest } = Object(request) as ToolCall
    const toolId = String(rest.toolId)
    try {
      const { record, snapshot } = await lookOrEnd(toolId)
      const sees = inactive ? undefined : seenWith(record.activeSkills)
      return await run({ ...rest, ...(caller && { caller }) }, snapshot, sees)
    } catch (error) {
      const message = `The session cannot be read: ${error instanceof Error ? error.message : String(error)}`
      const failure = fail('INTERNAL', message, { nextAction: 'Try again later, or open a new session.' })
      return { ...failure, meta: { toolId, traceId: rest.traceId ?? randomUUID(), latencyMs: 0, attempts: 0 } }
    }
  }

  /** A call keeps the session alive until it has ended. */
  async function run(request: ToolCall, snapshot: Snapshot, sees?: (tool: Tool) => boolean): Promise<ToolResult> {
    const session = { id, workspace, closing: closing.signal, ...(sees && { sees }) }
    const work = parts.call(request, snapshot, session)
    running.add(work)
    const result = await work
    running.delete(work)
    lastUse = now()
    // What the tool gave counts, whatever becomes of the session.
    await store.touch(id, lastUse + ttlMs).catch(() => {})
    return result
  }

  /** Its changes happen one after the other. */
  function change(work: (record: SessionRecord) => Promise<SkillChange>): Promise<readonly string[]> {
    const turn = queue.then(async () => {
      const record = await current()
      const { next, toolIds } = await work(record)
      if (closing.signal.aborted) throw sessionClosed()
      if (next !== record) {
        await store.put(next, now() + ttlMs)
        tell()
      }
      return toolIds
    })
    queue = turn.catch(() => {})
    return turn
  }

  /** The session as it is now. Throws when it has ended; each look lets it live on. */
  async function current(): Promise<SessionRecord> {
    const kept = closing.signal.aborted ? undefined : await store.get(id)
    if (!kept || (kept.expiresAt <= now() && running.size === 0)) {
      if (!closing.signal.aborted) void close().catch(() => {})
      throw sessionClosed()
    }
    lastUse = now()
    await store.touch(id, lastUse + ttlMs)
    return kept.record
  }

  async function look(toolId?: string) {
    return lookAt(await current(), toolId)
  }

  /** A session that has ended still answers like a call, and leaves its event: it sees the first record. */
  async function lookOrEnd(toolId: string) {
    try {
      return await look(toolId)
    } catch (error) {
      if (!closing.signal.aborted) throw error
      return { record: first, snapshot: await parts.snapshot(toolId) }
    }
  }

  async function lookAt(record: SessionRecord, toolId?: string) {
    return { record, snapshot: await inline.over(await parts.snapshot(toolId), record.inlineSkills) }
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  /** Views are shared by all who see the same tools; inline skills are nobody else's. */
  function viewsFor(snapshot: Snapshot): Views {
    if (!inline.isOver(snapshot)) return parts.views
    ownViews ??= parts.newViews()
    return ownViews
  }

  function stoppable(stop: () => void): () => void {
    stops.add(stop)
    return () => {
      stops.delete(stop)
      stop()
    }
  }

  async function close(): Promise<void> {
    await release()
    await store.delete(id)
  }

  async function release(): Promise<void> {
    closing.abort()
    forget()
    await Promise.allSettled([...running, queue])
    for (const stop of stops) stop()
    listeners.clear()
    inline.dispose()
  }
}
