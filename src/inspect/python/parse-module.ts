// Source text to syntax, with limits: a script from the wild may be anything.
import type { SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@lezer/python'
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

/** Error recovery is slow on garbage, so it is tried only where the grammar is known to stumble. */
function parseStrictly(source: string): Tree | 'too-long' | { readonly error: number } {
  try {
    const parse = strict.startParse(source)
    for (let count = 0; count < MOST_TOKENS; count++) {
      const tree = parse.advance()
      if (tree) return tree
    }
    return 'too-long'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const position = Number(/\d+$/.exec(error.message)?.[0] ?? 0)
    return STUMBLES.test(source.slice(Math.max(0, position - 400), position + 1))
      ? parseTolerantly(source)
      : { error: position }
  }
}

const STUMBLES = /\d\.\s*\S?$|\(\s*yield\s*\S?$|\bwith\s*\((?!.*:\n)[\s\S]*$/

function parseTolerantly(source: string): Tree | { readonly error: number } {
  const tree = parser.parse(source)
  let position = -1
  tree.iterate({
    enter: node => {
      if (position < 0 && node.type.isError && !isHarmless(node.node)) position = node.from
      return position < 0
    },
  })
  return position < 0 ? tree : { error: position }
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

/** Valid Python that the grammar stumbles over: `400.`, `(yield)`, and parentheses around the items of a `with`. */
function isHarmless(error: SyntaxNode): boolean {
  const parent = error.parent
  if (!parent) return false
  if (parent.name === 'MemberExpression') return parent.firstChild?.name === 'Number' && error.from === error.to
  if (parent.name === 'YieldExpression') return error.from === error.to
  const statement = parent.name === 'WithStatement' ? parent : parent.parent
  return statement?.name === 'WithStatement' && statement.firstChild?.nextSibling?.name === 'ParenthesizedExpression'
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
