// A call over HTTP: its answer when it has ended, or output and progress as they come.
import { z } from 'zod'
import type { CallOptions } from '../../catalogue/discovery-session.ts'
import type { CallToolResponse } from '../../catalogue/operations.ts'
import type { CallUpdate } from '../../types.ts'
import { problem } from '../problem.ts'
import { eventStream } from './event-stream.ts'
import type { Incoming } from './route.ts'

/** What a direct call takes. */
export const callBody = z.strictObject({
  args: z.record(z.string(), z.unknown()).nullish().describe('arguments that fit the input_schema of the tool'),
  timeout_ms: z.int().min(1).max(86_400_000).optional().describe('default: the limit of the tool'),
  trace_id: z.string().min(1).max(200).optional().describe('ties several steps together in the audit'),
})

export const callQuery = z.strictObject({
  stream: z.enum(['', 'true', 'false']).optional().describe('answer with events while the call runs'),
})

export const CALL_EVENTS =
  '`output` {stream, text}, `progress` {progress, total?, message?} while it runs, then one `result`, the answer as it would be without streaming, {ok, data | error, meta}'

/** Runs a call and answers as the client wants it. When the client goes away, the call is cancelled. */
export async function answerCall(
  { query, request, signal }: Pick<Incoming<unknown, z.infer<typeof callQuery>>, 'query' | 'request' | 'signal'>,
  run: (options: CallOptions) => Promise<CallToolResponse>,
): Promise<object> {
  const accepts = request.headers.get('accept') ?? ''
  const wantsEvents = query.stream === undefined ? accepts.includes('text/event-stream') : query.stream !== 'false'
  if (wantsEvents) return streamCall(run)
  const answer = await run({ signal })
  return answer.ok ? answer : problem(answer.error, { meta: answer.meta })
}

function streamCall(run: (options: CallOptions) => Promise<CallToolResponse>): Response {
  return eventStream(stream => {
    const gone = new AbortController()
    const onUpdate = ({ type, ...rest }: CallUpdate) => stream.send(type, rest, { mayBeMissed: true })
    // Begins after this function has returned, so that the stream knows how to end it.
    queueMicrotask(async () => {
      const answer = await run({ signal: gone.signal, onUpdate })
      stream.send('result', answer)
      stream.end()
    })
    return () => gone.abort()
  })
}
