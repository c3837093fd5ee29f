import { fail } from '../errors.ts'
import type { CallUpdate, Executor, HostSpec, Json } from '../types.ts'
import { createLazyLimit } from './lazy-limit.ts'

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
    async execute({ spec, args, ending, timeoutMs, onUpdate = () => {} }) {
      const limit = createLazyLimit(ending, timeoutMs)
      const call = {
        get signal() {
          return limit.signal
        },
        onUpdate,
      }
      try {
        const work = functions.get(spec.name)!(args, call)
        const data = isPending(work) ? await Promise.race([work, whenAborted(limit.signal)]) : work
        return { ok: true, data: data ?? null }
      } catch (error) {
        if (ending.signal.aborted)
          return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
        const message = limit.signal.aborted
          ? `${spec.name} did not end within ${timeoutMs / 1000} s.`
          : `${spec.name} failed: ${error instanceof Error ? error.message : String(error)}`
        const nextAction = 'Mend the arguments if the message asks for it, then call again.'
        return { ...fail('HOST_FAILED', message, { nextAction }), again: {} }
      } finally {
        limit.release()
      }
    },
  }
}

function isPending(work: Json | Promise<Json>): work is Promise<Json> {
  return typeof work === 'object' && work !== null && 'then' in work && typeof work.then === 'function'
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
