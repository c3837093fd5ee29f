// The shell's grammar, as far as a script's interface needs it: bash and POSIX sh.
import { parseCompound } from './parse-compound.ts'
import { parseSimple, readRedirects } from './parse-simple.ts'
import { readLiveText } from './read-word.ts'
import {
  atEnd,
  createShellReader,
  fail,
  looksAt,
  nested,
  type ShellReader,
  skipBlanks,
  take,
  takeNewline,
} from './shell-reader.ts'
import type { Command } from './shell-syntax.ts'

// Made once: these are tried at every word of a script.
const CLOSER = /(?:then|do|done|fi|else|elif|esac|\})(?=[\s;&|()<>]|$)|\)|;;|;&/y
const SEPARATOR = /[;&](?![&])/y
const AND_OR = /&&|\|\|/y
const PIPE = /\|&?(?!\|)/y
const TIMED = /time(?=[ \t])(?:[ \t]+-p(?=[ \t]))?[ \t]+/y
const NEGATION = /!(?=[ \t\n(])[ \t\n]+/y

export type ShellScript = {
  readonly commands: readonly Command[]
  readonly problem?: { readonly message: string; readonly offset: number }
}

/** Parses a whole script. Never throws: what cannot be parsed is a problem, beside what was read before it. */
export function parseShell(text: string): ShellScript {
  const reader = createShellReader(text)
  const commands = parseList(reader)
  if (!atEnd(reader)) fail(reader, 'has a word out of place', reader.position)
  return reader.problem ? { commands, problem: reader.problem } : { commands }
}

/** Parses commands up to a closing word (`fi`, `done`, `}`, `)`, `;;` …), which stays. */
export function parseList(reader: ShellReader): readonly Command[] {
  const commands: Command[] = []
  for (;;) {
    skipSeparators(reader)
    if (atEnd(reader) || closes(reader)) return commands
    const before = reader.position
    const command = parseAndOr(reader)
    if (command) commands.push(command)
    if (reader.position === before) {
      fail(reader, 'has a word out of place', before)
      return commands
    }
  }
}

/** The commands of a substitution, with the `)` that ends them. */
export function parseSubstitution(reader: ShellReader, close: ')' | ''): readonly Command[] {
  const commands = parseList(reader)
  if (close === '') return commands
  if (looksAt(reader, close)) reader.position++
  else fail(reader, 'has a substitution without its end', reader.position)
  return commands
}

export function skipLines(reader: ShellReader): void {
  do skipBlanks(reader)
  while (takeNewline(reader, (text, offset) => readLiveText(text, offset, parseSubstitution)))
}

function skipSeparators(reader: ShellReader): void {
  for (;;) {
    skipLines(reader)
    if (looksAt(reader, ';;') || looksAt(reader, ';&')) return
    if (take(reader, SEPARATOR) === undefined) return
  }
}

function parseAndOr(reader: ShellReader): Command | undefined {
  let left = parsePipeline(reader)
  while (left) {
    skipBlanks(reader)
    const operator = take(reader, AND_OR)
    if (operator === undefined) return left
    skipLines(reader)
    const right = parsePipeline(reader)
    if (!right) return left
    left = { type: operator === '&&' ? 'and' : 'or', left, right, offset: left.offset, redirects: [] }
  }
  return left
}

function parsePipeline(reader: ShellReader): Command | undefined {
  skipBlanks(reader)
  const offset = reader.position
  take(reader, TIMED)
  const negated = take(reader, NEGATION) !== undefined
  const commands: Command[] = []
  for (;;) {
    const command = parseCommand(reader)
    if (!command) break
    commands.push(command)
    skipBlanks(reader)
    if (take(reader, PIPE) === undefined) break
    skipLines(reader)
  }
  const [first] = commands
  if (!first) return undefined
  const pipe: Command = commands.length === 1 ? first : { type: 'pipe', commands, offset, redirects: [] }
  return negated ? { type: 'not', command: pipe, offset, redirects: [] } : pipe
}

function parseCommand(reader: ShellReader): Command | undefined {
  return nested(reader, undefined, () => {
    skipBlanks(reader)
    if (atEnd(reader) || closes(reader)) return undefined
    const compound = parseCompound(reader)
    if (!compound) return parseSimple(reader)
    return { ...compound, redirects: readRedirects(reader) }
  })
}

function closes(reader: ShellReader): boolean {
  CLOSER.lastIndex = reader.position
  return CLOSER.test(reader.text)
}
