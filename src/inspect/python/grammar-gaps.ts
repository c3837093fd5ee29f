// Valid Python that the grammar does not know, rewritten at the same length. Only the tree is made from the rewritten
// text: what the nodes say is still read from the source.

/** The source in words that the grammar knows; the same text when there is nothing to mend. */
export function bridgeGaps(source: string): string {
  return joinWithItems(source)
    .replace(BARE_YIELD, 'Yield')
    .replace(UNPACKED_TARGET, target => `as${blank(target.slice(2))}`)
    .replace(FLOAT_WITHOUT_FRACTION, number => `${number.slice(0, -1)}0`)
    .replace(STARRED_TARGET, target => target.replace('*', ' '))
    .replace(CASE_LINE, line => line.replaceAll('()', '__'))
    .replace(MATCH_LINE, line => line.replaceAll(',', '+'))
}

// Repetitions are bounded, so that a hostile source cannot make the search quadratic.
const BARE_YIELD = /\byield(?=[ \t]{0,20}(?:[\r\n)\]#;]|$))/g
const UNPACKED_TARGET = /\bas[ \t]{0,20}\([\w\s,.*]{0,200}\)(?=[ \t]{0,20}[:,])/g
const FLOAT_WITHOUT_FRACTION = /(?<![\w.])\d[\d_]*\.(?![\w.])/g
const STARRED_TARGET = /\bfor\b[ \t\w,(]{0,100}\*(?=\w{1,50}[ \t\w,)]{0,100}\bin\b)/g
const CASE_LINE = /^[ \t]*case\b.*:/gm
const MATCH_LINE = /^[ \t]*match [^\n=,]{1,100},[^\n]{1,200}:[ \t]*$/gm

/** A name of the same length, one blank after the word before it. */
function blank(target: string): string {
  return ` ${target.slice(1).replace(/\W/g, '_')}`
}

/** `with (open(a) as x, open(b) as y):` without its parentheses. */
function joinWithItems(source: string): string {
  let result = source
  for (const { index, 0: head } of [...source.matchAll(/\bwith\s*\(/g)].slice(0, MOST)) {
    const open = index + head.length - 1
    const close = closingOf(source, open)
    if (close === undefined || !/^\s*:/.test(source.slice(close + 1, close + 40))) continue
    const inside = source.slice(open + 1, close)
    if (!/\bas\b/.test(inside)) continue
    const flat = inside
      .replace(/#.*$/gm, comment => ' '.repeat(comment.length))
      .replace(/,(\s*)$/, ' $1')
      .replace(/[\r\n]/g, ' ')
    result = `${result.slice(0, open)} ${flat} ${result.slice(close + 1)}`
  }
  return result
}

// Limits that keep a hostile source from taking long.
const MOST = 200
const FURTHEST = 4_000
const PIECE = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[()]/g

function closingOf(source: string, open: number): number | undefined {
  let depth = 0
  for (const piece of source.slice(open, open + FURTHEST).matchAll(PIECE)) {
    if (piece[0] === '(') depth++
    else if (piece[0] === ')' && --depth === 0) return open + piece.index
  }
  return undefined
}
