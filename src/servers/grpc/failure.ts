// A failure as gRPC tells it: the status of its code, and all the rest in `grpc-status-details-bin`.
import { Metadata, type StatusObject } from '@grpc/grpc-js'
import type { PackageDefinition } from '@grpc/proto-loader'
import { ERROR_STATUS, type ErrorCode, GRPC_STATUS, SkillInvocationError, toolError } from '../../errors.ts'
import { cutText } from '../../text/clean-text.ts'
import type { ToolError } from '../../types.ts'
import { messageOf } from './proto.ts'
import { toStruct } from './struct.ts'

/** The error with snake_case fields, as discovery gives it. */
export type WireError = {
  readonly code: ErrorCode
  readonly message: string
  readonly hints: readonly string[]
  readonly next_action: string
  readonly tool?: object | undefined
}

export type Failures = {
  /** The status to end a call with. */
  of(error: WireError, meta?: object): StatusObject
  ofThrown(thrown: unknown): StatusObject
}

/** Trailers travel as headers, and clients take few of those. */
const MAX_DETAILS = 6000
const MAX_MESSAGE = 500

export function createFailures(proto: PackageDefinition): Failures {
  const errors = messageOf(proto, 'Error')
  const statuses = messageOf(proto, 'Status')
  return { of, ofThrown: thrown => of(toWire(thrown)) }

  function of(error: WireError, meta?: object): StatusObject {
    const code = GRPC_STATUS[ERROR_STATUS[error.code].grpc]
    const message = cutText(error.message, MAX_MESSAGE)
    const value = errorBytes({ ...error, message }, meta)
    const details = [{ type_url: 'type.googleapis.com/skillwright.v1.Error', value }]
    const metadata = new Metadata()
    metadata.set('grpc-status-details-bin', statuses.serialize({ code, message, details }))
    return { code, details: `${error.code}: ${message}`, metadata }
  }

  /** What is too long goes without the schema, then without what the tool wrote. */
  function errorBytes({ tool, ...error }: WireError, meta: object = {}): Buffer {
    const { stderr: _, ...lean } = meta as { stderr?: string }
    const forms = [
      { ...error, ...(tool && { tool: toStruct({ ...tool }) }), meta },
      { ...error, meta },
      { ...error, meta: lean },
      { ...error, hints: [], meta: lean },
    ]
    const encoded = forms.map(form => errors.serialize(form))
    return encoded.find(bytes => bytes.length <= MAX_DETAILS) ?? encoded.at(-1)!
  }
}

export function toWire(thrown: unknown): WireError {
  if (thrown instanceof SkillInvocationError) return fromToolError(thrown)
  process.emitWarning(
    `A request failed: ${thrown instanceof Error ? thrown.stack : String(thrown)}`,
    'SkillwrightWarning',
  )
  return fromToolError(
    toolError('INTERNAL', 'The server failed on this request.', { nextAction: 'Look into its log, or try again.' }),
  )
}

export function fromToolError({ code, message, hints, nextAction }: ToolError): WireError {
  return { code, message, hints, next_action: nextAction }
}
