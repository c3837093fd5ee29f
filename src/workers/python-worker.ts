// A Python that has started, loaded what its script will import, and forks for each call.
import { readlinkSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Launched, launch } from '../process/launch.ts'
import { CALL_MARK } from '../process/process-tree.ts'
import type { Exit, RunRequest } from '../process/run-request.ts'
import type { Started } from '../process/started.ts'
import { privateMounts, systemMounts } from '../sandbox/system-mounts.ts'
import type { WorkerPlan } from './plan-worker.ts'
import { preloadsFor } from './preloads.ts'
import { readFrames } from './read-frames.ts'
import type { Worker } from './worker.ts'
import { detach, withLength } from './worker-process.ts'

const HOOK = fileURLToPath(new URL('./python', import.meta.url))

type Call = {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Whether it runs at all: undefined until the worker has said. */
  readonly accept: (isAccepted: boolean) => void
  readonly end: (exit: Exit) => void
}

/** Throws when it cannot be launched. */
export async function startPythonWorker(plan: WorkerPlan, mark: string): Promise<Worker> {
  const launched = await launch(withHook(plan, mark), fd => ({
    PYTHONPATH: realpathSync(HOOK),
    SKILLWRIGHT_WARM: String(fd),
  }))
  const { child, exit } = launched
  const channel = detach(launched)
  child.stdout?.resume()
  child.stderr?.resume()
  let state: ReturnType<Worker['state']> = 'starting'
  let call: Call | undefined

  channel.write(fields(settings(plan)))
  readFrames(channel, (kind, body) => {
    if (kind === 'R') state = 'ready'
    else if (kind === 'S') call?.accept(true)
    else if (kind === 'D') call?.accept(false)
    else if (kind === 'O') call?.stdout.push(body)
    else if (kind === 'E') call?.stderr.push(body)
    else if (kind === 'X') finish(exitOf(Number(body.toString())))
  })
  void exit.then(ended => {
    state = 'gone'
    launched.release()
    // Whatever it was that killed the worker, the script ran in it.
    call?.accept(true)
    finish(ended)
  })

  return { state: () => state, close: launched.kill, begin }

  async function begin(request: RunRequest): Promise<Started | undefined> {
    state = 'busy'
    const stdout = new Readable({ read() {} })
    const stderr = new Readable({ read() {} })
    let end: Call['end'] = () => {}
    const ended = new Promise<Exit>(resolve => {
      end = resolve
    })
    const accepted = new Promise<boolean>(accept => {
      call = { stdout, stderr, accept, end }
    })
    // A call that runs keeps this program alive; its pipes may close before its end is known.
    child.ref()
    channel.write(toMessage(request, launched))
    if (!(await accepted)) {
      finish({ how: 'not-started', code: 'declined' })
      return undefined
    }
    return toStarted(launched, { stdout, stderr, exit: ended, isOver: () => call?.end !== end })
  }

  function finish(ended: Exit): void {
    const over = call
    call = undefined
    child.unref()
    over?.stdout.push(null)
    over?.stderr.push(null)
    over?.end(ended)
  }
}

/** A call in a worker. Ending it early ends the worker. */
function toStarted(
  launched: Launched,
  call: Pick<Started, 'stdout' | 'stderr' | 'exit'> & { isOver(): boolean },
): Started {
  const { child, sandbox } = launched
  const killsBefore = launched.memoryKills()
  let isSpoilt = false
  const end = (how: () => void) => () => {
    if (call.isOver()) return
    isSpoilt = true
    how()
  }
  return {
    start: 'warm',
    ...(sandbox && { sandbox }),
    ...(child.pid !== undefined && { pid: child.pid }),
    stdout: call.stdout,
    stderr: call.stderr,
    exit: call.exit,
    terminate: end(launched.terminate),
    kill: end(launched.kill),
    sweep: async () => launched.kill(),
    memoryKills: () => launched.memoryKills() - killsBefore,
    release() {
      if (isSpoilt || launched.memoryKills() > killsBefore) launched.kill()
    },
  }
}

function withHook(plan: WorkerPlan, mark: string) {
  const read = [...plan.confinement.read, realpathSync(HOOK)]
  return { ...plan, confinement: { ...plan.confinement, read }, mark }
}

function settings({ confinement, env, script, args, hasStdin }: WorkerPlan): readonly string[] {
  const { read, write, hide, protect } = confinement
  const own = new Set([...read, ...write, ...hide, ...protect])
  const mounts = [...systemMounts(), ...privateMounts(env['HOME'], confinement.limits.tempMb)]
  const folders = mounts.filter(({ at, how }) => how === 'temp' && !own.has(at)).map(({ at }) => at)
  return [
    readlinkSync('/proc/self/ns/pid'),
    preloadsFor(script, args[0] === '-c' ? args[1]! : '').join(','),
    folders.join('\n'),
    dirname(script),
    hasStdin ? 'yes' : '',
  ]
}

function toMessage(request: RunRequest, { env }: Launched): Buffer {
  const args = request.args.slice(request.warm!.fixedArgs)
  const variables = Object.entries({ ...request.env, ...env, [CALL_MARK]: request.callId }).flat()
  const input = withLength(Buffer.from(request.stdin ?? ''))
  return Buffer.concat([fields([request.cwd, String(args.length), ...args, ...variables]), input])
}

const fields = (values: readonly string[]): Buffer =>
  withLength(Buffer.from(values.map(value => `${value}\0`).join('')))

/** From the status of the system; a signal as bubblewrap tells it. */
function exitOf(status: number): Exit {
  const signal = status & 0x7f
  return { how: 'exited', code: signal === 0 ? status >> 8 : 128 + signal }
}
