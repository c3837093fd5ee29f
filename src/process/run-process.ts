// Runs one program to its end, whatever it does. execa, tinyexec and plain spawn all left survivors or hung on children
// that ignore SIGTERM or hold stdout open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Confinement } from '../sandbox/confinement.ts'
import { probeSandbox, type SandboxProbe } from '../sandbox/probe-sandbox.ts'
import type { UsableSandbox } from '../sandbox/sandbox-probe.ts'
import type { SandboxKind } from '../types.ts'
import { type Captured, type CaptureLimits, captureOutput } from './capture-output.ts'
import { endInside } from './end-inside.ts'
import {
  descendantsOf,
  forgetGroup,
  type KnownProcess,
  killKnown,
  killMarked,
  signalGroup,
  signalKnown,
  sweepLater,
} from './process-tree.ts'
import { startProcess } from './start-process.ts'
import { watchUsage } from './watch-usage.ts'

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
  /** The box that it runs in. Absent: none. */
  readonly confinement?: Confinement
  /** What this machine can enforce; found out when absent. Without a sandbox a confined program is not started. */
  readonly sandbox?: SandboxProbe
}

/** A failed run has the same shape as a good one. */
export type RunOutcome = {
  readonly end:
    | { readonly how: 'exited'; readonly code: number }
    | { readonly how: 'signalled'; readonly signal: NodeJS.Signals }
    /** It went over a limit of its confinement: `what` is `512 MiB of memory`. */
    | { readonly how: 'limit'; readonly what: string }
    | { readonly how: 'timeout' }
    | { readonly how: 'cancelled' }
    | { readonly how: 'not-started'; readonly error: NodeJS.ErrnoException }
  readonly stdout: Captured
  readonly stderr: Captured
  /** What it ran in. */
  readonly sandbox: SandboxKind | 'none'
}

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 300
/** How long to wait for output that a process outside the group may hold open. */
const DRAIN_MS = 100

/** Runs a program. Never throws and always ends: at the latest shortly after its timeout. */
export async function runProcess(request: RunRequest): Promise<RunOutcome> {
  if (!request.confinement) return run(request, undefined)
  const probe = request.sandbox ?? (await probeSandbox())
  return run(request, probe)
}

function run(request: RunRequest, probe: SandboxProbe | undefined): Promise<RunOutcome> {
  const stdout = captureOutput(request.stdout)
  const stderr = captureOutput(request.stderr)
  const sandbox: UsableSandbox | undefined = probe?.kind === 'none' ? undefined : probe
  const finish = (end: RunOutcome['end']): RunOutcome => {
    const texts = { stdout: stdout.finish(), stderr: stderr.finish() }
    const told = sandbox ? endInside(end, texts.stderr.text, request.confinement?.limits.fileMb) : end
    return { end: told, ...texts, sandbox: sandbox?.kind ?? 'none' }
  }

  if (request.signal.aborted) return Promise.resolve(finish({ how: 'cancelled' }))
  if (probe?.kind === 'none') {
    const error = new Error(`${probe.why} ${probe.remedy}`)
    return Promise.resolve(finish({ how: 'not-started', error }))
  }
  const begun = startProcess(request, sandbox)
  if ('error' in begun) return Promise.resolve(finish({ how: 'not-started', error: begun.error }))

  const { child, box } = begun
  const inNamespace = sandbox?.kind === 'bubblewrap'
  return new Promise(resolve => {
    let end: RunOutcome['end'] | undefined
    const deadline = setTimeout(() => terminate({ how: 'timeout' }), request.timeoutMs)
    let kill: NodeJS.Timeout | undefined
    let started: readonly KnownProcess[] = []
    const cancel = () => terminate({ how: 'cancelled' })
    request.signal.addEventListener('abort', cancel, { once: true })
    const unwatch = watchUsage(child.pid, request.confinement ?? { limits: {}, write: [] }, sandbox, what => {
      terminate({ how: 'limit', what })
      signalGroup(child.pid!, 'SIGKILL')
    })

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
      const final = end ?? overMemory(own) ?? own
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
      // Bubblewrap dies of it at once, and all inside with it, before their own handlers have run.
      if (inNamespace) for (const one of started) signalKnown(one, 'SIGTERM')
      else signalGroup(child.pid!, 'SIGTERM')
      kill = setTimeout(() => signalGroup(child.pid!, 'SIGKILL'), GRACE_MS)
    }

    /** A program that ended badly after the kernel had to kill for want of memory. */
    function overMemory(own: RunOutcome['end']): RunOutcome['end'] | undefined {
      const fine = own.how === 'exited' && own.code === 0
      if (fine || !box || box.memoryKills() === 0) return undefined
      return { how: 'limit', what: `${request.confinement?.limits.memoryMb} MiB of memory` }
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
      unwatch()
      box?.dispose()
      request.signal.removeEventListener('abort', cancel)
      if (child.pid !== undefined) {
        forgetGroup(child.pid)
        // A process namespace dies as a whole; elsewhere something may have left the group.
        if (!inNamespace) sweepLater(request.callId)
      }
      resolve(finish(final))
    }
  })
}
