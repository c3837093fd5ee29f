import { NetworkError } from './network-error.ts'

/** When something must end. An `AbortSignal` of its own for each request would cost a fifth of a short one. */
export type Deadline = {
  /** Why it has ended, once it has. */
  readonly ended: NetworkError | undefined
  /** Tells of the end, once; gives how to stop listening. */
  onEnd(listener: (why: NetworkError) => void): () => void
  /** Must be called when the work is done. What is still under way then is given up. */
  dispose(): void
}

/** One time limit over all of a request, from the look-up of its host to the last byte of its answer. */
export function createDeadline(timeoutMs: number, cancelled: AbortSignal): Deadline {
  const listeners = new Set<(why: NetworkError) => void>()
  let ended: NetworkError | undefined
  const timer = setTimeout(() => end(tooSlow(timeoutMs)), timeoutMs)
  const onCancel = () => end(new NetworkError('CANCELLED', 'The call was cancelled.'))
  cancelled.addEventListener('abort', onCancel)
  if (cancelled.aborted) onCancel()

  return {
    get ended() {
      return ended
    },
    onEnd(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      stop()
      // Seldom: an error costs more than all the rest of this.
      if (listeners.size > 0) end(new NetworkError('CANCELLED', 'The answer is no longer wanted.'))
    },
  }

  function end(why: NetworkError): void {
    if (ended) return
    ended = why
    stop()
    for (const listener of listeners) listener(why)
  }

  function stop(): void {
    clearTimeout(timer)
    cancelled.removeEventListener('abort', onCancel)
  }
}

function tooSlow(timeoutMs: number): NetworkError {
  const message = `The answer was not complete within ${timeoutMs / 1000} s.`
  return new NetworkError('HTTP_TIMEOUT', message, { mayPass: true })
}
