// Is this text at all, and small enough to be read on every compile?

/** Far above any script written by hand; what is longer is generated, and would slow compiling down. */
const LONGEST = 256 * 1024

/** Why a source is not read; undefined when it is. */
export function unreadable(text: string): string | undefined {
  if (text.length > LONGEST) return `is ${Math.round(text.length / 1024)} KB, which is too long to read`
  if (text.includes('\u0000')) return 'is a binary file'
  if (text.includes('\ufffd')) return 'is not valid UTF-8'
  return undefined
}
