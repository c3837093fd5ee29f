// One import at a time per target. Locks are numbered files, and the highest number counts: taking over from a dead process
// is creating the next number, which only one of several can do.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkCancelled, ImportError } from './import-error.ts'

export type TargetLock = { release(): void }

type Waiting = { readonly signal: AbortSignal; readonly waitMs: number; readonly onWait: (holder: string) => void }

/** Takes the lock in `folder` (made when missing by `prepare`), waiting for its holder. Throws `BUSY` or `CANCELLED`. */
export async function lockTarget(folder: string, prepare: () => void, waiting: Waiting): Promise<TargetLock> {
  const deadline = Date.now() + waiting.waitMs
  for (;;) {
    checkCancelled(waiting.signal)
    prepare()
    const lock = tryLock(folder)
    if (typeof lock !== 'string') return lock
    if (Date.now() >= deadline)
      throw new ImportError('BUSY', `Another import is running (${lock}).`, 'Wait for it to end, then try again.')
    waiting.onWait(lock)
    await sleep(POLL_MS, undefined, { signal: waiting.signal }).catch(() => {})
  }
}

/** The lock, or who holds it. */
function tryLock(folder: string): TargetLock | string {
  const last = lockNumbers(folder).at(-1) ?? 0
  const holder = last === 0 ? undefined : holderOf(join(folder, lockName(last)))
  if (holder !== undefined) return holder
  try {
    writeFileSync(join(folder, lockName(last + 1)), JSON.stringify(myself()), { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Somebody was faster, or has just removed the folder.
    if (code === 'EEXIST' || code === 'ENOENT') return 'about to begin'
    throw error
  }
  return {
    // The own lock goes last: before that, nobody may find the folder without one.
    release: () => {
      for (const number of lockNumbers(folder)) rmSync(join(folder, lockName(number)), { force: true })
    },
  }
}

type Holder = { readonly pid: number; readonly started: string; readonly host: string }

/** Who holds the lock; undefined when they are gone. */
function holderOf(file: string): string | undefined {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const holder = readHolder(file)
  // Between creating and writing a lock there is a moment; it is short.
  if (!holder) return age < UNREADABLE_MS ? 'about to begin' : undefined
  const name = `process ${holder.pid} on ${holder.host}`
  if (holder.host !== hostname()) return age < FOREIGN_MS ? name : undefined
  return isAlive(holder.pid) && startOf(holder.pid) === holder.started ? name : undefined
}

function readHolder(file: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    const { pid, started, host } = value
    if (Number.isSafeInteger(pid) && pid! > 0 && typeof started === 'string' && typeof host === 'string')
      return { pid: pid!, started, host }
  } catch {
    // Gone or half-written: the caller looks at its age.
  }
  return undefined
}

const myself = (): Holder => ({ pid: process.pid, started: startOf(process.pid), host: hostname() })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, in ticks, so that a reused process number is told apart; empty where that is unknown. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function lockNumbers(folder: string): number[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const numbers = names.map(name => Number(/^import\.(\d{1,9})\.lock$/.exec(name)?.[1] ?? 0))
  return numbers.filter(number => number > 0).sort((a, b) => a - b)
}

const lockName = (number: number): string => `import.${number}.lock`

const POLL_MS = 50
const UNREADABLE_MS = 5_000
/** Another machine's process cannot be asked; no import takes that long. */
const FOREIGN_MS = 3_600_000
