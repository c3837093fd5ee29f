// A bounded queue: so many programs at the same time, so many that wait, and a clear no beyond that.
import type { Run, RunOutcome, RunRequest } from '../process/run-request.ts'

export type PlacesOptions = {
  /** Programs that run at the same time. */
  readonly running: number
  /** Calls that wait for a place. */
  readonly waiting: number
}

/** Lets runs pass one by one. Only programs hold places, never what waits for other calls, so nothing can lock. */
export function withPlaces({ running, waiting }: PlacesOptions, run: Run): Run {
  let free = running
  const queue = new Set<() => void>()

  return async request => {
    const begin = performance.now()
    if (request.signal.aborted) return refuse({ how: 'cancelled' })
    if (free === 0) {
      if (queue.size >= waiting) return refuse(overloaded())
      const refusal = await turn(request)
      if (refusal) return refuse(refusal)
    } else free--
    try {
      // The wait counts: whoever set a limit does not care what the time was spent on.
      return await run({ ...request, timeoutMs: request.timeoutMs - (performance.now() - begin) })
    } finally {
      const [next] = queue
      if (next) next()
      else free++
    }
  }

  /** Undefined when a place is handed over. */
  function turn({ signal, timeoutMs }: RunRequest): Promise<RunOutcome['end'] | undefined> {
    return new Promise(resolve => {
      const leave = (refusal?: RunOutcome['end']) => {
        queue.delete(next)
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        resolve(refusal)
      }
      const next = () => leave()
      const cancel = () => leave({ how: 'cancelled' })
      const timer = setTimeout(() => leave(overloaded()), timeoutMs)
      signal.addEventListener('abort', cancel, { once: true })
      queue.add(next)
    })
  }

  function overloaded(): RunOutcome['end'] {
    return { how: 'overloaded', running: running - free, waiting: queue.size }
  }
}

const refuse = (end: RunOutcome['end']): RunOutcome => ({
  end,
  start: 'cold',
  sandbox: 'none',
  stdout: NOTHING,
  stderr: NOTHING,
})
const NOTHING = { text: '' }
