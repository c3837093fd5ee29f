// What a store gives comes from outside: another version wrote it, or somebody else.
import { isAbsolute } from 'node:path'
import { isValidName } from '../skills/skill-name.ts'
import type { Caller } from '../types.ts'
import { sessionError } from './session-error.ts'
import type { InlineSkill, SessionRecord, SessionStore } from './session-store.ts'

type Kept = Awaited<ReturnType<SessionStore['get']>>
type Unread<Fields> = { readonly [Name in keyof Fields]?: unknown }

/** A store whose `get` throws `SkillInvocationError` on what is no session. */
export function checkedStore(store: SessionStore): SessionStore {
  return {
    async get(id) {
      const kept: unknown = await store.get(id)
      if (kept === undefined || kept === null) return undefined
      if (isKept(kept, id)) return kept
      throw sessionError('INTERNAL', 'The session store gave something that is no session.', {
        nextAction: 'Open a new session.',
      })
    },
    put: (record, expiresAt) => store.put(record, expiresAt),
    touch: (id, expiresAt) => store.touch(id, expiresAt),
    delete: id => store.delete(id),
  }
}

function isKept(value: unknown, id: string): value is Kept {
  const { record, expiresAt } = Object(value) as Unread<NonNullable<Kept>>
  const given = Object(record) as Unread<SessionRecord>
  return (
    typeof expiresAt === 'number' &&
    given.id === id &&
    (given.caller === undefined || isCaller(given.caller)) &&
    typeof given.workspace === 'string' &&
    isAbsolute(given.workspace) &&
    typeof given.ttlMs === 'number' &&
    typeof given.expandBeforeCall === 'boolean' &&
    isTexts(given.activeSkills) &&
    Array.isArray(given.inlineSkills) &&
    given.inlineSkills.every(isInlineSkill)
  )
}

/** The id becomes the name of a folder. */
function isInlineSkill(value: unknown): boolean {
  const { id, content } = Object(value) as Unread<InlineSkill>
  return typeof id === 'string' && isValidName(id) && typeof content === 'string'
}

export function isCaller(value: unknown): value is Caller {
  const { id, roles } = Object(value) as Unread<Caller>
  return typeof id === 'string' && isTexts(roles)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}
