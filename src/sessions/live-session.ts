// One session at work. What it is stands in the store; here is what only this process has: running calls, listeners, files.
import type { Subscribers } from '../audit/subscribers.ts'
import { createDiscoverySession, type DiscoveryParts } from '../catalogue/discovery-session.ts'
import type { Views } from '../catalogue/views.ts'
import { SkillInvocationError, toolError } from '../errors.ts'
import { toSkillId } from '../skills/skill-name.ts'
import { nearest } from '../text/nearest.ts'
import type { Snapshot, Tool, ToolCall, ToolResult } from '../types.ts'
import { isStatic, isVisible } from '../visibility.ts'
import { createInlineSkills, type InlineOptions } from './inline-skills.ts'
import type { Session } from './session.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'

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
  /** Lets go of what this process holds for it. */
  release(): Promise<void>
}

const MAX_INLINE = 32

export function createLiveSession(first: SessionRecord, parts: SessionParts, forget: () => void): LiveSession {
  const { store, now } = parts
  const { id, caller, workspace, ttlMs } = first
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const listeners = new Set<() => void>()
  const inline = createInlineSkills(parts.inline)
  const stops = new Set([parts.on('dynamic_tool.reload', event => void tellIfActive(event.skills))])
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
      change(record => (content === undefined ? activate(name, record) : take(name, content, record))),
    removeSkill: name => change(record => deactivate(name, record)),
    listActiveSkills: async () => (await current()).activeSkills,
    async tools() {
      const { record, snapshot } = await look()
      return visible(snapshot).filter(seenBy(record))
    },
    call,
    on: ((type: '*', listener) =>
      stoppable(parts.on(type, event => void (event.sessionId === id && listener(event))))) as Session['on'],
    onToolsChanged(listener) {
      // A function that is given twice is heard twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    isOverdue: () => running.size === 0 && now() - lastUse >= ttlMs,
    async close() {
      await release()
      await store.delete(id)
    },
    release,
  }

  async function call(request: Omit<ToolCall, 'caller'>): Promise<ToolResult> {
    const { caller: _, ...rest } = Object(request) as ToolCall
    const seen = await look(String(rest.toolId)).catch(() => undefined)
    const sees = seen ? seenBy(seen.record) : () => false
    // A session that has ended still answers like a call, and leaves its event.
    const snapshot = seen?.snapshot ?? (await parts.snapshot(String(rest.toolId)))
    return run({ ...rest, ...(caller && { caller }) }, snapshot, sees)
  }

  /** A call keeps the session alive until it has ended. */
  async function run(request: ToolCall, snapshot: Snapshot, sees?: (tool: Tool) => boolean): Promise<ToolResult> {
    const session = { id, workspace, closing: closing.signal, ...(sees && { sees }) }
    const work = parts.call(request, snapshot, session)
    running.add(work)
    const result = await work
    running.delete(work)
    lastUse = now()
    await store.touch(id, lastUse + ttlMs)
    return result
  }

  async function activate(name: string, record: SessionRecord) {
    const { snapshot } = await lookAt(record)
    const skill = findSkill(String(name), snapshot)
    if (!record.activeSkills.includes(skill))
      await keep({ ...record, activeSkills: [...record.activeSkills, skill] }, [skill])
    return toolsOf(skill, snapshot)
  }

  async function take(name: string, content: string, record: SessionRecord) {
    if (!parts.allowInline || !isVisible({ ...rolesOfDynamic() }, caller))
      throw failure('SKILL_REFUSED', 'Skills cannot be handed over here.', { nextAction: 'Use a skill that is there.' })
    const skill = await inline.check(name, String(content), await parts.snapshot())
    const others = record.inlineSkills.filter(one => one.id !== skill.id)
    if (others.length >= MAX_INLINE)
      throw failure('SKILL_REFUSED', `A session takes ${MAX_INLINE} skills.`, {
        nextAction: 'Remove one of them first.',
      })
    const next = {
      ...record,
      activeSkills: [...record.activeSkills.filter(one => one !== skill.id), skill.id],
      inlineSkills: [...others, skill],
    }
    await keep(next, [skill.id])
    return toolsOf(skill.id, (await lookAt(next)).snapshot)
  }

  async function deactivate(name: string, record: SessionRecord) {
    const wanted = [String(name), toSkillId(String(name))].find(one => record.activeSkills.includes(one))
    if (wanted === undefined)
      throw failure('SKILL_NOT_ACTIVE', `The skill ${JSON.stringify(name)} is not active in this session.`, {
        hints: nearest(String(name), record.activeSkills).map(one => `Did you mean ${one}?`),
        nextAction: 'List the active skills, then choose one of them.',
      })
    const gone = toolsOf(wanted, (await lookAt(record)).snapshot)
    const without = {
      activeSkills: record.activeSkills.filter(one => one !== wanted),
      inlineSkills: record.inlineSkills.filter(one => one.id !== wanted),
    }
    await keep({ ...record, ...without }, [wanted])
    return gone
  }

  /** Its changes happen one after the other. */
  function change<Answer>(work: (record: SessionRecord) => Promise<Answer>): Promise<Answer> {
    const turn = queue.then(async () => work(await current()))
    queue = turn.catch(() => {})
    return turn
  }

  async function keep(record: SessionRecord, changed: readonly string[]): Promise<void> {
    await store.put(record, now() + ttlMs)
    await tellIfActive(changed, true)
  }

  /** The session as it is now. Throws when it has ended; each look lets it live on. */
  async function current(): Promise<SessionRecord> {
    const kept = closing.signal.aborted ? undefined : await store.get(id)
    const isAlive = kept && (kept.expiresAt > now() || running.size > 0)
    if (!isAlive) {
      if (!closing.signal.aborted) await release().then(() => store.delete(id))
      throw failure('SESSION_CLOSED', 'The session is closed or has expired.', { nextAction: 'Open a new session.' })
    }
    lastUse = now()
    await store.touch(id, lastUse + ttlMs)
    return kept.record
  }

  async function look(toolId?: string) {
    return lookAt(await current(), toolId)
  }

  async function lookAt(record: SessionRecord, toolId?: string) {
    return { record, snapshot: await inline.over(await parts.snapshot(toolId), record.inlineSkills) }
  }

  async function tellIfActive(skills: readonly string[], isOwnChange = false): Promise<void> {
    if (listeners.size === 0) return
    const active = (await store.get(id))?.record.activeSkills ?? []
    if (!isOwnChange && !skills.some(skill => active.includes(skill))) return
    for (const listener of listeners) listener()
  }

  function visible(snapshot: Snapshot): Tool[] {
    return [...snapshot.tools.values()].filter(tool => isVisible(tool, caller))
  }

  function toolsOf(skill: string, snapshot: Snapshot): string[] {
    return visible(snapshot)
      .filter(tool => tool.skill === skill && !isStatic(tool))
      .map(tool => tool.id)
  }

  /** A skill, or an MCP server, of which the caller may use something. */
  function findSkill(name: string, snapshot: Snapshot): string {
    const bringers = new Set(visible(snapshot).flatMap(tool => (isStatic(tool) ? [] : [tool.skill])))
    const found = [name, toSkillId(name)].find(one => bringers.has(one))
    if (found !== undefined) return found
    throw failure('SKILL_NOT_FOUND', `There is no skill ${JSON.stringify(name)}.`, {
      hints: nearest(name, bringers).map(one => `Did you mean ${one}?`),
      nextAction: 'List the skills, then choose one of them.',
    })
  }

  function rolesOfDynamic(): { readonly roles?: readonly string[] } {
    return parts.inline.dynamicRoles ? { roles: parts.inline.dynamicRoles } : {}
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

  async function release(): Promise<void> {
    closing.abort()
    forget()
    await Promise.allSettled(running)
    for (const stop of stops) stop()
    listeners.clear()
    inline.dispose()
  }
}

const seenBy =
  ({ activeSkills }: SessionRecord) =>
  (tool: Tool): boolean =>
    isStatic(tool) || activeSkills.includes(tool.skill)

function failure(...[code, message, options]: Parameters<typeof toolError>): SkillInvocationError {
  return new SkillInvocationError(toolError(code, message, options))
}
