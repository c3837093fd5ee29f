/** The same response; `done` is called once, when its body was read to the end or nobody reads it any more. */
export function whenSent(response: Response, done: () => void): Response {
  const { body, status, statusText, headers } = response
  if (!body) {
    done()
    return response
  }
  const reader = body.getReader()
  let isDone = false
  const finish = () => {
    if (!isDone) done()
    isDone = true
  }
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: isEnd, value } = await reader.read()
        if (!isEnd) return controller.enqueue(value)
        finish()
        controller.close()
      } catch (error) {
        finish()
        controller.error(error)
      }
    },
    cancel(reason) {
      finish()
      return reader.cancel(reason)
    },
  })
  return new Response(watched, { status, statusText, headers })
}
