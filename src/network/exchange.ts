// One request and its answer over a connection of the pool, with the answer's bytes held back while nobody reads them.
import type { Agent, Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'
import { NetworkError, toNetworkError } from './network-error.ts'

export type Exchange = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As they came, to be read once. Throws `NetworkError`. Whoever stops early drops the connection. */
  readonly body: AsyncIterable<Buffer>
}

/** Bytes that may wait for their reader. */
const WAITING_BYTES = 128 * 1024

/** Rejects with `NetworkError`, at the latest when the deadline ends. */
export function exchange(agent: Agent, request: Dispatcher.DispatchOptions, deadline: Deadline): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const waiting: Buffer[] = []
    let waitingBytes = 0
    let isComplete = false
    let failure: NetworkError | undefined
    let controller: Dispatcher.DispatchController | undefined
    let wake = () => {}
    if (deadline.ended) return reject(deadline.ended)
    const stopListening = deadline.onEnd(giveUp)

    agent.dispatch(request, {
      onRequestStart(started) {
        controller = started
        // It ended while the connection was being made.
        if (failure) started.abort(failure)
      },
      onResponseStart(_, status, headers) {
        if (status >= 200) resolve({ status, headers, body: read() })
      },
      onResponseData(started, chunk) {
        waiting.push(chunk)
        waitingBytes += chunk.length
        if (waitingBytes > WAITING_BYTES) started.pause()
        wake()
      },
      onResponseEnd() {
        isComplete = true
        stopListening()
        wake()
      },
      onResponseError: (_, error) => giveUp(toNetworkError(error)),
    })

    function giveUp(why: NetworkError): void {
      if (failure || isComplete) return
      failure = why
      stopListening()
      controller?.abort(why)
      reject(why)
      wake()
    }

    async function* read(): AsyncGenerator<Buffer> {
      try {
        while (true) {
          if (failure) throw failure
          const chunk = waiting.shift()
          if (chunk) {
            waitingBytes -= chunk.length
            if (controller?.paused && waitingBytes <= WAITING_BYTES / 2) controller.resume()
            yield chunk
          } else if (isComplete) return
          else
            await new Promise<void>(resolve => {
              wake = resolve
            })
        }
      } finally {
        if (!isComplete) giveUp(new NetworkError('CANCELLED', 'The answer is no longer wanted.'))
      }
    }
  })
}
