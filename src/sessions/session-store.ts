import type { Caller } from '../types.ts'

/** What is known of a session, as plain data that can be stored anywhere. */
export type SessionRecord = {
  readonly id: string
  readonly caller?: Caller
  /** Real path. */
  readonly workspace: string
  readonly ttlMs: number
  readonly expandBeforeCall: boolean
  /** Ids, in order of activation. */
  readonly activeSkills: readonly string[]
  /** Skills that were handed over, with their whole SKILL.md. They are active too. */
  readonly inlineSkills: readonly InlineSkill[]
}

export type InlineSkill = { readonly id: string; readonly content: string }

/** Where sessions are kept. What has expired may be forgotten at any time. Times are milliseconds since 1970. */
export type SessionStore = {
  get(id: string): Promise<{ readonly record: SessionRecord; readonly expiresAt: number } | undefined>
  /** Adds a record, or replaces the one with its id. */
  put(record: SessionRecord, expiresAt: number): Promise<void>
  /** Lets a session live longer; does nothing when there is none. */
  touch(id: string, expiresAt: number): Promise<void>
  delete(id: string): Promise<void>
}

/** Keeps sessions as long as the process lives. */
export function createMemoryStore(): SessionStore {
  const records = new Map<string, { record: SessionRecord; expiresAt: number }>()
  return {
    get: async id => records.get(id),
    async put(record, expiresAt) {
      records.set(record.id, { record, expiresAt })
    },
    async touch(id, expiresAt) {
      const known = records.get(id)
      if (known) records.set(id, { ...known, expiresAt })
    },
    async delete(id) {
      records.delete(id)
    },
  }
}
