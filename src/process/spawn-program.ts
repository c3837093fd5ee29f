// A program as a process of its own, started for the call.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Launched, launch } from './launch.ts'
import { killMarked, sweepLater } from './process-tree.ts'
import type { RunRequest } from './run-request.ts'
import type { Started } from './started.ts'

/** Throws what the system says at once (too long, a NUL, a sandbox that cannot be built). */
export async function spawnProgram(request: RunRequest): Promise<Started> {
  const launched = await launch({ ...request, mark: request.callId, hasStdin: request.stdin !== undefined })
  return { ...startedFrom(launched, request), start: 'cold' }
}

/** A process that has been launched, now that it is the program of a call. */
export function startedFrom(launched: Launched, { stdin, callId, onGroup }: RunRequest): Omit<Started, 'start'> {
  const { child, sandbox, exit, terminate, kill, memoryKills } = launched
  const { pid } = child
  // A script that does not read its input closes the pipe: that is its right.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  if (pid !== undefined) onGroup?.(pid)
  return {
    ...(sandbox && { sandbox }),
    ...(pid !== undefined && { pid }),
    stdout: child.stdout!,
    stderr: child.stderr!,
    exit,
    terminate,
    kill,
    memoryKills,
    /** Ends what left the group (setsid, daemons). */
    async sweep() {
      kill()
      for (let round = 0; round < 20 && killMarked(new Set([callId])); round++) await sleep(10)
    },
    release() {
      launched.release()
      // A process namespace dies as a whole; elsewhere something may have left the group.
      if (pid !== undefined && sandbox?.kind !== 'bubblewrap') sweepLater(callId)
    },
  }
}
