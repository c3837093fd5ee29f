// What is asked of a run and what comes of it, as plain data: a run may take place in another process.
import type { Confinement } from '../sandbox/confinement.ts'
import type { SandboxProbe } from '../sandbox/sandbox-probe.ts'
import type { SandboxKind } from '../types.ts'
import type { Captured } from './capture-output.ts'

export type RunRequest = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Undefined: stdin is closed at once. */
  readonly stdin?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Marks every process of this run. */
  readonly callId: string
  readonly stdout: OutputLimits
  readonly stderr: OutputLimits
  /** Values that are taken out of all output. */
  readonly mask?: readonly string[]
  /** Hears every piece of output as it comes. */
  readonly onText?: (stream: 'stdout' | 'stderr', text: string) => void
  /** Hears the number of the process group, when the program got one of its own. */
  readonly onGroup?: (pid: number) => void
  /** Absent: the program runs with all rights of this process. */
  readonly confinement?: Confinement
  /** What this machine can enforce; found out when absent. Without a sandbox a confined program is not started. */
  readonly sandbox?: SandboxProbe
  /** Absent: the program is always started anew. */
  readonly warm?: WarmStart
}

/** A script whose interpreter may have been started before the call. */
export type WarmStart = {
  readonly interpreter: 'python' | 'node'
  /** How many of the first arguments are the same in all calls: those up to the script. */
  readonly fixedArgs: number
  /** File of the script. */
  readonly script: string
}

export type OutputLimits = {
  /** Bytes kept in memory and returned. */
  readonly keep: number
  /** Takes longer output, up to so many bytes. Absent: what is cut is lost. */
  readonly file?: { readonly path: string; readonly bytes: number }
}

/** How a program itself ended; what it started may still run. */
export type Exit =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: NodeJS.Signals }
  /** `code` is that of the system, such as `ENOENT`. */
  | { readonly how: 'not-started'; readonly code: string }

/** A failed run has the same shape as a good one. */
export type RunOutcome = {
  readonly end:
    | Exit
    /** It went over a limit of its confinement: `what` is `512 MiB of memory`. */
    | { readonly how: 'limit'; readonly what: string }
    | { readonly how: 'timeout' }
    | { readonly how: 'cancelled' }
    /** There was no place for it: so many ran and waited already. */
    | { readonly how: 'overloaded'; readonly running: number; readonly waiting: number }
  readonly start: 'cold' | 'warm'
  /** What it ran in. */
  readonly sandbox: SandboxKind | 'none'
  readonly stdout: Captured
  readonly stderr: Captured
}

/** Runs a program. Never throws. */
export type Run = (request: RunRequest) => Promise<RunOutcome>
