// Runs one program to its end, whatever it does. execa, tinyexec and plain spawn all left survivors or hung on children
// that ignore SIGTERM or hold stdout open.
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ensureStateFolder } from '../files/state-folder.ts'
import { createMask } from '../text/mask-values.ts'
import { type CaptureLimits, captureOutput } from './capture-output.ts'
import { endInside } from './end-inside.ts'
import type { Exit, RunOutcome, RunRequest } from './run-request.ts'
import { spawnProgram } from './spawn-program.ts'
import type { Start, Started } from './started.ts'
import { watchUsage } from './watch-usage.ts'

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 300
/** How long to wait for output that a process outside the group may hold open. */
const DRAIN_MS = 100

/** Runs a program. Never throws and always ends: at the latest shortly after its timeout. */
export async function runProcess(request: RunRequest, start: Start = spawnProgram): Promise<RunOutcome> {
  const begin = performance.now()
  const { signal } = request
  const stdout = captureOutput(captureLimits(request, 'stdout'))
  const stderr = captureOutput(captureLimits(request, 'stderr'))
  const finish = (end: RunOutcome['end'], { start, sandbox }: Ran = { start: 'cold' }): RunOutcome => {
    const texts = { stdout: stdout.finish(), stderr: stderr.finish() }
    const told = sandbox ? endInside(end, texts.stderr.text, request.confinement?.limits.fileMb) : end
    return { end: told, start, sandbox: sandbox?.kind ?? 'none', ...texts }
  }

  if (signal.aborted) return finish({ how: 'cancelled' })
  const program = await start(request).catch((error: NodeJS.ErrnoException) => error)
  if (program instanceof Error) return finish({ how: 'not-started', code: program.code ?? program.message })
  program.stdout.on('data', stdout.push)
  program.stderr.on('data', stderr.push)

  let early: RunOutcome['end'] | undefined
  let kill: NodeJS.Timeout | undefined
  const terminate = (reason: RunOutcome['end']) => {
    if (early) return
    early = reason
    program.terminate()
    kill = setTimeout(program.kill, GRACE_MS)
  }
  const deadline = setTimeout(() => terminate({ how: 'timeout' }), request.timeoutMs - (performance.now() - begin))
  const cancel = () => terminate({ how: 'cancelled' })
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()

  const unwatch = watchUsage(
    program.pid,
    request.confinement ?? { limits: {}, write: [] },
    { sandbox: program.sandbox, startsUsed: program.start === 'warm' },
    what => {
      terminate({ how: 'limit', what })
      program.kill()
    },
  )

  const closed = Promise.all([closing(program.stdout), closing(program.stderr)])
  const exit = await program.exit
  // A shell leaves its children behind: the call is over, so they are too.
  program.kill()
  const end = early ?? overMemory(exit, program, request) ?? exit
  if (exit.how !== 'not-started') await drain(program, closed, early === undefined)

  clearTimeout(deadline)
  clearTimeout(kill)
  unwatch()
  signal.removeEventListener('abort', cancel)
  program.release()
  return finish(end, program)
}

type Ran = Pick<Started, 'start' | 'sandbox'>

/** A program that ended badly after the kernel had to kill for want of memory. */
function overMemory(exit: Exit, program: Started, { confinement }: RunRequest): RunOutcome['end'] | undefined {
  const isFine = exit.how === 'exited' && exit.code === 0
  if (isFine || program.memoryKills() === 0) return undefined
  return { how: 'limit', what: `${confinement?.limits.memoryMb} MiB of memory` }
}

/** Waits for the end of the output; ends what holds it open, then stops listening, since nobody may ever close it. */
async function drain(program: Started, closed: Promise<unknown>, isPatient: boolean): Promise<void> {
  const timer = new AbortController()
  const wait = () => sleep(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => {})
  const bothClosed = () => program.stdout.closed && program.stderr.closed
  const isClosed = async () => {
    await Promise.race([closed, wait()])
    // Where much runs, the time is over before anybody has looked at what has arrived.
    const latest = performance.now() + 10 * DRAIN_MS
    for (let seen = -1; seen !== arrived && !bothClosed() && performance.now() < latest; await nextTurn())
      seen = arrived
    return bothClosed()
  }
  let arrived = 0
  const count = () => {
    arrived++
  }
  program.stdout.on('data', count)
  program.stderr.on('data', count)
  try {
    if (isPatient && (await isClosed())) return
    await program.sweep()
    if (await isClosed()) return
    program.stdout.destroy()
    program.stderr.destroy()
  } finally {
    timer.abort()
  }
}

async function closing(stream: Readable): Promise<void> {
  // An error of the pipe closes it too.
  stream.on('error', () => {})
  if (!stream.closed) await once(stream, 'close').catch(() => {})
}

function captureLimits(request: RunRequest, stream: 'stdout' | 'stderr'): CaptureLimits {
  const { keep, file } = request[stream]
  const { mask, onText } = request
  return {
    keep,
    spill: file?.bytes ?? 0,
    spillFile() {
      ensureStateFolder(dirname(file!.path))
      return file!.path
    },
    ...(mask && mask.length > 0 && { mask: createMask(mask).stream() }),
    ...(onText && { onText: text => onText(stream, text) }),
  }
}
