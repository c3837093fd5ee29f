// The host's side of the lean helper: it starts with the first run, again after a crash, and rests when nothing runs.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minimalEnvironment } from '../process/environment.ts'
import { killMarked, signalGroup } from '../process/process-tree.ts'
import type { RunOutcome, RunRequest } from '../process/run-request.ts'
import type { FromHelper, ToHelper } from './helper-messages.ts'
import type { Runner } from './local-runner.ts'

export type SpawnHelperOptions = {
  readonly warmWorkers: boolean
  /** The helper's program. */
  readonly file?: string
  /** How long it may have nothing to do before it is ended. */
  readonly idleMs?: number
}

type Running = {
  readonly request: RunRequest
  /** Its process group, when it has one. */
  group?: number
  readonly settle: (outcome: RunOutcome) => void
}

type Helper = { readonly process: ChildProcess; readonly running: Map<number, Running> }

const HELPER = fileURLToPath(new URL('./helper-main.js', import.meta.url))
const IDLE_MS = 60_000

/** False when this program was bundled without the helper's file. */
export const hasHelper = (file = HELPER): boolean => existsSync(file)

export function createSpawnHelper({ warmWorkers, file = HELPER, idleMs = IDLE_MS }: SpawnHelperOptions): Runner {
  let helper: Helper | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0

  return { run, close }

  function run(request: RunRequest): Promise<RunOutcome> {
    clearTimeout(idle)
    helper ??= startHelper()
    const { process, running } = helper
    const { signal, onText, onGroup: _, ...plain } = request
    const id = ++count
    return new Promise(resolve => {
      const cancel = () => send(process, { type: 'cancel', id })
      const settle = (outcome: RunOutcome) => {
        signal.removeEventListener('abort', cancel)
        running.delete(id)
        resolve(outcome)
      }
      running.set(id, { request, settle })
      process.ref()
      process.channel?.ref()
      signal.addEventListener('abort', cancel, { once: true })
      send(process, { type: 'run', id, request: plain, tellText: onText !== undefined })
      if (signal.aborted) cancel()
    })
  }

  function startHelper(): Helper {
    const child = fork(file, warmWorkers ? ['warm'] : [], {
      execArgv: [],
      env: minimalEnvironment(process.env),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const started: Helper = { process: child, running: new Map() }
    child.on('message', (message: FromHelper) => hear(started, message))
    child.on('error', () => lose(started))
    child.on('exit', () => lose(started))
    return started
  }

  function hear(from: Helper, message: FromHelper): void {
    const run = from.running.get(message.id)
    if (!run) return
    if (message.type === 'group') run.group = message.pid
    else if (message.type === 'text') run.request.onText?.(message.stream, message.text)
    else {
      run.settle(message.outcome)
      if (from.running.size === 0) rest(from)
    }
  }

  /** What a lost helper ran is ended: sandboxes die with their parent, groups do not. */
  function lose(lost: Helper): void {
    if (helper === lost) helper = undefined
    for (const { request, group, settle } of [...lost.running.values()]) {
      if (group !== undefined) signalGroup(group, 'SIGKILL')
      if (!request.confinement) killMarked(new Set([request.callId]))
      settle({
        end: { how: 'not-started', code: LOST },
        start: 'cold',
        sandbox: 'none',
        stdout: NOTHING,
        stderr: NOTHING,
      })
    }
  }

  /** Nothing keeps the host from ending now. */
  function rest({ process }: Helper): void {
    process.unref()
    process.channel?.unref()
    idle = setTimeout(() => void close(), idleMs).unref()
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ending = helper?.process
    helper = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise(resolve => ending.once('exit', resolve))
    ending.ref()
    if (ending.connected) ending.disconnect()
    const kill = setTimeout(() => ending.kill('SIGKILL'), CLOSE_MS)
    await gone
    clearTimeout(kill)
  }
}

/** How long the helper may take to end all it runs. */
const CLOSE_MS = 2000
const LOST = 'the process that runs programs ended'
const NOTHING = { text: '' }

function send(process: ChildProcess, message: ToHelper): void {
  // A helper that is gone is noticed by its exit, which settles the run.
  if (process.connected) process.send(message, () => {})
}
