// trust.json in the user's state folder: which skills were approved, as they were then, and what was granted to them.
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInside } from '../files/inside.ts'
import { tryLock } from '../files/process-lock.ts'
import { writeAtomically } from '../files/write-atomically.ts'

/** What a skill may do beyond its policy. */
export type Grants = {
  /** `host` or `host:port` that its scripts and HTTP tools may reach. */
  readonly network?: readonly string[]
  /** Variables of the host that it gets when it declares them. */
  readonly env?: readonly string[]
  /** What its scripts may write: `skill`, `workspace`, or a path. */
  readonly write?: readonly string[]
}

/** An approval. It holds for the content that was approved, and for no other. */
export type TrustRecord = {
  readonly id: string
  readonly folder: string
  readonly hash: string
  /** Path → beginning of the hash, to tell later what has changed. */
  readonly files: Readonly<Record<string, string>>
  readonly policy?: 'strict' | 'balanced' | 'permissive'
  readonly grants?: Grants
  readonly time: string
}

export type TrustStore = {
  readonly file: string
  /** What was approved for the skill in this folder. A file that cannot be used holds no approvals. */
  find(folder: string): TrustRecord | undefined
  /** Why the file cannot be used, when it cannot. */
  problem(): string | undefined
  /** Changes the records, alone. Throws an `Error` that says why it could not. */
  change(edit: (records: Map<string, TrustRecord>) => void): Promise<void>
}

const VERSION = 1
const MAX_BYTES = 64 * 1024 * 1024
const WAIT_MS = 10_000

/** Where approvals are kept unless somebody names another file. */
export function trustFileOf({
  env = process.env,
  home = homedir(),
}: {
  env?: NodeJS.ProcessEnv
  home?: string
} = {}): string {
  return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'skillwright', 'trust.json')
}

export function createTrustStore(file: string): TrustStore {
  let known: { readonly stat: string; readonly reading: Reading } | undefined
  const read = (): Reading => {
    const stat = statText(file)
    if (known?.stat !== stat) known = { stat, reading: readRecords(file) }
    return known.reading
  }
  return {
    file,
    find: folder => read().records.get(folder),
    problem: () => read().problem,
    async change(edit) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const lock = await takeLock(file)
      try {
        // Not what is known: another process may have written within the step of the clock.
        const { records, problem } = readRecords(file)
        if (problem !== undefined) throw new Error(`${file} cannot be used: ${problem}. Mend it, or move it away.`)
        const changed = new Map(records)
        edit(changed)
        const skills = Object.fromEntries([...changed].sort(([a], [b]) => (a < b ? -1 : 1)))
        writeAtomically(file, `${JSON.stringify({ version: VERSION, skills }, null, 1)}\n`, 0o600)
        known = undefined
      } finally {
        lock.release()
      }
    },
  }
}

/** Removes what was approved for skills in a folder that is gone. */
export function forgetBelow(records: Map<string, TrustRecord>, folder: string): void {
  for (const path of records.keys()) if (isInside(folder, path)) records.delete(path)
}

async function takeLock(file: string) {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const lock = tryLock(dirname(file), basename(file))
    if (typeof lock !== 'string') return lock
    if (Date.now() > end) throw new Error(`${file} is in use by ${lock}.`)
    await sleep(5)
  }
}

type Reading = { readonly records: ReadonlyMap<string, TrustRecord>; readonly problem?: string }

function readRecords(file: string): Reading {
  const unusable = (problem: string): Reading => ({ records: new Map(), problem })
  let text: string
  try {
    text = readOwnFile(file)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? { records: new Map() }
      : unusable((error as Error).message)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || value['version'] !== VERSION || !isRecord(value['skills']))
      return unusable(`it is not { version: ${VERSION}, skills }`)
    const entries = Object.entries(value['skills'])
    const wrong = entries.find(([folder, record]) => !isTrustRecord(record) || record.folder !== folder)
    if (wrong) return unusable(`the entry ${JSON.stringify(wrong[0])} is not one of ours`)
    return { records: new Map(entries as [string, TrustRecord][]) }
  } catch (error) {
    return unusable((error as Error).message)
  }
}

/** Approvals that somebody else can write are none. */
function readOwnFile(file: string): string {
  const open = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(open)
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is no regular file of a usual size')
    const me = process.getuid?.()
    if (me !== undefined && stat.uid !== me && stat.uid !== 0) throw new Error('it belongs to somebody else')
    if (me !== undefined && (stat.mode & 0o022) !== 0) throw new Error('others may write it')
    return readFileSync(open, 'utf8')
  } finally {
    closeSync(open)
  }
}

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value)) return false
  const { policy, grants, files } = value
  return (
    ['id', 'folder', 'hash', 'time'].every(key => typeof value[key] === 'string') &&
    isRecord(files) &&
    Object.values(files).every(hash => typeof hash === 'string') &&
    (policy === undefined || policy === 'strict' || policy === 'balanced' || policy === 'permissive') &&
    (grants === undefined || (isRecord(grants) && Object.values(grants).every(isTexts)))
  )
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(one => typeof one === 'string')

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function statText(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : 'gone'
}
