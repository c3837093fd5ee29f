// Simple commands: assignments, words and redirections; and the definition of a function, which begins like one.
import { parseList, parseSubstitution, skipLines } from './parse-shell.ts'
import { readWord } from './read-word.ts'
import { atEnd, fail, looksAt, type ShellReader, skipBlanks, take } from './shell-reader.ts'
import type { Assignment, Command, Redirect, Word } from './shell-syntax.ts'

// Made once: these are tried at every word of a script.
const REDIRECT = /(?:\d+|\{\w+\})?(?:<<<|<<-?|<>|<&|>&|>>|>\||&>>|&>|<(?!\()|>(?!\())/y
const ASSIGNMENT = /[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\n]*\])?\+?=/y
const FUNCTION_AHEAD = /[ \t]+(?=\([ \t]*\))/y

export function parseSimple(reader: ShellReader): Command | undefined {
  const offset = reader.position
  const assignments: Assignment[] = []
  const words: Word[] = []
  const redirects: Redirect[] = []
  for (;;) {
    skipBlanks(reader)
    const redirect = readRedirect(reader)
    if (redirect) {
      redirects.push(redirect)
      continue
    }
    const assignment = words.length === 0 || declares(words[0]!) ? readAssignment(reader) : undefined
    if (assignment) {
      assignments.push(assignment)
      continue
    }
    const word = readWord(reader, parseSubstitution)
    if (!word) break
    words.push(word)
    if (words.length === 1 && assignments.length === 0 && looksAt(reader, '(')) break
    if (words.length === 1 && take(reader, FUNCTION_AHEAD) !== undefined) break
  }
  const name = plain(words[0])
  if (name !== undefined && words.length === 1 && take(reader, /\([ \t]*\)/y) !== undefined) {
    return parseFunctionBody(reader, name, offset)
  }
  if (assignments.length + words.length + redirects.length === 0) return undefined
  return { type: 'simple', assignments, words, redirects, offset }
}

/** The body after `name()` or `function name`. */
export function parseFunctionBody(reader: ShellReader, name: string, offset: number): Command | undefined {
  skipLines(reader)
  const subshell = looksAt(reader, '(')
  if (!subshell && !looksAt(reader, '{')) {
    fail(reader, 'has a function without a body', offset)
    return undefined
  }
  reader.position++
  const start = reader.position
  const inner = parseList(reader)
  if (!looksAt(reader, subshell ? ')' : '}')) fail(reader, `has a function without its end (${name})`, offset)
  else reader.position++
  const body: Command = { type: 'group', subshell, body: inner, offset: start, redirects: readRedirects(reader) }
  return { type: 'function', name, body, offset, redirects: [] }
}

export function readRedirects(reader: ShellReader): readonly Redirect[] {
  const redirects: Redirect[] = []
  for (;;) {
    skipBlanks(reader)
    const redirect = readRedirect(reader)
    if (!redirect) return redirects
    redirects.push(redirect)
  }
}

function readRedirect(reader: ShellReader): Redirect | undefined {
  const offset = reader.position
  const found = take(reader, REDIRECT)
  if (found === undefined) return undefined
  const [, descriptor = '', operator = ''] = /^(\d+|\{\w+\})?(.*)$/.exec(found) ?? []
  skipBlanks(reader)
  const start = reader.position
  const target = readWord(reader, parseSubstitution)
  const redirect: Redirect = {
    operator,
    ...(descriptor ? { descriptor } : {}),
    ...(target ? { target } : {}),
  }
  if (operator === '<<' || operator === '<<-') {
    const raw = reader.text.slice(start, reader.position)
    reader.pending.push({
      redirect,
      delimiter: raw.replace(/["'\\]/g, ''),
      stripTabs: operator === '<<-',
      live: !/["'\\]/.test(raw),
      offset,
    })
  }
  return redirect
}

function readAssignment(reader: ShellReader): Assignment | undefined {
  const found = take(reader, ASSIGNMENT)
  if (found === undefined) return undefined
  const name = found.replace(/[[+=].*$/s, '')
  const base = { name, append: found.endsWith('+='), indexed: found.includes('[') }
  if (looksAt(reader, '(')) return { ...base, items: readItems(reader) }
  const value = readWord(reader, parseSubstitution)
  return value ? { ...base, value } : base
}

function readItems(reader: ShellReader): readonly Word[] {
  const start = reader.position++
  const items: Word[] = []
  for (;;) {
    skipLines(reader)
    const item = readWord(reader, parseSubstitution)
    if (item) items.push(item)
    else if (looksAt(reader, ')')) {
      reader.position++
      return items
    } else if (atEnd(reader)) {
      fail(reader, 'has a list without its end', start)
      return items
    } else reader.position++
  }
}

/** `local x=(a b)` takes assignments after its first word. */
function declares(word: Word): boolean {
  return /^(?:local|declare|typeset|readonly|export)$/.test(plain(word) ?? '')
}

function plain(word: Word | undefined): string | undefined {
  const [part, ...more] = word?.parts ?? []
  return part?.type === 'text' && !part.quoted && more.length === 0 ? part.text : undefined
}
