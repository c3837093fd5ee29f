// Python string literals as the text they stand for.

const SIMPLE: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

export type StringLiteral = {
  readonly prefix: string
  /** Offsets of the text between the quotes. */
  readonly start: number
  readonly end: number
}

/** Where prefix, quotes and content of a literal lie. */
export function splitLiteral(literal: string): StringLiteral {
  const prefix = /^[a-zA-Z]*/.exec(literal)?.[0] ?? ''
  const body = literal.slice(prefix.length)
  const quotes = body.startsWith('"""') || body.startsWith("'''") ? 3 : 1
  return { prefix: prefix.toLowerCase(), start: prefix.length + quotes, end: literal.length - quotes }
}

/** Text of a whole literal with its quotes; undefined for bytes. */
export function readString(literal: string): string | undefined {
  const { prefix, start, end } = splitLiteral(literal)
  if (prefix.includes('b')) return undefined
  return unescapeText(literal.slice(start, end), prefix)
}

/** Replaces escapes, unless the prefix has an `r`. */
export function unescapeText(text: string, prefix: string): string {
  const content = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  if (prefix.includes('r') || !content.includes('\\')) return content
  return content.replace(ESCAPE, (whole, code: string) => {
    const simple = SIMPLE[code]
    if (simple !== undefined) return simple
    const octal = /^[0-7]/.test(code)
    const point = octal ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16)
    return Number.isNaN(point) || point > 0x10ffff ? whole : String.fromCodePoint(point)
  })
}

const ESCAPE = /\\(\n|[\\'"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/g
