// Where the next page begins, bound to what was asked and to what could be seen.
import { createHash } from 'node:crypto'
import type { View } from './views.ts'

export type CursorReading =
  | { readonly ok: true; readonly offset: number }
  | { readonly ok: false; readonly why: string }

/** Opaque to whoever holds it. `request` is all that decides which results there are. */
export function writeCursor(offset: number, request: unknown, view: View): string {
  return Buffer.from(`${offset}.${view.version()}.${digest(request)}`).toString('base64url')
}

export function readCursor(cursor: string | null | undefined, request: unknown, view: View): CursorReading {
  if (cursor === null || cursor === undefined || cursor === '') return { ok: true, offset: 0 }
  const text = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1')
  const [, offset, version, asked] = /^(\d{1,9})\.([0-9a-f]{16})\.([0-9a-f]{16})$/.exec(text) ?? []
  if (offset === undefined) return { ok: false, why: 'This is no cursor.' }
  if (asked !== digest(request)) return { ok: false, why: 'The cursor belongs to another request.' }
  if (version !== view.version()) return { ok: false, why: 'The tools have changed since the cursor was given.' }
  return { ok: true, offset: Number(offset) }
}

function digest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16)
}
