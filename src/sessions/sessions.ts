// runtime.sessions: opens sessions, finds them again for their own caller, and looks after those that nobody uses any more.
import { randomUUID } from 'node:crypto'
import type { SkillInvocationError } from '../errors.ts'
import { realFolder } from '../files/real-folder.ts'
import type { Caller } from '../types.ts'
import { isCaller } from './checked-store.ts'
import { createLiveSession, type LiveSession, type SessionParts } from './live-session.ts'
import type { SessionOptions, Sessions } from './session.ts'
import { sessionError } from './session-error.ts'
import type { SessionRecord } from './session-store.ts'

export type SessionsOptions = {
  /** The workspace of sessions that name none. */
  readonly workspace: string
  readonly maxSessions: number
}

const TTL_MS = 60 * 60 * 1000
const MAX_TTL_MS = 30 * 24 * 60 * 60 * 1000
const SWEEP_MS = 60 * 1000

export type KeptSessions = Sessions & {
  /** Says that these skills or servers have other tools than before. */
  toolsChanged(skills: readonly string[]): void
  /** Lets go of what this process holds; what the store keeps can be taken up again elsewhere. */
  close(): Promise<void>
}

export function createSessions(parts: SessionParts, options: SessionsOptions): KeptSessions {
  const { store, now } = parts
  const live = new Map<string, LiveSession>()
  let sweeper: NodeJS.Timeout | undefined
  parts.on('dynamic_tool.reload', event => toolsChanged(event.skills))

  return {
    async open(given = {}) {
      const record = toRecord(given, options.workspace)
      const kept = await store.get(record.id)
      if (kept && kept.expiresAt <= now()) await live.get(record.id)?.close()
      else if (kept) throw isOpen(record.id)
      await makeRoom()
      if (live.has(record.id)) throw isOpen(record.id)
      const session = adopt(record)
      try {
        await store.put(record, now() + record.ttlMs)
      } catch (error) {
        await session.release()
        throw error
      }
      return session
    },
    async get(id, { caller } = {}) {
      const kept = typeof id === 'string' ? await store.get(id) : undefined
      if (!kept || !isSameCaller(kept.record.caller, caller)) return undefined
      if (kept.expiresAt <= now() && live.get(id)?.isOverdue() !== false) {
        await live.get(id)?.close()
        return undefined
      }
      await store.touch(id, now() + kept.record.ttlMs)
      if (!live.has(id)) await makeRoom()
      return live.get(id) ?? adopt(kept.record)
    },
    toolsChanged,
    async close() {
      clearInterval(sweeper)
      await Promise.allSettled([...live.values()].map(session => session.release()))
    },
  }

  function toolsChanged(skills: readonly string[]): void {
    for (const session of live.values()) void session.toolsChanged(skills).catch(() => {})
  }

  function adopt(record: SessionRecord): LiveSession {
    // Asked here too: others may have come in while room was made.
    if (live.size >= options.maxSessions) throw tooMany(options.maxSessions)
    sweeper ??= setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref()
    const session = createLiveSession(record, parts, () => void live.delete(record.id))
    live.set(record.id, session)
    return session
  }

  async function makeRoom(): Promise<void> {
    if (live.size >= options.maxSessions) await sweep()
  }

  /** Another process may have used the session since, so the store has the last word. */
  async function sweep(): Promise<void> {
    for (const session of [...live.values()]) {
      if (!session.isOverdue()) continue
      const kept = await store.get(session.id)
      if (!kept || kept.expiresAt <= now()) await session.close()
    }
  }
}

function toRecord(given: SessionOptions, workspace: string): SessionRecord {
  const { id = randomUUID(), caller, ttlMs = TTL_MS, expandBeforeCall = true } = given
  if (typeof id !== 'string' || !/^[\w.:-]{1,128}$/.test(id))
    throw new TypeError(`id: ${JSON.stringify(id)} must have 1 to 128 letters, digits, _ . : or -`)
  if (!(Number.isFinite(ttlMs) && ttlMs > 0 && ttlMs <= MAX_TTL_MS))
    throw new TypeError(`ttlMs: ${ttlMs} must be more than 0 and at most ${MAX_TTL_MS}`)
  if (caller && !isCaller(caller)) throw new TypeError('caller: must have an id and roles, which are texts')
  return {
    id,
    ...(caller && { caller: { id: caller.id, roles: [...caller.roles] } }),
    workspace: given.workspace === undefined ? workspace : realFolder(given.workspace, 'workspace'),
    ttlMs,
    expandBeforeCall,
    activeSkills: [],
    inlineSkills: [],
  }
}

/** Whoever has lost a role since, or got one, is another caller. */
function isSameCaller(a: Caller | undefined, b: Caller | undefined): boolean {
  const rolesOf = (caller: Caller | undefined) => JSON.stringify([...new Set(caller?.roles)].toSorted())
  return a?.id === b?.id && rolesOf(a) === rolesOf(b)
}

function tooMany(most: number): SkillInvocationError {
  return sessionError('TOO_MANY_SESSIONS', `${most} sessions are open, and no more can be.`, {
    nextAction: 'Close a session that is no longer needed, or try again later.',
  })
}

function isOpen(id: string): SkillInvocationError {
  return sessionError('SESSION_EXISTS', `A session ${JSON.stringify(id)} is open already.`, {
    nextAction: 'Take it up again if it is yours, or choose another id.',
  })
}
