// A Node that has started and waits for its one call.

import { realpathSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Launched, launch } from '../process/launch.ts'
import { CALL_MARK } from '../process/process-tree.ts'
import type { RunRequest } from '../process/run-request.ts'
import { startedFrom } from '../process/spawn-program.ts'
import type { Started } from '../process/started.ts'
import type { WorkerPlan } from './plan-worker.ts'
import type { Worker } from './worker.ts'
import { detach, withLength } from './worker-process.ts'

const HOOK = fileURLToPath(new URL('./node/wait.cjs', import.meta.url))

/** Throws when it cannot be launched. */
export async function startNodeWorker(plan: WorkerPlan, mark: string): Promise<Worker> {
  const hook = realpathSync(HOOK)
  const launched = await launch(
    {
      ...plan,
      args: ['--require', hook, ...plan.args],
      confinement: { ...plan.confinement, read: [...plan.confinement.read, hook] },
      mark,
    },
    descriptor => ({ SKILLWRIGHT_WARM: String(descriptor) }),
  )
  const channel = detach(launched)
  let state: ReturnType<Worker['state']> = 'starting'
  channel.once('data', () => {
    if (state === 'starting') state = 'ready'
  })
  void launched.exit.then(() => {
    if (state !== 'busy') launched.release()
    state = 'gone'
  })
  return {
    state: () => state,
    close: launched.kill,
    async begin(request) {
      state = 'busy'
      return start(launched, channel, request)
    },
  }
}

function start(launched: Launched, channel: Socket, request: RunRequest): Started {
  const args = request.args.slice(request.warm!.fixedArgs)
  const env = { ...request.env, ...launched.env, [CALL_MARK]: request.callId }
  // A call that runs keeps this program alive.
  launched.child.ref()
  channel.write(withLength(Buffer.from(JSON.stringify({ args, cwd: request.cwd, env }))))
  return { ...startedFrom(launched, request), start: 'warm' }
}
