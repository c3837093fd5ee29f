// What begins with `$` or a backtick.
import { type ReadCommands, readArgument } from './read-word.ts'
import { atEnd, createShellReader, fail, looksAt, nested, type ShellReader, take } from './shell-reader.ts'
import type { Word, WordPart } from './shell-syntax.ts'

/** Reads the expansion that begins here; a `$` that begins none is text. */
export function readExpansion(reader: ShellReader, commands: ReadCommands, quoted: boolean): WordPart {
  const nothing: WordPart = { type: 'text', text: '', quoted }
  return nested(reader, nothing, () => {
    if (looksAt(reader, '`')) return readBackticks(reader, commands, quoted)
    if (looksAt(reader, '$((')) {
      const found = readArithmetic(reader, 3)
      if (found !== undefined) return { type: 'arithmetic', text: found, quoted }
    }
    if (looksAt(reader, '$(')) {
      reader.position += 2
      return { type: 'command', commands: commands(reader, ')'), quoted }
    }
    if (looksAt(reader, '${')) return readBraced(reader, commands, quoted)
    reader.position++
    const name = take(reader, /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y)
    if (name === undefined) return { type: 'text', text: '$', quoted }
    return { type: 'expansion', name, prefix: '', operator: '', quoted }
  })
}

/** Reads up to the matching `))`; undefined, with the cursor where it was, when it is not arithmetic after all. */
export function readArithmetic(reader: ShellReader, skip: number): string | undefined {
  const start = reader.position
  let depth = 2
  let at = start + skip
  for (; at < reader.text.length; at++) {
    const char = reader.text[at]
    if (char === '(') depth++
    else if (char === ')') {
      depth--
      if (depth === 0) break
      if (depth === 1 && reader.text[at + 1] !== ')') return undefined
    }
  }
  if (depth > 0) {
    fail(reader, 'has arithmetic without its end', start)
    return ''
  }
  reader.position = at + 1
  return reader.text.slice(start + skip, at - 1)
}

function readBraced(reader: ShellReader, commands: ReadCommands, quoted: boolean): WordPart {
  const start = reader.position
  reader.position += 2
  const prefix = (take(reader, /[#!](?=[A-Za-z0-9_@*])/y) ?? '') as '' | '#' | '!'
  const name = take(reader, /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y)
  if (name === undefined) {
    fail(reader, 'has an expansion that cannot be read', start)
    return { type: 'text', text: '', quoted }
  }
  const index = take(reader, /\[(?:[^\]$]|\$\{[^}]*\}|\$)*\]/y)?.slice(1, -1)
  const operator = take(reader, /:[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|:|\^\^?|,,?|@/y) ?? ''
  const argument: Word | undefined = operator ? readArgument(reader, commands, quoted) : undefined
  if (atEnd(reader) || reader.text[reader.position] !== '}') {
    fail(reader, 'has an expansion without its end', start)
  } else reader.position++
  return {
    type: 'expansion',
    name,
    prefix,
    operator,
    quoted,
    ...(index === undefined ? {} : { index }),
    ...(argument === undefined ? {} : { argument }),
  }
}

function readBackticks(reader: ShellReader, commands: ReadCommands, quoted: boolean): WordPart {
  const start = reader.position
  const found = take(reader, /`(?:[^`\\]|\\[\s\S])*`/y)
  if (found === undefined) {
    fail(reader, 'has a backtick without its end', start)
    return { type: 'text', text: '', quoted }
  }
  const inner = createShellReader(found.slice(1, -1).replace(/\\([$`\\])/g, '$1'))
  inner.depth = reader.depth
  const read = commands(inner, '')
  if (inner.problem) fail(reader, inner.problem.message, start)
  return { type: 'command', commands: read, quoted }
}
