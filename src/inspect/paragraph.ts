// The one line that stands for a longer text.

const LONGEST = 256

/** First paragraph of a text joined into one line of at most 256 characters; undefined when there is none. */
export function firstParagraph(text: string): string | undefined {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const start = lines.findIndex(isProse)
  if (start < 0) return undefined
  const rest = lines.slice(start)
  const end = rest.findIndex((line, index) => index > 0 && !isProse(line))
  const paragraph = rest.slice(0, end < 0 ? undefined : end)
  return cut(paragraph.join(' ').replace(/\s+/g, ' ').trim())
}

/** Blank lines and rules (`=====`, `-----`) part paragraphs. */
function isProse(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}

function cut(line: string): string {
  if (line.length <= LONGEST) return line
  const head = line.slice(0, LONGEST - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > 0 ? head.slice(0, space) : head).replace(/[\s,;:.–-]+$/, '')}…`
}
