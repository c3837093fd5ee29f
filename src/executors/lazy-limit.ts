import type { Ending } from '../types.ts'

export type LazyLimit = {
  /** Aborted with the call's own signal, or when the time is up. Made when it is first asked for. */
  readonly signal: AbortSignal
  release(): void
}

/**
 * A time limit that costs nothing until somebody looks at it. `AbortSignal.timeout` would stay until its time is up, half a minute after a
 * call that took a millisecond.
 */
export function createLazyLimit(ending: Ending, timeoutMs: number): LazyLimit {
  let outer: AbortSignal | undefined
  let limit: AbortController | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const end = () => limit?.abort(outer?.reason)
  return {
    get signal() {
      limit ??= begin()
      return limit.signal
    },
    release() {
      isOver = true
      clearTimeout(timer)
      outer?.removeEventListener('abort', end)
    },
  }

  function begin(): AbortController {
    const begun = new AbortController()
    // Somebody kept it, and asks when nothing would end it any more.
    if (isOver) return begun
    outer = ending.signal
    timer = setTimeout(() => begun.abort(new DOMException('The time is up.', 'TimeoutError')), timeoutMs)
    outer.addEventListener('abort', end, { once: true })
    if (outer.aborted) begun.abort(outer.reason)
    return begun
  }
}
