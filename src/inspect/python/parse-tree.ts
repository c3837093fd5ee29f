// Source text to a parse tree. A mistake in the source is an exception here, and an answer further out.
import type { SyntaxNode, Tree } from '@lezer/common'
import { pythonGrammar } from '../../libraries.ts'
import { bridgeGaps } from './grammar-gaps.ts'
import type { Range } from './lazy-bodies.ts'

/** The longest script of those we have seen has 36,000. */
const MOST_TOKENS = 40_000

/** The source is not Python, or too much of it. */
export class BrokenSource extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Parses parts of a source; the tree has the offsets of the whole. Throws `BrokenSource`.
 * Error recovery is slow on garbage and hides real mistakes; where the grammar has gaps the source is rewritten instead.
 */
export function parseTree(source: string, ranges: readonly Range[]): Tree {
  try {
    return parseStrictly(source, ranges)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const offset = Number(/\d+$/.exec(error.message)?.[0] ?? 0)
    try {
      const bridged = bridgeGaps(source)
      if (bridged !== source) return parseStrictly(bridged, ranges)
    } catch (second) {
      if (!(second instanceof SyntaxError)) throw second
    }
    throw new BrokenSource('The script has a syntax error.', offset)
  }
}

function parseStrictly(source: string, ranges: readonly Range[]): Tree {
  const parse = pythonGrammar().parser.configure({ strict: true }).startParse(source, [], ranges)
  for (let count = 0; count < MOST_TOKENS; count++) {
    const tree = parse.advance()
    if (tree) return tree
  }
  throw new BrokenSource(`The script has more than ${MOST_TOKENS} tokens and was not read.`, 0)
}

/** The body of a definition that was left out of the first parse. Throws `BrokenSource`. */
export function parseBody(source: string, definition: Range): SyntaxNode | null {
  // A tree counts from the start of its first range, so that has to be the start of the source.
  const isFirst = definition.from === 0
  const tree = isFirst
    ? parseTree(source, [definition])
    : parseTree(`\n${source.slice(1)}`, [{ from: 0, to: 1 }, definition])
  return tree.topNode.firstChild?.getChild('Body') ?? null
}
