import type { Json } from '../types.ts'

export type StdoutReading =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly message: string }

/** A script's result: its stdout without the last line ends, or what an `{ok, data, error}` envelope on it says. */
export function readStdout(stdout: string): StdoutReading {
  const text = stdout.replace(/[\r\n]+$/, '')
  const envelope = readEnvelope(text)
  if (!envelope) return { ok: true, data: text }
  if (envelope.ok) return { ok: true, data: envelope.data ?? null }
  return { ok: false, message: messageOf(envelope.error) }
}

type Envelope = { readonly ok: boolean; readonly data?: Json; readonly error?: Json }

function readEnvelope(text: string): Envelope | undefined {
  // Cheap to rule out, and most output is no JSON.
  if (!/^\s*\{/.test(text) || !text.includes('"ok"')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const { ok } = value as { ok?: unknown }
    return typeof ok === 'boolean' && ('data' in value || 'error' in value) ? (value as Envelope) : undefined
  } catch {
    return undefined
  }
}

function messageOf(error: Json | undefined): string {
  if (typeof error === 'string' && error) return error
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return error === undefined || error === null
    ? 'The script reported a failure without a reason.'
    : JSON.stringify(error)
}
