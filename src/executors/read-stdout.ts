import type { Json } from '../types.ts'

export type StdoutReading =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly message: string }

/** A script's result: its stdout without the last line ends, or what an `{ok, data, error}` envelope on it says. */
export function readStdout(stdout: string): StdoutReading {
  const text = stdout.replace(/[\r\n]+$/, '')
  return parseEnvelope(text) ?? { ok: true, data: text }
}

/** What an `{ok, data, error}` envelope says; undefined when the value is none. */
export function unwrapEnvelope(value: Json): StdoutReading | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { ok, data, error } = value as { readonly [key: string]: Json }
  if (typeof ok !== 'boolean' || !('data' in value || 'error' in value)) return undefined
  return ok ? { ok, data: data ?? null } : { ok, message: messageOf(error) }
}

function parseEnvelope(text: string): StdoutReading | undefined {
  // Cheap to rule out, and most output is no JSON.
  if (!/^\s*\{/.test(text) || !text.includes('"ok"')) return undefined
  try {
    return unwrapEnvelope(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

function messageOf(error: Json | undefined): string {
  if (typeof error === 'string' && error) return error
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return error === undefined || error === null ? 'It reported a failure without a reason.' : JSON.stringify(error)
}
