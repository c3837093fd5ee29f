// A program as a process of its own, in a group of its own, so that it can be ended with what it started.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { Exit, RunRequest } from './run-request.ts'
import type { Started } from './started.ts'

/** Some errors are thrown at once (too long, a NUL), others are an exit. */
export async function spawnProgram(request: RunRequest): Promise<Started> {
  const child = spawn(request.command, request.args, {
    cwd: request.cwd,
    env: { ...request.env, [CALL_MARK]: request.callId },
    detached: true,
    stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  // A script that does not read its input closes the pipe: that is its right.
  child.stdin?.on('error', () => {})
  child.stdin?.end(request.stdin)
  const { pid } = child
  if (pid !== undefined) {
    rememberGroup(pid)
    request.onGroup?.(pid)
  }
  let known: readonly KnownProcess[] = []

  return {
    start: 'cold',
    stdout: child.stdout!,
    stderr: child.stderr!,
    exit: exitOf(child),
    terminate() {
      if (pid === undefined) return
      // Taken before anything dies: an orphan has lost its ancestors, and perhaps also the mark.
      known = descendantsOf(pid)
      signalGroup(pid, 'SIGTERM')
    },
    kill: () => pid !== undefined && signalGroup(pid, 'SIGKILL'),
    /** Ends what left the group (setsid, daemons). */
    async sweep() {
      for (const one of known) killKnown(one)
      for (let round = 0; round < 20 && killMarked(new Set([request.callId])); round++) await sleep(10)
    },
    release() {
      if (pid === undefined) return
      forgetGroup(pid)
      sweepLater(request.callId)
    },
  }
}

export function exitOf(child: ChildProcess): Promise<Exit> {
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
