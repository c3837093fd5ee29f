// Ending a process and everything it started.
import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks every process of a call, also those that left its process group. */
export const CALL_MARK = 'SKILLWRIGHT_CALL'

const live = new Set<number>()
let watching = false

/** Remembers a process group, so that it cannot outlive this process. */
export function rememberGroup(pid: number): void {
  live.add(pid)
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const group of live) signalGroup(group, 'SIGKILL')
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

/** Kills what carries the mark of a call, wherever it went. True when something was found. Linux only. */
export function killMarked(callId: string): boolean {
  if (process.platform !== 'linux') return false
  let found = false
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid || !isMarked(entry, callId)) continue
    found = true
    try {
      process.kill(Number(entry), 'SIGKILL')
    } catch {
      // It ended on its own.
    }
  }
  return found
}

function isMarked(pid: string, callId: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${CALL_MARK}=${callId}\0`)
  } catch {
    return false
  }
}
