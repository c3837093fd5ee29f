// A cursor over a shell script. Nothing here throws: the first problem moves the cursor to the end, so that every
// open construct closes by itself and the caller sees one problem with its place.
import type { Redirect, Word } from './shell-syntax.ts'

// Made once: these are tried at every word of a script.
const BLANKS = /(?:[ \t\r]|\\\r?\n)*(?:#[^\n]*)?/y

export type ShellReader = {
  readonly text: string
  position: number
  problem?: { readonly message: string; readonly offset: number }
  /** Here-documents whose bodies begin after the current line. */
  pending: PendingDocument[]
  depth: number
}

export type PendingDocument = {
  readonly redirect: Redirect
  readonly delimiter: string
  readonly stripTabs: boolean
  /** Expansions are live in a document whose delimiter is not quoted. */
  readonly live: boolean
  readonly offset: number
}

/** Deeper nesting than any real script has, and less than the stack holds. */
const DEEPEST = 120

export function createShellReader(text: string): ShellReader {
  return { text, position: 0, pending: [], depth: 0 }
}

export function fail(reader: ShellReader, message: string, offset: number): void {
  reader.problem ??= { message, offset }
  reader.position = reader.text.length
}

/** Runs one level deeper; gives up when a script nests without end. */
export function nested<T>(reader: ShellReader, empty: T, read: () => T): T {
  if (reader.depth >= DEEPEST) {
    fail(reader, 'is nested too deeply', reader.position)
    return empty
  }
  reader.depth++
  const result = read()
  reader.depth--
  return result
}

export function atEnd(reader: ShellReader): boolean {
  return reader.position >= reader.text.length
}

export function looksAt(reader: ShellReader, text: string): boolean {
  return reader.text.startsWith(text, reader.position)
}

/** Takes what a sticky pattern matches here. */
export function take(reader: ShellReader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.position
  const match = pattern.exec(reader.text)
  if (!match) return undefined
  reader.position += match[0].length
  return match[0]
}

/** Skips blanks, line continuations and a comment, not the end of the line. */
export function skipBlanks(reader: ShellReader): void {
  take(reader, BLANKS)
}

/** Takes an end of line, with the here-documents that follow it. */
export function takeNewline(reader: ShellReader, readLive: (text: string, offset: number) => Word): boolean {
  if (reader.text[reader.position] !== '\n') return false
  reader.position++
  const pending = reader.pending
  reader.pending = []
  for (const document of pending) takeDocument(reader, document, readLive)
  return true
}

function takeDocument(
  reader: ShellReader,
  document: PendingDocument,
  readLive: (text: string, offset: number) => Word,
): void {
  const start = reader.position
  while (!atEnd(reader)) {
    const newline = reader.text.indexOf('\n', reader.position)
    const end = newline < 0 ? reader.text.length : newline
    const raw = reader.text.slice(reader.position, end).replace(/\r$/, '')
    const line = document.stripTabs ? raw.replace(/^\t+/, '') : raw
    const bodyEnd = reader.position
    reader.position = Math.min(end + 1, reader.text.length)
    if (line !== document.delimiter) continue
    const body = reader.text.slice(start, bodyEnd)
    document.redirect.body = document.live
      ? readLive(body, start)
      : { parts: [{ type: 'text', text: body, quoted: true }], offset: start }
    return
  }
  fail(reader, `has a here-document without its end (${document.delimiter})`, document.offset)
}
