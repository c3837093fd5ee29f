// Words: literal text, quotes, and the expansions inside them.
import { readExpansion } from './read-expansion.ts'
import { atEnd, createShellReader, fail, looksAt, nested, type ShellReader, take } from './shell-reader.ts'
import type { Command, Word, WordPart } from './shell-syntax.ts'

// Made once: these are tried at every word of a script.
const PLAIN_TEXT = /[^\s'"\\$`;&|()<>{}]+|[\s\S]/y
const WORD_END = /[ \t\r\n;&|()<>]/

/** Reads the commands of a substitution and its `)`; the grammar gives it, so that words need not import it. */
export type ReadCommands = (reader: ShellReader, close: ')' | '') => readonly Command[]

/** Reads one word; undefined when none begins here. */
export function readWord(reader: ShellReader, commands: ReadCommands, ends = WORD_END): Word | undefined {
  const offset = reader.position
  const parts: WordPart[] = []
  while (!atEnd(reader)) {
    const char = reader.text[reader.position]!
    if (!ends.test(char)) readPart(reader, commands, parts)
    else if (!opensInside(reader, char, parts.length > 0)) break
    else if (char === '(') parts.push(text(readBalanced(reader), false))
    else parts.push(readProcess(reader, commands))
  }
  return parts.length === 0 ? undefined : { parts: merged(parts), offset }
}

/** Reads `text` as if between double quotes: the body of a live here-document. */
export function readLiveText(source: string, offset: number, commands: ReadCommands): Word {
  const reader = createShellReader(source)
  const parts: WordPart[] = []
  while (!atEnd(reader)) readQuotedPart(reader, commands, parts, /[^$`\\]+/y)
  return { parts: merged(parts), offset }
}

/** A word up to the `}` of `${name:-word}`; quotes and expansions inside are read as usual. */
export function readArgument(reader: ShellReader, commands: ReadCommands, quoted: boolean): Word {
  const offset = reader.position
  const parts: WordPart[] = []
  while (!atEnd(reader) && reader.text[reader.position] !== '}') {
    if (quoted && reader.text[reader.position] !== '"') readQuotedPart(reader, commands, parts, /[^$`\\}"]+/y)
    else readPart(reader, commands, parts)
  }
  return { parts: merged(parts), offset }
}

function readPart(reader: ShellReader, commands: ReadCommands, parts: WordPart[]): void {
  const start = reader.position
  const char = reader.text[start]!
  if (char === "'") parts.push(text(readSingle(reader), true))
  else if (char === '"') readDouble(reader, commands, parts)
  else if (char === '\\') {
    reader.position += 2
    const next = reader.text[start + 1] ?? ''
    if (next !== '\n') parts.push(text(next, true))
  } else if (looksAt(reader, "$'")) {
    reader.position++
    parts.push(text(unescapeAnsi(readSingle(reader, true)), true))
  } else if (char === '$' || char === '`') parts.push(readExpansion(reader, commands, false))
  else parts.push(text(take(reader, PLAIN_TEXT) ?? '', false))
}

function readDouble(reader: ShellReader, commands: ReadCommands, parts: WordPart[]): void {
  const start = reader.position++
  const before = parts.length
  while (!atEnd(reader) && reader.text[reader.position] !== '"') {
    readQuotedPart(reader, commands, parts, /[^$`\\"]+/y)
  }
  if (atEnd(reader)) fail(reader, 'has a double quote without its end', start)
  else reader.position++
  if (parts.length === before) parts.push(text('', true))
}

function readQuotedPart(reader: ShellReader, commands: ReadCommands, parts: WordPart[], plain: RegExp): void {
  const literal = take(reader, plain)
  if (literal !== undefined) {
    parts.push(text(literal, true))
    return
  }
  const char = reader.text[reader.position]!
  if (char === '$' || char === '`') {
    parts.push(readExpansion(reader, commands, true))
    return
  }
  const next = reader.text[reader.position + 1] ?? ''
  reader.position += char === '\\' ? 2 : 1
  if (char !== '\\') parts.push(text(char, true))
  else if (next !== '\n') parts.push(text(/[$`"\\]/.test(next) ? next : `\\${next}`, true))
}

function readSingle(reader: ShellReader, escapes = false): string {
  const start = reader.position
  const found = take(reader, escapes ? /'(?:[^'\\]|\\[\s\S])*'/y : /'[^']*'/y)
  if (found === undefined) fail(reader, 'has a quote without its end', start)
  return found?.slice(1, -1) ?? ''
}

function readProcess(reader: ShellReader, commands: ReadCommands): WordPart {
  reader.position += 2
  const inner = nested(reader, [], () => commands(reader, ')'))
  return { type: 'command', commands: inner, quoted: false }
}

/** `@(a|b)` and its cousins: a pattern, kept as text. */
function readBalanced(reader: ShellReader): string {
  const start = reader.position
  let depth = 0
  while (!atEnd(reader)) {
    const char = reader.text[reader.position++]
    if (char === '(') depth++
    else if (char === ')' && --depth === 0) return reader.text.slice(start, reader.position)
    else if (char === '\n') break
  }
  fail(reader, 'has a parenthesis without its end', start)
  return ''
}

function opensInside(reader: ShellReader, char: string, begun: boolean): boolean {
  if (char === '<' || char === '>') return !begun && reader.text[reader.position + 1] === '('
  return char === '(' && begun && /[?*+@!]/.test(reader.text[reader.position - 1] ?? '')
}

function text(value: string, quoted: boolean): WordPart {
  return { type: 'text', text: value, quoted }
}

function merged(parts: readonly WordPart[]): WordPart[] {
  const result: WordPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.type === 'text' && last?.type === 'text' && last.quoted === part.quoted) {
      result[result.length - 1] = text(last.text + part.text, part.quoted)
    } else result.push(part)
  }
  return result
}

function unescapeAnsi(raw: string): string {
  const named: Record<string, string> = { n: '\n', t: '\t', r: '\r', "'": "'", '"': '"', '\\': '\\', e: '\u001b' }
  return raw.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([\s\S]))/g, (whole, hex, octal, char) => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
    return named[char] ?? whole
  })
}
