// The shapes of gRPC's handlers around plain functions: a failure becomes a status, a lost client cancels the call.
import type { handleServerStreamingCall, handleUnaryCall, Metadata, ServerWritableStream } from '@grpc/grpc-js'
import type { CallOptions } from '../../catalogue/discovery-session.ts'
import type { CallToolResponse } from '../../catalogue/operations.ts'
import type { Caller, CallUpdate, Json } from '../../types.ts'
import type { Door } from './door.ts'
import type { Failures, WireError } from './failure.ts'
import { toValue } from './struct.ts'

export type Handlers = {
  /** Answers once. `{ error }` is a failure, like a throw. */
  once<Request>(answer: (request: Request, caller: Caller) => Promise<object>): handleUnaryCall<Request, object>
  /** Runs a call of a tool and streams what it tells. */
  calling<Request>(
    run: (request: Request, caller: Caller, options: CallOptions) => Promise<CallToolResponse>,
  ): handleServerStreamingCall<Request, object>
}

export function createHandlers(door: Door, failures: Failures): Handlers {
  return {
    once: answer => async (call, callback) => {
      try {
        const response = await answer(call.request, door.callerOf(call as { metadata: Metadata }))
        if ('error' in response) callback(failures.of(response.error as WireError))
        else callback(null, response)
      } catch (error) {
        callback(failures.ofThrown(error))
      }
    },
    calling: run => async call => {
      const gone = new AbortController()
      call.on('cancelled', () => gone.abort())
      try {
        const options = { signal: gone.signal, onUpdate: createTeller(call) }
        const answer = await run(call.request, door.callerOf(call), options)
        if (!answer.ok) return void call.emit('error', failures.of(answer.error, answer.meta))
        call.write({ result: toResult(answer) })
        call.end()
      } catch (error) {
        call.emit('error', failures.ofThrown(error))
      }
    },
  }
}

/** A client that reads too slowly misses output, so that it does not pile up here. */
function createTeller(call: ServerWritableStream<unknown, object>): (update: CallUpdate) => void {
  let isFull = false
  call.on('drain', () => {
    isFull = false
  })
  return ({ type, ...rest }) => {
    if (!isFull) isFull = !call.write({ [type]: rest })
  }
}

function toResult({ data, meta }: Extract<CallToolResponse, { ok: true }>): object {
  const output = typeof data === 'string' ? data : JSON.stringify(data)
  return { exit_code: meta.exit_code ?? 0, output, data: toValue(data as Json), meta }
}
