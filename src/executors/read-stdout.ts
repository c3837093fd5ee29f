import { readFileSync, statSync } from 'node:fs'
import type { Json } from '../types.ts'

export type StdoutReading =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly message: string }

/**
 * A script's result: its stdout without the last line ends, or what an `{ok, data, error}` envelope on it says. `wholeFile`
 * holds the output when it was cut.
 */
export function readStdout(stdout: string, wholeFile?: string): StdoutReading {
  const failure = wholeFile === undefined ? undefined : readFailureOfFile(stdout, wholeFile)
  if (failure !== undefined) return { ok: false, message: failure }
  const text = withoutLineEnds(stdout)
  return parseEnvelope(text) ?? { ok: true, data: text }
}

/** The reason that an envelope gives for a failure; undefined when the output is no such envelope. */
export function readFailure(stdout: string): string | undefined {
  const envelope = parseEnvelope(stdout)
  return envelope && !envelope.ok ? envelope.message : undefined
}

/** What an `{ok, data, error}` envelope says; undefined when the value is none. */
export function unwrapEnvelope(value: Json): StdoutReading | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { ok, data, error, message } = value as { readonly [key: string]: Json }
  if (ok === false) return { ok, message: messageOf(error ?? message) }
  return ok === true && ('data' in value || 'error' in value) ? { ok, data: data ?? null } : undefined
}

function parseEnvelope(text: string): StdoutReading | undefined {
  // Cheap to rule out, and most output is no JSON.
  if (!text.trimStart().startsWith('{') || !text.includes('"ok"')) return undefined
  try {
    return unwrapEnvelope(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** A cut envelope is no JSON any more; whether it tells of a failure must not be lost. */
function readFailureOfFile(head: string, file: string): string | undefined {
  if (!head.trimStart().startsWith('{') || statSync(file).size > MAX_ENVELOPE_BYTES) return undefined
  return readFailure(readFileSync(file, 'utf8'))?.slice(0, MAX_MESSAGE)
}

const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE = 2000

// By hand: a regular expression takes quadratic time on many line ends.
function withoutLineEnds(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}

function messageOf(error: Json | undefined): string {
  if (typeof error === 'string' && error) return error
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return error === undefined || error === null ? 'It reported a failure without a reason.' : JSON.stringify(error)
}
