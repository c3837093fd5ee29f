const MAX_LINE = 2000
const LOOKED_AT = 8192

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** How a file is written, by its beginning; undefined when it is no text: it has a NUL byte, as git has it, and no mark of UTF-16. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes.subarray(0, LOOKED_AT).includes(0) ? undefined : 'utf-8'
}

/** One line without its end, cut where it is too long to be read. */
export function cutLine(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}… (line cut)` : text
}
