// `if`, loops, `case`, groups, tests and `function name`.
import { parseList, parseSubstitution, skipLines } from './parse-shell.ts'
import { parseFunctionBody } from './parse-simple.ts'
import { readArithmetic } from './read-expansion.ts'
import { readWord } from './read-word.ts'
import { atEnd, fail, looksAt, type ShellReader, skipBlanks, take } from './shell-reader.ts'
import type { CaseArm, Command, Word } from './shell-syntax.ts'

// Made once: these are tried at every word of a script.
const KEYWORD = /(?:if|while|until|for|select|case|function|\{|\[\[)(?=[\s;(]|$)/y

/** Reads a compound command; undefined, with the cursor where it was, when none begins here. */
export function parseCompound(reader: ShellReader): Command | undefined {
  const offset = reader.position
  const place = { offset, redirects: [] }
  if (looksAt(reader, '((')) {
    const text = readArithmetic(reader, 2)
    if (text !== undefined) return { type: 'arithmetic', text, ...place }
  }
  if (looksAt(reader, '(')) {
    reader.position++
    return { type: 'group', subshell: true, body: until(reader, ')'), ...place }
  }
  const keyword = take(reader, KEYWORD)
  switch (keyword) {
    case 'if':
      return { ...parseIf(reader), ...place }
    case 'while':
    case 'until':
      return {
        type: 'loop',
        until: keyword === 'until',
        condition: until(reader, 'do'),
        body: until(reader, 'done'),
        ...place,
      }
    case 'for':
    case 'select':
      return parseFor(reader, keyword === 'select', offset)
    case 'case':
      return parseCase(reader, offset)
    case 'function': {
      skipBlanks(reader)
      const name = take(reader, /[^\s(){}]+/y) ?? ''
      take(reader, /[ \t]*\([ \t]*\)/y)
      return parseFunctionBody(reader, name, offset)
    }
    case '{':
      return { type: 'group', subshell: false, body: until(reader, '}'), ...place }
    case '[[':
      return { type: 'test', words: parseTest(reader, offset), ...place }
    default:
      return undefined
  }
}

function parseIf(reader: ShellReader): Pick<Extract<Command, { type: 'if' }>, 'type' | 'branches' | 'otherwise'> {
  const branches: { condition: readonly Command[]; body: readonly Command[] }[] = []
  for (;;) {
    const condition = until(reader, 'then')
    branches.push({ condition, body: parseList(reader) })
    if (take(reader, /elif(?=\s)/y) === undefined) break
  }
  const otherwise = take(reader, /else(?=[\s;]|$)/y) === undefined ? [] : parseList(reader)
  expect(reader, 'fi')
  return { type: 'if', branches, otherwise }
}

function parseFor(reader: ShellReader, select: boolean, offset: number): Command {
  skipBlanks(reader)
  if (looksAt(reader, '((')) {
    const arithmetic = readArithmetic(reader, 2) ?? ''
    skipSeparator(reader)
    const braces = looksAt(reader, '{')
    expect(reader, braces ? '{' : 'do')
    return {
      type: 'for',
      variable: '',
      words: [],
      arithmetic,
      body: until(reader, braces ? '}' : 'done'),
      select,
      offset,
      redirects: [],
    }
  }
  const variable = take(reader, /[A-Za-z_][A-Za-z0-9_]*/y) ?? ''
  skipLines(reader)
  const over = take(reader, /in(?=[\s;])/y) === undefined ? {} : { words: readWords(reader) }
  skipSeparator(reader)
  expect(reader, 'do')
  return { type: 'for', variable, ...over, body: until(reader, 'done'), select, offset, redirects: [] }
}

function parseCase(reader: ShellReader, offset: number): Command {
  skipBlanks(reader)
  const subject = readWord(reader, parseSubstitution) ?? { parts: [], offset }
  skipLines(reader)
  expect(reader, 'in')
  const arms: CaseArm[] = []
  for (;;) {
    skipLines(reader)
    if (atEnd(reader) || take(reader, /esac(?=[\s;&|)<>]|$)/y) !== undefined) break
    arms.push(parseArm(reader))
  }
  if (reader.text.slice(reader.position - 4, reader.position) !== 'esac')
    fail(reader, 'has a case without its end', offset)
  return { type: 'case', subject, arms, offset, redirects: [] }
}

function parseArm(reader: ShellReader): CaseArm {
  const offset = reader.position
  take(reader, /\([ \t]*/y)
  const patterns: Word[] = []
  do {
    skipBlanks(reader)
    const pattern = readWord(reader, parseSubstitution)
    if (pattern) patterns.push(pattern)
    skipBlanks(reader)
  } while (take(reader, /\|/y) !== undefined)
  expect(reader, ')')
  const body = parseList(reader)
  const end = take(reader, /;;&|;;|;&/y) ?? ''
  if (end === '' && !looksAt(reader, 'esac')) fail(reader, 'has a case arm without its end', offset)
  return { patterns, body, offset, end }
}

/** The words of `[[ … ]]`, where `<`, `(`, `&&` and the like are operators and a regular expression may hold anything. */
function parseTest(reader: ShellReader, offset: number): readonly Word[] {
  const words: Word[] = []
  let expression = false
  for (;;) {
    skipLines(reader)
    if (take(reader, /\]\](?=[\s;&|)]|$)/y) !== undefined) return words
    const start = reader.position
    const operator: string | undefined = expression ? undefined : take(reader, /&&|\|\||[()<>]/y)
    const word: Word | undefined = operator
      ? { parts: [{ type: 'text' as const, text: operator, quoted: false }], offset: start }
      : readWord(reader, parseSubstitution, expression ? /[ \t\n]/ : /[ \t\r\n;&|()<>]/)
    if (!word || atEnd(reader)) {
      fail(reader, 'has a test without its end', offset)
      return words
    }
    words.push(word)
    expression = reader.text.slice(start, reader.position) === '=~'
  }
}

function until(reader: ShellReader, word: string): readonly Command[] {
  const commands = parseList(reader)
  expect(reader, word)
  return commands
}

function expect(reader: ShellReader, word: string): void {
  if (looksAt(reader, word)) reader.position += word.length
  else fail(reader, `lacks \`${word}\``, Math.min(reader.position, reader.text.length - 1))
}

function skipSeparator(reader: ShellReader): void {
  skipLines(reader)
  take(reader, /;/y)
  skipLines(reader)
}

function readWords(reader: ShellReader): readonly Word[] {
  const words: Word[] = []
  for (;;) {
    skipBlanks(reader)
    const word = readWord(reader, parseSubstitution)
    if (!word) return words
    words.push(word)
  }
}
