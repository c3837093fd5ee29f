// Starts a process in a group of its own, inside a sandbox when it shall be confined.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Confinement } from '../sandbox/confinement.ts'
import { probeSandbox } from '../sandbox/probe-sandbox.ts'
import type { SandboxProbe, UsableSandbox } from '../sandbox/sandbox-probe.ts'
import { type ConfinedProgram, wrap } from '../sandbox/wrap.ts'
import { coverInherited } from './inherited-descriptors.ts'
import {
  CALL_MARK,
  descendantsOf,
  forgetGroup,
  type KnownProcess,
  killKnown,
  rememberGroup,
  signalGroup,
  signalKnown,
} from './process-tree.ts'
import type { Exit } from './run-request.ts'

export type LaunchRequest = ConfinedProgram & {
  /** Marks all its processes. */
  readonly mark: string
  readonly hasStdin: boolean
  readonly confinement?: Confinement | undefined
  /** What this machine can enforce; found out when absent. */
  readonly sandbox?: SandboxProbe | undefined
}

export type Launched = {
  readonly child: ChildProcess
  readonly sandbox?: UsableSandbox
  /** What the sandbox changes in the environment. */
  readonly env: Readonly<Record<string, string>>
  /** Never rejects. */
  readonly exit: Promise<Exit>
  /** Asks all of its processes to end. */
  terminate(): void
  /** Ends its group, and those that `terminate` has seen. */
  kill(): void
  /** How many of its processes the kernel has killed for want of memory. */
  memoryKills(): number
  /** To be called when it is gone. */
  release(): void
}

/** Gives a process one pipe more, and variables that tell it the number of that descriptor. */
export type ChannelEnv = (descriptor: number) => Readonly<Record<string, string>>

/** Throws when the system or the sandbox refuses at once; other errors are an exit. */
export async function launch(request: LaunchRequest, channelEnv?: ChannelEnv): Promise<Launched> {
  const { confinement, mark, hasStdin, cwd } = request
  const probe = confinement && (request.sandbox ?? (await probeSandbox()))
  if (probe?.kind === 'none') throw new Error(`${probe.why} ${probe.remedy}`)
  const box = probe && confinement && wrap(probe, { ...request, leash: true }, confinement)
  const { command, args } = box ?? request
  // Before what bubblewrap reads: the pipe that proves to the inside that this process lives.
  const inherited = box ? (['pipe', ...box.descriptors] as const) : []
  const child = start()
  const { pid } = child
  const inNamespace = probe?.kind === 'bubblewrap'
  if (pid !== undefined) rememberGroup(pid, mark)
  const leash = box && child.stdio[3]
  if (leash && 'resume' in leash) leash.on('error', () => {}).resume()
  let known: readonly KnownProcess[] = []

  return {
    child,
    ...(probe && { sandbox: probe }),
    env: box?.env ?? {},
    exit: exitOf(child),
    terminate() {
      if (pid === undefined) return
      // Taken before anything dies: an orphan has lost its ancestors, and perhaps also the mark.
      known = descendantsOf(pid)
      // Bubblewrap dies of it at once, and all inside with it, before their own handlers have run.
      if (inNamespace) for (const one of known) signalKnown(one, 'SIGTERM')
      else signalGroup(pid, 'SIGTERM')
    },
    kill() {
      if (pid !== undefined) signalGroup(pid, 'SIGKILL')
      for (const one of known) killKnown(one)
    },
    memoryKills: () => box?.memoryKills() ?? 0,
    release() {
      if (pid !== undefined) forgetGroup(pid)
      box?.dispose()
    },
  }

  function start(): ChildProcess {
    const input = hasStdin ? 'pipe' : 'ignore'
    const stdio = [input, 'pipe', 'pipe', ...inherited, ...(channelEnv ? ['pipe' as const] : [])] as const
    try {
      return spawn(command, args, {
        cwd,
        env: { ...request.env, ...box?.env, [CALL_MARK]: mark, ...channelEnv?.(3 + inherited.length) },
        detached: true,
        stdio: [...stdio, ...(box ? coverInherited(stdio.length) : [])],
        windowsHide: true,
      })
    } catch (error) {
      box?.dispose()
      throw error
    }
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise(resolve => {
    // A child that never got a number emits no 'exit'.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ how: 'not-started', code: error.code ?? error.message })
    })
    child.on('exit', (code, signal) =>
      resolve(signal ? { how: 'signalled', signal } : { how: 'exited', code: code ?? 0 }),
    )
  })
}
