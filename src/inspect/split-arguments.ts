// The arguments of a call in languages that we have no grammar for: enough to tell strings, brackets and commas apart.

/** Far more than a call has that somebody wrote. */
const LONGEST = 10_000

export type SourceItem = { readonly text: string; readonly offset: number }

/**
 * The items between the bracket at `open` and its partner, without comments; undefined when the partner is missing.
 * `escaper` is the character that takes the meaning from a quote.
 */
export function splitArguments(
  source: string,
  open: number,
  escaper: '\\' | '`',
): { readonly items: readonly SourceItem[]; readonly end: number } | undefined {
  const items: SourceItem[] = []
  let depth = 0
  let item = ''
  let offset = open + 1
  const close = () => {
    const blanks = item.length - item.trimStart().length
    if (item.trim() !== '') items.push({ text: item.trim(), offset: offset + blanks })
    item = ''
  }
  const last = Math.min(source.length, open + LONGEST)
  for (let at = open; at < last; at++) {
    const char = source[at]!
    if (char === '"' || char === "'") {
      const end = endOfString(source, at, escaper)
      item += source.slice(at, end + 1)
      at = end
      continue
    }
    const comment = commentAt(source, at, escaper)
    if (comment > at) {
      item += ' '.repeat(comment - at)
      at = comment - 1
      continue
    }
    if ('([{'.includes(char) && depth++ === 0) continue
    if (')]}'.includes(char) && --depth === 0) {
      close()
      return { items, end: at }
    }
    if (char === ',' && depth === 1) {
      close()
      offset = at + 1
    } else item += char
  }
  return undefined
}

/** The text of a string literal without anything to fill in; undefined for everything else. */
export function stringText(text: string): string | undefined {
  const found = /^(?:'((?:[^'\\]|\\.|'')*)'|"((?:[^"\\$#`@]|\\.|[#@$](?![{\w]))*)")(?:\.freeze)?$/s.exec(text.trim())
  return found ? (found[1] ?? found[2] ?? '').replace(/\\(["'\\])/g, '$1') : undefined
}

export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

function endOfString(source: string, start: number, escaper: string): number {
  const quote = source[start]!
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === escaper && (quote === '"' || escaper === '\\')) at++
    else if (source[at] === quote) return at
  }
  return source.length
}

/** Where the comment that begins here ends; the same place when none does. */
function commentAt(source: string, at: number, escaper: string): number {
  if (escaper === '`' && source.startsWith('<#', at)) {
    const end = source.indexOf('#>', at)
    return end < 0 ? source.length : end + 2
  }
  if (source[at] !== '#' || !/[\s,([{]/.test(source[at - 1] ?? ' ')) return at
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}
