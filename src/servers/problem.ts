// A failure as HTTP tells it: problem details (RFC 9457) with the error's own fields beside them.
import { z } from 'zod'
import { ERROR_CODES, ERROR_STATUS, type ErrorCode, SkillInvocationError, toolError } from '../errors.ts'
import { IMPORT_ERRORS, ImportError, type ImportErrorCode } from '../import/import-error.ts'
import type { ToolError } from '../types.ts'

export const problemSchema = z.object({
  type: z.string().describe('names the kind of problem: urn:skillwright:error:<code>'),
  title: z.string().describe('what the code means'),
  status: z.int(),
  detail: z.string().describe('what went wrong this time'),
  code: z.enum([...Object.keys(ERROR_CODES), ...Object.keys(IMPORT_ERRORS)] as [string, ...string[]]),
  hints: z.array(z.string()),
  next_action: z.string().describe('what to do now'),
  tool: z.looseObject({ tool_id: z.string() }).optional().describe('with STALE_SCHEMA: the tool as it is now'),
  meta: z
    .looseObject({ tool_id: z.string(), trace_id: z.string() })
    .optional()
    .describe('of the call, when one was made'),
})

/** As in discovery: the error with snake_case fields. */
type WireError = {
  readonly code: ErrorCode
  readonly message: string
  readonly hints: readonly string[]
  readonly next_action: string
  readonly tool?: object | undefined
}

type More = { readonly meta?: object; readonly headers?: Readonly<Record<string, string>> }

export function problem(
  { code, message, hints, next_action, tool }: WireError,
  { meta, headers }: More = {},
): Response {
  const { http } = ERROR_STATUS[code]
  const rest = { ...(tool && { tool }), ...(meta && { meta }) }
  return answer(http, { code, title: ERROR_CODES[code], detail: message, hints, next_action, ...rest }, headers)
}

export function problemOf(error: ToolError, more?: More): Response {
  // Field by field: the message of a thrown error is not among those that spreading copies.
  const { code, message, hints, nextAction } = error
  return problem({ code, message, hints, next_action: nextAction }, more)
}

/** The problem that a thrown thing is. Faults of ours keep their details to the log. */
export function problemOfThrown(thrown: unknown): Response {
  if (thrown instanceof SkillInvocationError) return problemOf(thrown)
  if (thrown instanceof ImportError) return importProblem(thrown)
  process.emitWarning(
    `A request failed: ${thrown instanceof Error ? thrown.stack : String(thrown)}`,
    'SkillwrightWarning',
  )
  return problemOf(
    toolError('INTERNAL', 'The server failed on this request.', { nextAction: 'Look into its log, or try again.' }),
  )
}

/** Import code → HTTP status, where it is not 422. */
const IMPORT_STATUS: Partial<Record<ImportErrorCode, number>> = {
  TOO_LARGE: 413,
  NAME_NOT_FOUND: 404,
  TARGET_TAKEN: 409,
  TARGET_UNUSABLE: 500,
  BUSY: 503,
  CANCELLED: 499,
}

function importProblem({ code, message, hint }: ImportError): Response {
  const fields = { code, title: IMPORT_ERRORS[code], detail: message, hints: [], next_action: hint }
  return answer(IMPORT_STATUS[code] ?? 422, fields)
}

type Fields = { readonly code: string; readonly title: string } & Readonly<Record<string, unknown>>

function answer(status: number, { code, title, ...rest }: Fields, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify({ type: `urn:skillwright:error:${code}`, title, status, code, ...rest })
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}
