import type { Ending } from '../types.ts'

/** The end that comes with the first of several signals. Unlike `AbortSignal.any` it leaves nothing in those that outlive the call. */
export function linkSignals(given: readonly (AbortSignal | undefined)[]): Ending & { release(): void } {
  const signals = given.filter(one => one !== undefined)
  let linked: AbortController | undefined
  const end = (event: { readonly target: unknown }) => linked?.abort((event.target as AbortSignal).reason)
  return {
    get signal() {
      linked ??= link()
      return linked.signal
    },
    release() {
      if (linked) for (const signal of signals) signal.removeEventListener('abort', end)
    },
  }

  function link(): AbortController {
    const made = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) made.abort(signal.reason)
      signal.addEventListener('abort', end, { once: true })
    }
    return made
  }
}
