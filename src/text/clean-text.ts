/**
 * Text of strangers on one line, as data: no control characters, no invisible or direction-changing ones, no runs of
 * blanks. What it says is not judged.
 */
export function cleanText(text: string): string {
  return text.replace(UNSEEN, '').replace(BLANKS, ' ').trim()
}

/** With characters that cannot be seen, or break lines, as JSON writes them. */
export function escapeUnseen(text: string): string {
  return text
    .replace(UNSEEN_OR_BREAK, one =>
      [...Array(one.length).keys()].map(i => `\\u${one.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    )
    .replaceAll('\\u000a', '\\n')
}

/** Cleaned, and cut to so many characters, at a word where one is near. */
export function cutText(text: string, most: number): string {
  // A text of megabytes must not be cleaned whole to give one line.
  const clean = cleanText(text.slice(0, most * 8))
  const characters = [...clean]
  if (characters.length <= most) return clean
  const cut = characters.slice(0, most - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > cut.length * 0.7 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** The first sentence where it fits, else as much as fits. */
export function firstSentence(text: string, most: number): string {
  const head = cleanText(text.slice(0, most * 8))
  const [sentence] = /^.+?[.!?。](?=\s|$)/u.exec(head) ?? [head]
  return cutText(sentence.length >= MIN_SENTENCE ? sentence : head, most).replace(/(?<=[^.])\.$/, '')
}

/** A shorter one is an abbreviation, or says too little. */
const MIN_SENTENCE = 12

// Controls, formatting and halves of characters; line ends and tabs become blanks instead.
const UNSEEN = /(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cf}\p{Cs}]/gu

const UNSEEN_OR_BREAK = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

const BLANKS = /[\s\u0085]+/gu
