// Parsing is most of the work, and most functions of a long script are never looked into. Their bodies are left out of
// the first parse and parsed when they are asked for.

const DEFINITION = /(?:async[ \t]+)?def\b/y

export type Range = { readonly from: number; readonly to: number }

export type Outline = {
  /** Logical lines that are left. */
  readonly lines: number
  /** The source with a `0` in place of what is left out. */
  readonly text: string
  /** The parts to parse. */
  readonly ranges: readonly Range[]
}

type Line = { readonly start: number; readonly end: number; readonly indent: number }

/**
 * The source without the bodies of its functions. In the tree each is a number that spans the whole body.
 * Undefined when brackets or quotes do not match: then the whole has to be parsed to say where the mistake is.
 */
export function outline(source: string): Outline | undefined {
  const lines = linesOf(source)
  if (!lines) return undefined
  const pieces: string[] = []
  const ranges: Range[] = []
  let position = 0
  let kept = 0
  let definition: Line | undefined
  let body: { readonly start: number; end: number } | undefined
  const close = () => {
    if (body) {
      pieces.push(source.slice(position, body.start), '0')
      ranges.push({ from: position, to: body.start + 1 })
      pieces.push(source.slice(body.start + 1, body.end))
      position = body.end
    }
    definition = body = undefined
  }
  for (const line of lines) {
    if (definition && line.indent > definition.indent) {
      if (body) body.end = line.end
      else body = { start: line.start, end: line.end }
      continue
    }
    close()
    kept++
    if (isDefinition(source, line)) definition = line
  }
  close()
  pieces.push(source.slice(position))
  if (position < source.length) ranges.push({ from: position, to: source.length })
  return { text: pieces.join(''), ranges, lines: kept }
}

function isDefinition(source: string, line: Line): boolean {
  DEFINITION.lastIndex = line.start
  return DEFINITION.test(source)
}

const [TAB, NEWLINE, SPACE, DOUBLE, HASH, SINGLE, BACKSLASH] = [9, 10, 32, 34, 35, 39, 92]

/** Logical lines that are not blank: brackets, strings and `\` continue a line. Undefined when they do not match. */
function linesOf(source: string): Line[] | undefined {
  const lines: Line[] = []
  const expected: number[] = []
  let start = 0
  for (let at = 0; at <= source.length; at++) {
    const code = at === source.length ? NEWLINE : source.charCodeAt(at)
    if (code === DOUBLE || code === SINGLE) {
      at = stringEnd(source, at, code)
      if (at < 0) return undefined
    } else if (code === HASH) at = lineEnd(source, at) - 1
    else if (code === BACKSLASH) at += source.startsWith('\r\n', at + 1) ? 2 : 1
    else if (code === 40) expected.push(41)
    else if (code === 91 || code === 123) expected.push(code + 2)
    else if (code === 41 || code === 93 || code === 125) {
      if (expected.pop() !== code) return undefined
    } else if (code === NEWLINE && expected.length === 0) {
      const line = logicalLine(source, start, at)
      if (line) lines.push(line)
      start = at + 1
    }
  }
  return expected.length === 0 ? lines : undefined
}

/** Offset of the last character of the string that begins at an offset; -1 when it does not end. */
function stringEnd(source: string, from: number, quote: number): number {
  const mark = source.charAt(from).repeat(3)
  const isLong = source.startsWith(mark, from)
  for (let at = from + (isLong ? 3 : 1); at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (isLong) {
      if (code === quote && source.startsWith(mark, at)) return at + 2
    } else if (code === quote) return at
    else if (code === NEWLINE) return -1
  }
  return -1
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end < 0 ? source.length : end
}

function logicalLine(source: string, lineStart: number, end: number): Line | undefined {
  let start = lineStart
  while (start < end && (source.charCodeAt(start) === SPACE || source.charCodeAt(start) === TAB)) start++
  const first = source.charAt(start)
  if (start >= end || first === '#' || first === '\r') return undefined
  // The parser looks back at what was left out, and a line end there would count.
  return { start, end: source.charAt(end - 1) === '\r' ? end - 1 : end, indent: start - lineStart }
}
