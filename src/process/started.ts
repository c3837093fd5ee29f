import type { Readable } from 'node:stream'
import type { UsableSandbox } from '../sandbox/sandbox-probe.ts'
import type { Exit, RunRequest } from './run-request.ts'

/** A program that runs, however it was started. */
export type Started = {
  readonly start: 'cold' | 'warm'
  readonly sandbox?: UsableSandbox
  /** The process above all others of it. */
  readonly pid?: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Never rejects. */
  readonly exit: Promise<Exit>
  /** Asks the program and what it started to end. */
  terminate(): void
  /** Ends them. After the exit: what it left behind. */
  kill(): void
  /** Ends what escaped `kill`; called when the output stays open after the exit. */
  sweep(): Promise<void>
  /** How many of its processes the kernel has killed for want of memory. */
  memoryKills(): number
  /** Called once, when the run is over. */
  release(): void
}

/** Starts a program. Throws what the system says (`E2BIG`, a NUL in an argument). */
export type Start = (request: RunRequest) => Promise<Started>
