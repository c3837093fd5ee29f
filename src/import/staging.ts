// Where an import is prepared, and how it takes effect: everything new is complete and on disk before a journal says so;
// from then on the change is carried to its end, by this process or by whichever opens the target next.
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncFolder, writeAtomically } from '../files/write-atomically.ts'
import { isValidName } from '../skills/skill-name.ts'
import { ImportError, reasonOf } from './import-error.ts'
import { type Lock, lockFileOf, lockText, parseLock, readLock } from './lock-file.ts'
import { lockTarget } from './target-lock.ts'

export type Staging = {
  /** Real path of the folder that imports go to. */
  readonly target: string
  /** An empty folder on the same file system that no loader enters. */
  readonly work: string
  /** Where a new import is put together; it goes to `target/<name>`. */
  readonly place: (name: string) => string
  readonly lock: Lock
  /** Makes the change: all of it, or after a crash none or all of it. */
  readonly commit: (change: Change) => void
}

export type Change = {
  /** Names whose `place` takes the place of what is in the target. */
  readonly put: readonly string[]
  readonly drop: readonly string[]
  readonly lock: Lock
}

export type StagingOptions = {
  readonly signal: AbortSignal
  readonly onWait: (holder: string) => void
}

/** Runs `body` alone on a target and leaves nothing of the preparation behind. Throws `ImportError`. */
export async function withStaging<T>(
  into: string,
  options: StagingOptions,
  body: (staging: Staging) => Promise<T>,
): Promise<T> {
  const path = resolve(into)
  let created: string | undefined
  try {
    const prepare = () => {
      created ??= mkdirSync(path, { recursive: true })
      ensurePlainFolder(stateOf(path))
    }
    const held = await lockTarget(stateOf(path), prepare, { ...options, waitMs: WAIT_MS })
    try {
      const target = realpathSync.native(path)
      const work = workOf(target)
      finishInterrupted(target)
      mkdirSync(join(work, 'new'), { recursive: true, mode: 0o700 })
      const lock = readLock(target)
      const place = (name: string) => join(work, 'new', name)
      return await body({ target, work, place, lock, commit: change => commit(target, change) })
    } finally {
      rmSync(workOf(path), { recursive: true, force: true })
      held.release()
    }
  } catch (error) {
    if (error instanceof ImportError || !isFileError(error)) throw error
    const hint = 'Check that the folder may be written and that the disk has room.'
    throw new ImportError('TARGET_UNUSABLE', `${path} cannot be used: ${reasonOf(error)}.`, hint)
  } finally {
    removeWhenEmpty(stateOf(path))
    if (created !== undefined) for (let up = path; removeWhenEmpty(up) && up !== created; ) up = dirname(up)
  }
}

/**
 * Carries an import to its end that was killed in the middle, or removes what it left. Cheap when there was none, and
 * never throws: a folder that may not be written is used as it is.
 */
export async function recoverImports(folder: string): Promise<void> {
  if (!existsSync(workOf(folder))) return
  try {
    ensurePlainFolder(stateOf(folder))
    const waiting = { signal: new AbortController().signal, waitMs: 0, onWait: () => {} }
    const held = await lockTarget(stateOf(folder), () => {}, waiting)
    try {
      finishInterrupted(realpathSync.native(folder))
    } finally {
      held.release()
    }
    removeWhenEmpty(stateOf(folder))
  } catch {
    // An import is running, or the folder belongs to somebody else: whoever imports next comes back to it.
  }
}

function commit(target: string, { put, drop, lock }: Change): void {
  const work = workOf(target)
  syncFolder(join(work, 'new'))
  writeAtomically(journalOf(work), JSON.stringify({ put, drop, lock: lockText(lock) }))
  carryOut(target)
}

function finishInterrupted(target: string): void {
  const work = workOf(target)
  if (!existsSync(work)) return
  ensurePlainFolder(work)
  if (existsSync(journalOf(work))) carryOut(target)
  rmSync(work, { recursive: true, force: true })
}

/** Every step looks at what is there, so that the whole can be repeated from any point. */
function carryOut(target: string): void {
  const work = workOf(target)
  const journal = readJournal(journalOf(work))
  if (!journal) return
  mkdirSync(join(work, 'old'), { recursive: true })
  for (const name of journal.put) {
    if (!existsSync(join(work, 'new', name))) continue
    setAside(name)
    renameSync(join(work, 'new', name), join(target, name))
  }
  for (const name of journal.drop) setAside(name)
  writeAtomically(lockFileOf(target), journal.lock)
  rmSync(journalOf(work))

  function setAside(name: string): void {
    if (lstatSync(join(target, name), { throwIfNoEntry: false }))
      renameSync(join(target, name), join(work, 'old', `${name}-${randomUUID()}`))
  }
}

type Journal = { readonly put: readonly string[]; readonly drop: readonly string[]; readonly lock: string }

/** The target may be a folder from elsewhere, so a journal in it is not trusted further than its names. */
function readJournal(file: string): Journal | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, unknown>>
    const isNames = (names: unknown): names is string[] =>
      Array.isArray(names) && names.every(name => typeof name === 'string' && isValidName(name))
    const { put, drop, lock } = value
    if (isNames(put) && isNames(drop) && typeof lock === 'string' && typeof parseLock(lock) !== 'string')
      return { put, drop, lock }
  } catch {
    // Not ours; removed with the rest.
  }
  return undefined
}

/** A link here would lead deletions elsewhere. */
function ensurePlainFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (lstatSync(folder).isDirectory()) return
  throw new ImportError('TARGET_UNUSABLE', `${folder} is a link.`, 'Remove it, or import into another folder.')
}

function removeWhenEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'

const stateOf = (target: string): string => join(target, '.skillwright')
const workOf = (target: string): string => join(stateOf(target), 'import')
const journalOf = (work: string): string => join(work, 'commit.json')

/** A whole import of somebody else fits in. */
const WAIT_MS = 600_000
