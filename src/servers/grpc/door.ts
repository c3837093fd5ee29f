// The door of gRPC: every call of every service passes it, health checks without a token.
import { type Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'
import type { Caller } from '../../types.ts'
import type { Guard } from '../guard.ts'
import { type Failures, fromToolError } from './failure.ts'

export type Door = {
  readonly interceptor: ServerInterceptor
  /** Who made a call that was let in. */
  callerOf(call: { readonly metadata: Metadata }): Caller
}

export function createDoor(guard: Guard, failures: Failures): Door {
  // The metadata of a call is what its handler and this door both hold.
  const callers = new WeakMap<Metadata, Caller>()
  return {
    callerOf: ({ metadata }) => callers.get(metadata)!,
    interceptor: (method, call) =>
      new ServerInterceptingCall(call, {
        start: next =>
          next({
            onReceiveMetadata(metadata, go) {
              const knock = {
                host: call.getHost(),
                origin: textOf(metadata, 'origin'),
                authorization: textOf(metadata, 'authorization'),
              }
              const isOpen = method.path.startsWith('/grpc.health.v1.Health/')
              const address = call.getConnectionInfo().remoteAddress ?? 'unknown'
              const admission = (isOpen ? guard.admitAnyone : guard.admit)(knock, address)
              if (!admission.ok) {
                call.sendStatus(failures.of(fromToolError(admission.error)))
                return
              }
              callers.set(metadata, admission.caller)
              go(metadata)
            },
          }),
      }),
  }
}

function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key)
  return typeof value === 'string' ? value : undefined
}
