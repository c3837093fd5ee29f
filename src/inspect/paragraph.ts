const LONGEST = 256

/** First paragraph of a text in one line, cut at a word after at most 256 characters; undefined when there is none. */
export function firstParagraph(text: string): string | undefined {
  const lines = text.split(/\r\n|[\n\r]/).map(line => line.trim())
  const start = lines.findIndex(line => line !== '')
  if (start === -1) return undefined
  const end = lines.indexOf('', start)
  const joined = lines
    .slice(start, end === -1 ? undefined : end)
    .join(' ')
    .replace(/\s+/g, ' ')
  return cutAtWord(joined)
}

function cutAtWord(text: string): string {
  if (text.length <= LONGEST) return text
  const head = text.slice(0, LONGEST - 1)
  const space = head.lastIndexOf(' ')
  // A text without spaces is cut where it is; half a surrogate pair is not a character.
  const kept = space > LONGEST / 2 ? head.slice(0, space) : head.replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.trimEnd()}…`
}
