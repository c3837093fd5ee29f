// Ending a process and everything it started.
import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks every process of a call, also those that left its process group. */
export const CALL_MARK = 'SKILLWRIGHT_CALL'

/** Process group → the mark of its processes. */
const live = new Map<number, string>()
let watching = false

/** Remembers a process group, so that neither it nor what leaves it can outlive this process. */
export function rememberGroup(pid: number, mark: string): void {
  live.set(pid, mark)
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const [group, mark] of live) {
      signalGroup(group, 'SIGKILL')
      finished.add(mark)
    }
    sweepNow()
  })
}

export function forgetGroup(pid: number): void {
  live.delete(pid)
}

/** Signals a whole process group; one that is already gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // Nothing is left to signal.
  }
}

/** Kills what carries the mark of one of these calls, wherever it went. True when something was found. Linux only. */
export function killMarked(callIds: ReadonlySet<string>): boolean {
  let found = false
  for (const pid of processes()) {
    const mark = readMark(pid)
    if (mark === undefined || !callIds.has(mark)) continue
    found = true
    kill(pid)
  }
  return found
}

/** A process with the moment of its start, since numbers are used again. */
export type KnownProcess = { readonly pid: number; readonly since: string }

/** Everything that a process has started and that still has its ancestors. Linux only. */
export function descendantsOf(pid: number): KnownProcess[] {
  const children = new Map<number, KnownProcess[]>()
  for (const one of processes()) {
    const { parent, since } = readStat(one)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), { pid: one, since }])
  }
  const found = [...(children.get(pid) ?? [])]
  // The list grows while it is walked.
  for (const one of found) found.push(...(children.get(one.pid) ?? []))
  return found
}

export function killKnown(known: KnownProcess): void {
  signalKnown(known, 'SIGKILL')
}

export function signalKnown({ pid, since }: KnownProcess, signal: NodeJS.Signals): void {
  if (readStat(pid).since === since) kill(pid, signal)
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended on its own.
  }
}

const finished = new Set<string>()
let sweeping: NodeJS.Timeout | undefined

/**
 * Ends what a finished call left behind outside its group. One look at all processes serves all calls that end within a
 * moment, so that a call does not pay for it.
 */
export function sweepLater(callId: string): void {
  finished.add(callId)
  sweeping ??= setTimeout(sweepNow, SWEEP_DELAY_MS).unref()
}

/** Does now what `sweepLater` has put off. */
export function sweepNow(): void {
  clearTimeout(sweeping)
  sweeping = undefined
  if (finished.size === 0) return
  const calls = new Set(finished)
  finished.clear()
  for (let round = 0; round < 5 && killMarked(calls); round++);
}

const SWEEP_DELAY_MS = 50

function processes(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap(entry => {
    const pid = Number(entry)
    return Number.isInteger(pid) && pid !== process.pid ? [pid] : []
  })
}

function readMark(pid: number): string | undefined {
  const environment = read(`/proc/${pid}/environ`)
  const start = environment.indexOf(`${CALL_MARK}=`)
  if (start < 0) return undefined
  return environment.slice(start + CALL_MARK.length + 1, environment.indexOf('\0', start))
}

/** Fields 4 and 22, counted from behind the name, which may hold anything. */
function readStat(pid: number): { readonly parent: number | undefined; readonly since: string } {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: fields[1] === undefined ? undefined : Number(fields[1]), since: fields[19] ?? '' }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
