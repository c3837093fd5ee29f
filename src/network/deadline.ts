import { NetworkError } from './network-error.ts'

export type Deadline = {
  /** Aborts with a `NetworkError` as its reason. */
  readonly signal: AbortSignal
  /** Must be called when the work is done. */
  dispose(): void
}

/** One time limit over all of a request, from the look-up of its host to the last byte of its answer. */
export function createDeadline(timeoutMs: number, cancelled: AbortSignal): Deadline {
  const controller = new AbortController()
  const onTimeout = () => {
    const message = `The answer was not complete within ${timeoutMs / 1000} s.`
    controller.abort(new NetworkError('HTTP_TIMEOUT', message, { mayPass: true }))
  }
  const onCancel = () => controller.abort(new NetworkError('CANCELLED', 'The call was cancelled.'))
  const timer = setTimeout(onTimeout, timeoutMs)
  cancelled.addEventListener('abort', onCancel)
  if (cancelled.aborted) onCancel()
  return {
    signal: controller.signal,
    dispose() {
      clearTimeout(timer)
      cancelled.removeEventListener('abort', onCancel)
    },
  }
}
