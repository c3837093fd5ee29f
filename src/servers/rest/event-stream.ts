// Server-sent events as a response: begins at once, ends with the client or the server, and never piles up behind a slow reader.

export type EventStream = {
  /** Sends an event. One that may be missed is left out when the reader is too far behind. */
  send(event: string, data: unknown, options?: { readonly mayBeMissed?: boolean }): void
  end(): void
}

/** Characters that may wait for a reader before it misses something. */
const MAX_WAITING = 1024 * 1024
const KEEP_ALIVE_MS = 15_000

/** `begin` gets the stream and returns what to do when the reader has gone or the stream has ended. */
export function eventStream(begin: (stream: EventStream) => () => void): Response {
  let finish: () => void
  const body = new ReadableStream<string>(
    {
      start(controller) {
        let ended = false
        const write = (text: string) => {
          if (!ended) controller.enqueue(text)
        }
        // Proxies end what is silent for long, and a dead reader is only noticed by writing.
        const keepAlive = setInterval(() => write(': still here\n\n'), KEEP_ALIVE_MS)
        const stop = begin({
          send(event, data, { mayBeMissed = false } = {}) {
            if (mayBeMissed && (controller.desiredSize ?? 0) <= 0) return
            write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          },
          end() {
            if (ended) return
            finish()
            controller.close()
          },
        })
        finish = () => {
          ended = true
          clearInterval(keepAlive)
          stop()
        }
      },
      cancel: () => finish(),
    },
    { highWaterMark: MAX_WAITING, size: text => text?.length ?? 0 },
  )
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  })
}
