// One process at a time. Locks are numbered files, and the highest number counts: taking over from a dead process is
// creating the next number, which only one of several can do.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

export type ProcessLock = { release(): void }

/** The lock of this name in an existing folder, or who holds it. Throws as `fs` does. */
export function tryLock(folder: string, name: string): ProcessLock | string {
  const last = lockNumbers(folder, name).at(-1) ?? 0
  const holder = last === 0 ? undefined : holderOf(join(folder, lockName(name, last)))
  if (holder !== undefined) return holder
  try {
    writeFileSync(join(folder, lockName(name, last + 1)), JSON.stringify(myself()), { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Somebody was faster, or has just removed the folder.
    if (code === 'EEXIST' || code === 'ENOENT') return 'about to begin'
    throw error
  }
  return {
    // The own lock goes last: before that, nobody may find the folder without one.
    release: () => {
      for (const number of lockNumbers(folder, name)) rmSync(join(folder, lockName(name, number)), { force: true })
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

/** Whether there is such a process, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, in ticks, so that a reused process number is told apart; empty where that is unknown. */
export function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function lockNumbers(folder: string, name: string): number[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const numbers = names
    .filter(one => one.startsWith(`${name}.`))
    .map(one => Number(/^\.(\d{1,9})\.lock$/.exec(one.slice(name.length))?.[1] ?? 0))
  return numbers.filter(number => number > 0).sort((a, b) => a - b)
}

const lockName = (name: string, number: number): string => `${name}.${number}.lock`

const UNREADABLE_MS = 5_000
/** Another machine's process cannot be asked; nothing that is locked takes that long. */
const FOREIGN_MS = 3_600_000
