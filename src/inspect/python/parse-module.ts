// Source text to syntax, with limits: a script from the wild may be anything.
import { type Outline, outline } from './lazy-bodies.ts'
import { BrokenSource, parseTree } from './parse-tree.ts'
import { readStatements } from './read-statement.ts'
import type { Statement } from './syntax.ts'

export type Module = {
  readonly text: string
  readonly statements: readonly Statement[]
  /** Line of an offset, from 1. */
  readonly lineAt: (offset: number) => number
}

export type ParsedModule =
  | { readonly ok: true; readonly module: Module }
  | { readonly ok: false; readonly message: string; readonly line: number }

/** Larger sources are data with a little code around, and would make compiling slow. */
const LARGEST = 200_000
/** Up to here everything is parsed at once, so that every mistake is found. */
const SHORT = 6_000
/** Outside of functions. To find this out after parsing would take too long. */
const MOST_LINES = 3_000
/** Python itself refuses 200 nested brackets. */
const DEEPEST = 200

/**
 * Reads a module; a source that is not Python is an answer, not an exception. The bodies of a long module's functions
 * are parsed when they are asked for, and then throw `BrokenSource`.
 */
export function parseModule(text: string): ParsedModule {
  if (text.length > LARGEST) return broken(`The script has more than ${LARGEST} characters and was not read.`, 1)
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const lineAt = lineCounter(source)
  const binary = source.search(/[\0\uFFFD]/)
  if (binary >= 0) return broken('The script holds bytes that are not UTF-8 text.', lineAt(binary))
  if (isTooDeep(source)) return broken('The script is nested too deeply to be read.', 1)

  try {
    const { text: outlined, ranges, lines } = (source.length > SHORT ? outline(source) : undefined) ?? whole(source)
    if (lines > MOST_LINES) return broken(`The script has more than ${MOST_LINES} statements and was not read.`, 1)
    const tree = parseTree(outlined, ranges)
    return { ok: true, module: { text: source, statements: readStatements(tree.topNode, source), lineAt } }
  } catch (error) {
    if (error instanceof BrokenSource) return broken(error.message, lineAt(error.offset))
    throw error
  }
}

function whole(source: string): Outline {
  return { text: source, ranges: [{ from: 0, to: source.length }], lines: 0 }
}

function broken(message: string, line: number): ParsedModule {
  return { ok: false, message, line }
}

function isTooDeep(source: string): boolean {
  let depth = 0
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index)
    if (code === 40 || code === 91 || code === 123) depth++
    else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--
    if (depth > DEEPEST) return true
  }
  return false
}

function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined
  return offset => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1)
  return starts
}
