import { porterStem } from './porter-stem.ts'
import { STOP_WORDS } from './stop-words.ts'

/**
 * The search terms of a text, in order: identifiers are split (`getHTTPUser_name2` → get, http, user, name, 2), words
 * are folded to lower case without accents and stemmed, stop words dropped. Linear time; at most `most` terms.
 */
export function tokenize(text: string, most: number): string[] {
  const terms: string[] = []
  const plain = ASCII.test(text) ? text : foldAccents(text)
  WORD.lastIndex = 0
  for (let match = WORD.exec(plain); match && terms.length < most; match = WORD.exec(plain)) {
    const [word] = match
    if (UNSPACED.test(word)) for (const term of charactersAndPairs(word)) terms.push(term)
    else pushTerm(terms, word)
    const brand = brandEndingAt(plain, WORD.lastIndex, word)
    if (brand) pushTerm(terms, brand)
  }
  return terms.length > most ? terms.slice(0, most) : terms
}

const ASCII = /^[\x00-\x7f]*$/

// One capital run (`HTTP` of `HTTPServer`), one capitalised or small word, one number, or a run of letters without case.
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Nd}+|[\p{Lo}\p{Lm}\p{Lt}][\p{Lo}\p{Lm}\p{Lt}\p{M}]*/gu

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

const MAX_WORD = 40

function pushTerm(terms: string[], word: string): void {
  const term = termOf(word)
  if (term) terms.push(term)
}

// Stemming is most of the cost of indexing and words repeat, so stems are remembered, a bounded number of them.
const known = new Map<string, string>()
const MAX_KNOWN = 20_000

function termOf(word: string): string {
  const seen = known.get(word)
  if (seen !== undefined) return seen
  const lower = word.toLowerCase().slice(0, MAX_WORD)
  const term = STOP_WORDS.has(lower) || /^[a-z]$/.test(lower) ? '' : porterStem(lower)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, term)
  return term
}

/** `GitHub` as one word when `Hub` has just been read: people write it `github` too. */
function brandEndingAt(text: string, end: number, word: string): string | undefined {
  if (!/^[A-Z][a-z]/.test(word) || isLetter(text, end)) return undefined
  let start = end - word.length - 1
  while (start >= 0 && end - start < MAX_WORD && isSmall(text, start)) start--
  const first = text.slice(start, end - word.length)
  return /^[A-Z][a-z]+$/.test(first) && !isLetter(text, start - 1) ? first + word : undefined
}

function isSmall(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 97 && code <= 122
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32
  return code >= 97 && code <= 122
}

/** Languages written without spaces are indexed by pairs of characters, Han also by single ones: those are words. */
function charactersAndPairs(run: string): string[] {
  const chars = [...run]
  if (chars.length === 1) return chars
  return [...chars.filter(char => HAN.test(char)), ...chars.slice(1).map((char, i) => chars[i]! + char)]
}

const HAN = /\p{Script=Han}/u

// Only the marks of Latin, Greek and Cyrillic: in Indic scripts marks are vowels.
function foldAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
}
