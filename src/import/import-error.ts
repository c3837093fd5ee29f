// Every way an import can fail: one closed list of codes, one error.

/** Code → what it means. Listed in docs/import.md. */
export const IMPORT_ERRORS = {
  SOURCE_NOT_FOUND: 'There is nothing at the path that was given.',
  SOURCE_UNSUPPORTED: 'The source is of a kind that cannot be imported.',
  SOURCE_UNREADABLE: 'The archive, listing or file is broken.',
  ENTRY_REFUSED: 'A file in the source could write outside the target or is not a plain file.',
  TOO_LARGE: 'The source has more files or bytes than an import may have.',
  NO_SKILL: 'The source has no SKILL.md.',
  CHOICE_NEEDED: 'The source is a listing of several: names or `--all` are needed.',
  NAME_NOT_FOUND: 'The source has nothing of this name.',
  DOWNLOAD_FAILED: 'The server could not be reached, or answered with an error.',
  DIGEST_MISMATCH: 'The downloaded bytes are not those that the listing promises.',
  GIT_FAILED: 'git is not installed, or could not fetch the repository.',
  TARGET_TAKEN: 'The target has a folder of this name that would be lost: it was edited, or never imported.',
  TARGET_UNUSABLE: 'The target or its skills-lock.json cannot be read or written.',
  NOT_IMPORTED: 'The target has no import of this name.',
  BUSY: 'Another import into the same target did not end in time.',
  CANCELLED: 'The import was interrupted; the target is as it was.',
} as const

export type ImportErrorCode = keyof typeof IMPORT_ERRORS

/** An import, update or removal failed; the target is as it was. `hint` says what to do. */
export class ImportError extends Error {
  override readonly name: string = 'ImportError'
  readonly code: ImportErrorCode
  readonly hint: string

  constructor(code: ImportErrorCode, message: string, hint: string) {
    // Messages quote archives, servers and git: none of them may speak to the terminal.
    super(message.replace(UNPRINTABLE, ' '))
    this.code = code
    this.hint = hint
  }
}

/** Throws `CANCELLED` once the signal is aborted. */
export function checkCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ImportError('CANCELLED', 'The import was interrupted.', 'Run it again.')
}

/** A name from outside, safe for a terminal: cut, quoted, nothing invisible. */
export function quote(name: string): string {
  const cut = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
  return JSON.stringify(cut).replace(INVISIBLE, mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const MAX_SHOWN = 200
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g
const INVISIBLE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
