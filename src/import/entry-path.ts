// Which names may be written, and which are left out.
import { ImportError, quote } from './import-error.ts'

/**
 * The parts of a relative path that stays below its root; none for the root itself.
 * Throws `ENTRY_REFUSED` on anything that another program or system could read differently.
 */
export function pathParts(path: string): readonly string[] {
  const refuse = (why: string) =>
    new ImportError(
      'ENTRY_REFUSED',
      `The path ${quote(path)} ${why}.`,
      'Do not use this source: it is broken or hostile.',
    )

  if (/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/.test(path)) throw refuse('has control characters')
  if (path.includes('\\')) throw refuse('has a backslash')
  if (path.startsWith('/')) throw refuse('is absolute')
  if (/^[A-Za-z]:/.test(path)) throw refuse('begins with a drive letter')
  if (Buffer.byteLength(path) > MAX_PATH) throw refuse(`is longer than ${MAX_PATH} bytes`)
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  if (parts.includes('..')) throw refuse('climbs with ".."')
  if (parts.length > MAX_DEPTH) throw refuse(`is nested deeper than ${MAX_DEPTH} folders`)
  if (parts.some(part => Buffer.byteLength(part) > MAX_NAME)) throw refuse(`has a name longer than ${MAX_NAME} bytes`)
  return parts
}

/**
 * Names that are no part of a skill: the history, caches, what archivers add, and above all compiled artifacts, which
 * must come from our compiler and not from whoever packed the archive.
 */
export function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name.toLowerCase())
}

const LEFT_OUT = new Set([
  '.git',
  '.skillwright',
  '__pycache__',
  '__macosx',
  '.ds_store',
  'dynamic_tools.json',
  'dynamic_tools.lock.json',
  'dynamic_tools.report.json',
])

const MAX_PATH = 1000
const MAX_NAME = 255
const MAX_DEPTH = 40
