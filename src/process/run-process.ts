// Runs one program to its end, whatever it does. execa, tinyexec and plain spawn all left survivors or hung on children
// that ignore SIGTERM or hold stdout open.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Confinement } from '../sandbox/confinement.ts'
import { type Captured, type CaptureLimits, captureOutput } from './capture-output.ts'
import {
  CALL_MARK,
  descendantsOf,
  forgetGroup,
  type KnownProcess,
  killKnown,
  killMarked,
  rememberGroup,
  signalGroup,
  sweepLater,
} from './process-tree.ts'

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
  readonly stdout: CaptureLimits
  readonly stderr: CaptureLimits
  /** The box it runs in. Absent: it has the rights of this process. */
  readonly confinement?: Confinement
}

/** A failed run has the same shape as a good one. */
export type RunOutcome = {
  readonly end:
    | { readonly how: 'exited'; readonly code: number }
    | { readonly how: 'signalled'; readonly signal: NodeJS.Signals }
    | { readonly how: 'timeout' }
    | { readonly how: 'cancelled' }
    | { readonly how: 'not-started'; readonly error: NodeJS.ErrnoException }
  readonly stdout: Captured
  readonly stderr: Captured
}

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 300
/** How long to wait for output that a process outside the group may hold open. */
const DRAIN_MS = 100

/** Runs a program. Never throws and always ends: at the latest shortly after its timeout. */
export function runProcess(request: RunRequest): Promise<RunOutcome> {
  const stdout = captureOutput(request.stdout)
  const stderr = captureOutput(request.stderr)
  const finish = (end: RunOutcome['end']): RunOutcome => ({ end, stdout: stdout.finish(), stderr: stderr.finish() })

  if (request.signal.aborted) return Promise.resolve(finish({ how: 'cancelled' }))
  const started = start(request)
  if (started instanceof Error) return Promise.resolve(finish({ how: 'not-started', error: started }))

  const child = started
  return new Promise(resolve => {
    let end: RunOutcome['end'] | undefined
    const deadline = setTimeout(() => terminate({ how: 'timeout' }), request.timeoutMs)
    let kill: NodeJS.Timeout | undefined
    let started: readonly KnownProcess[] = []
    const cancel = () => terminate({ how: 'cancelled' })
    request.signal.addEventListener('abort', cancel, { once: true })

    child.stdout?.on('data', stdout.push)
    child.stderr?.on('data', stderr.push)
    child.on('error', error => {
      // A child that never got a pid emits no 'exit'.
      if (child.pid === undefined) settle({ how: 'not-started', error })
    })
    child.on('exit', (code, signal) => {
      // A shell leaves its children behind: the call is over, so they are too.
      signalGroup(child.pid!, 'SIGKILL')
      const own: RunOutcome['end'] = signal ? { how: 'signalled', signal } : { how: 'exited', code: code ?? 0 }
      const final = end ?? own
      child.once('close', () => settle(final))
      if (end) void sweep(final)
      else drain = setTimeout(() => void sweep(final), DRAIN_MS)
    })
    let drain: NodeJS.Timeout | undefined
    let settled = false

    function terminate(reason: RunOutcome['end']): void {
      if (end) return
      end = reason
      // Taken before anything dies: an orphan has lost its ancestors, and perhaps also the mark.
      started = descendantsOf(child.pid!)
      signalGroup(child.pid!, 'SIGTERM')
      kill = setTimeout(() => signalGroup(child.pid!, 'SIGKILL'), GRACE_MS)
    }

    /** Ends what left the group (setsid, daemons), then stops listening to pipes that nobody may close any more. */
    async function sweep(final: RunOutcome['end']): Promise<void> {
      for (const one of started) killKnown(one)
      for (let round = 0; round < 20 && killMarked(new Set([request.callId])); round++) await sleep(10)
      await sleep(settled ? 0 : DRAIN_MS)
      child.stdout?.destroy()
      child.stderr?.destroy()
      settle(final)
    }

    function settle(final: RunOutcome['end']): void {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      clearTimeout(kill)
      clearTimeout(drain)
      request.signal.removeEventListener('abort', cancel)
      if (child.pid !== undefined) {
        forgetGroup(child.pid)
        sweepLater(request.callId)
      }
      resolve(finish(final))
    }
  })
}

/** Starts the program in a process group of its own. Some errors are thrown at once (too long, a NUL), others later. */
function start(request: RunRequest): ChildProcess | NodeJS.ErrnoException {
  try {
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: { ...request.env, [CALL_MARK]: request.callId },
      detached: true,
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    if (child.pid !== undefined) rememberGroup(child.pid)
    // A script that does not read its input closes the pipe: that is its right.
    child.stdin?.on('error', () => {})
    child.stdin?.end(request.stdin)
    return child
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
