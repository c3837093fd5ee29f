// The body and query of a request, read and checked; what does not fit is thrown as `SkillInvocationError`.
import type { z } from 'zod'
import { type ErrorCode, SkillInvocationError, toolError } from '../../errors.ts'

export const MAX_BODY = 1024 * 1024

/** The body as JSON; an empty one counts as `{}`. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request).catch(error => {
    if (error instanceof SkillInvocationError) throw error
    throw wrong('MALFORMED_REQUEST', 'The body did not come whole.', 'Send it again.')
  })
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw wrong('MALFORMED_REQUEST', `The body is not JSON: ${(error as Error).message}.`, 'Send a JSON object.')
  }
}

export function check(value: unknown, schema: z.ZodType): unknown {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const issues = read.error.issues.slice(0, 5)
  const told = issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
  throw wrong('INVALID_ARGS', told.join('; '), 'Mend the request; /openapi.json says what it takes.')
}

/** The pieces of a body, at most so many bytes in all. */
export async function* pieces(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  let bytes = 0
  for await (const piece of request.body ?? []) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** With a known length nothing needs to be counted. */
async function readText(request: Request): Promise<string> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) <= MAX_BODY) return request.text()
  const all: Uint8Array[] = []
  for await (const piece of pieces(request, MAX_BODY)) all.push(piece)
  return Buffer.concat(all).toString('utf8')
}

function tooLarge(maxBytes: number): SkillInvocationError {
  const message = `The body is larger than ${maxBytes} bytes.`
  return wrong('REQUEST_TOO_LARGE', message, 'Send less, or put large data in a file of the workspace.')
}

function wrong(code: ErrorCode, message: string, nextAction: string): SkillInvocationError {
  return new SkillInvocationError(toolError(code, message, { nextAction }))
}
