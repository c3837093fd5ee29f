import { fail } from '../errors.ts'
import type { CallUpdate, Executor, HostSpec, Json } from '../types.ts'

/** What a function of the embedding program is told besides its arguments. */
export type HostCall = {
  readonly signal: AbortSignal
  readonly onUpdate: (update: CallUpdate) => void
}

/** A function of the embedding program that serves as a tool. What it throws is the message that the model reads. */
export type HostFunction = (args: { readonly [name: string]: Json }, call: HostCall) => Json | Promise<Json>

export type HostExecutorOptions = { readonly functions: ReadonlyMap<string, HostFunction> }

export function createHostExecutor({ functions }: HostExecutorOptions): Executor<HostSpec> {
  return {
    type: 'host',
    async execute({ spec, args, signal, timeoutMs, onUpdate = () => {} }) {
      // By hand: a timeout signal would stay until its time is up, thirty seconds after a call that took a millisecond.
      const limit = new AbortController()
      const end = () => limit.abort(signal.reason)
      const timer = setTimeout(() => limit.abort(new DOMException('too late', 'TimeoutError')), timeoutMs)
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        const work = Promise.resolve(functions.get(spec.name)!(args, { signal: limit.signal, onUpdate }))
        return { ok: true, data: (await Promise.race([work, whenAborted(limit.signal)])) ?? null }
      } catch (error) {
        if (signal.aborted)
          return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
        const message = limit.signal.aborted
          ? `${spec.name} did not end within ${timeoutMs / 1000} s.`
          : `${spec.name} failed: ${error instanceof Error ? error.message : String(error)}`
        const nextAction = 'Mend the arguments if the message asks for it, then call again.'
        return { ...fail('HOST_FAILED', message, { nextAction }), again: {} }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
      }
    },
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
