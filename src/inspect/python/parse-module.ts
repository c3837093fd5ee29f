// Source text to syntax, with limits: a script from the wild may be anything.
import type { Tree } from '@lezer/common'
import { parser } from '@lezer/python'
import { bridgeGaps } from './grammar-gaps.ts'
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
const MOST_TOKENS = 100_000
/** Python itself refuses 200 nested brackets. */
const DEEPEST = 200

const strict = parser.configure({ strict: true })

/** Reads a module; a source that is not Python is an answer, not an exception. */
export function parseModule(text: string): ParsedModule {
  if (text.length > LARGEST) return broken(`The script has more than ${LARGEST} characters and was not read.`, 1)
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const lineAt = lineCounter(source)
  const binary = source.search(/[\0\uFFFD]/)
  if (binary >= 0) return broken('The script holds bytes that are not UTF-8 text.', lineAt(binary))
  if (isTooDeep(source)) return broken('The script is nested too deeply to be read.', 1)

  const tree = parseStrictly(source)
  if (tree === 'too-long') return broken(`The script has more than ${MOST_TOKENS} tokens and was not read.`, 1)
  if ('error' in tree) return broken('The script has a syntax error.', lineAt(tree.error))
  return { ok: true, module: { text: source, statements: readStatements(tree.topNode, source), lineAt } }
}

function broken(message: string, line: number): ParsedModule {
  return { ok: false, message, line }
}

/** Error recovery is slow on garbage and hides real mistakes; where the grammar has gaps the source is rewritten instead. */
function parseStrictly(source: string, isBridged = false): Tree | 'too-long' | { readonly error: number } {
  try {
    const parse = strict.startParse(source)
    for (let count = 0; count < MOST_TOKENS; count++) {
      const tree = parse.advance()
      if (tree) return tree
    }
    return 'too-long'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const bridged = isBridged ? source : bridgeGaps(source)
    if (bridged !== source) return parseStrictly(bridged, true)
    return { error: Number(/\d+$/.exec(error.message)?.[0] ?? 0) }
  }
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
