// How a program ended inside a sandbox, told as if there were none.
import { constants } from 'node:os'
import type { RunOutcome } from './run-request.ts'

/** What the sandbox itself says when it could not start the program: bubblewrap, or the shell that sets the limits. */
const NOT_STARTED = /^(?:bwrap|skillwright|\/bin\/sh): /

/** Codes with which these give up. */
const GIVING_UP = [1, 2, 126, 127]

export function endInside(end: RunOutcome['end'], stderr: string, fileMb: number | undefined): RunOutcome['end'] {
  if (end.how !== 'exited') return end
  if (GIVING_UP.includes(end.code) && NOT_STARTED.test(stderr)) return { how: 'not-started', code: stderr.trim() }
  const signal = signalOf(end.code)
  if (signal === 'SIGXFSZ') return { how: 'limit', what: `${fileMb} MiB for one file` }
  if (signal === 'SIGXCPU') return { how: 'limit', what: 'processor time' }
  return end
}

/** The signal behind an exit code such as 137, as shells and bubblewrap tell it. */
export function signalOf(code: number): NodeJS.Signals | undefined {
  const entries = Object.entries(constants.signals) as [NodeJS.Signals, number][]
  return entries.find(([, number]) => number === code - 128)?.[0]
}
