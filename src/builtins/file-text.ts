const MAX_LINE = 2000
const LOOKED_AT = 8192

/** Whether the beginning of a file is no text: a NUL byte, as git has it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LOOKED_AT).includes(0)
}

/** One line without its end, cut where it is too long to be read. */
export function cutLine(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}… (line cut)` : text
}
