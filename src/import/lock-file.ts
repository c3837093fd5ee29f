// skills-lock.json in the target: where each import came from, and what it was.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isValidName } from '../skills/skill-name.ts'
import { ImportError } from './import-error.ts'

/** One import: a skill, or a plugin with its skills. */
export type LockEntry = {
  readonly kind: 'skill' | 'plugin'
  /** What to import again, without the ref. */
  readonly source: string
  readonly sourceType: string
  /** The branch, tag or commit that was asked for. */
  readonly ref?: string
  /** The commit that came. */
  readonly commit?: string
  /** Where in the source it lies; `.` for all of it. */
  readonly skillPath: string
  readonly hash: string
  readonly importedAt: string
}

export type Lock = ReadonlyMap<string, LockEntry>

const VERSION = 1

export const lockFileOf = (target: string): string => join(target, 'skills-lock.json')

/** The lock of a target; empty when there is none. Throws `TARGET_UNUSABLE` on one that cannot be understood. */
export function readLock(target: string): Lock {
  const file = lockFileOf(target)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw unusable(file, (error as Error).message)
  }
  const lock = parseLock(text)
  if (typeof lock === 'string') throw unusable(file, lock)
  return lock
}

/** The lock in this text, or what is wrong with it. */
export function parseLock(text: string): Lock | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if (!isRecord(value) || !isRecord(value['skills'])) return 'it is not { version, skills }'
  if (value['version'] !== VERSION) return `its version is not ${VERSION}`
  const entries = Object.entries(value['skills'])
  const wrong = entries.find(([name, entry]) => !isValidName(name) || !isEntry(entry))
  if (wrong) return `the entry ${JSON.stringify(wrong[0])} is not one of ours`
  return new Map(entries as [string, LockEntry][])
}

export function lockText(lock: Lock): string {
  const skills = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ version: VERSION, skills }, null, 2)}\n`
}

function isEntry(value: unknown): value is LockEntry {
  if (!isRecord(value)) return false
  const isText = (key: string) => typeof value[key] === 'string'
  const isOptional = (key: string) => value[key] === undefined || isText(key)
  return (
    (value['kind'] === 'skill' || value['kind'] === 'plugin') &&
    ['source', 'sourceType', 'skillPath', 'hash', 'importedAt'].every(isText) &&
    ['ref', 'commit'].every(isOptional)
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unusable(file: string, why: string): ImportError {
  const hint = 'Mend it, or move it away: the skills stay, but can then be updated only by importing them again.'
  return new ImportError('TARGET_UNUSABLE', `${file} cannot be used: ${why}.`, hint)
}
