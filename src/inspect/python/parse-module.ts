// Source text to syntax, with limits: a script from the wild may be anything.
import type { SyntaxNode } from '@lezer/common'
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

/** Reads a module; a source that is not Python is an answer, not an exception. */
export function parseModule(text: string): ParsedModule {
  if (text.length > LARGEST) {
    return { ok: false, message: `The script has more than ${LARGEST} characters and was not read.`, line: 1 }
  }
  const binary = text.search(/[\0\uFFFD]/)
  if (binary >= 0) {
    return { ok: false, message: 'The script holds bytes that are not UTF-8 text.', line: lineCounter(text)(binary) }
  }
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const tree = parser.parse(source)
  const lineAt = lineCounter(source)
  let broken = -1
  tree.iterate({
    enter: node => {
      if (broken >= 0) return false
      if (node.type.isError && !isHarmless(node.node)) broken = node.from
      return undefined
    },
  })
  if (broken >= 0) return { ok: false, message: 'The script has a syntax error.', line: lineAt(broken) }
  return { ok: true, module: { text: source, statements: readStatements(tree.topNode, source), lineAt } }
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
