// The words of a text that may name a group of tools.
import { porterStem } from './porter-stem.ts'
import { STOP_WORDS } from './stop-words.ts'

/** A word as it was written and what its forms have in common. */
export type ContentWord = { readonly stem: string; readonly word: string }

/** In order, each stem once, at most `most`. Linear time. */
export function contentWords(text: string, most: number): ContentWord[] {
  const words = new Map<string, ContentWord>()
  for (const [found] of text.slice(0, MAX_TEXT).matchAll(WORD)) {
    if (words.size >= most) break
    const known = knownWord(found)
    if (known && !words.has(known.stem)) words.set(known.stem, known)
  }
  return [...words.values()]
}

const MAX_TEXT = 2000

// Like identifiers are split: one capital run, or one word; numbers name nothing.
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}]+/gu

const remembered = new Map<string, ContentWord | undefined>()
const MAX_REMEMBERED = 20_000

function knownWord(found: string): ContentWord | undefined {
  if (remembered.has(found)) return remembered.get(found)
  const word = found.toLowerCase()
  const isNaming = word.length > 1 && word.length <= 24 && !STOP_WORDS.has(word) && !GENERIC.has(word)
  const known = isNaming ? { stem: porterStem(word), word } : undefined
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(found, known)
  return known
}

/** What nearly every tool says of itself, or does: a group of that name would say nothing. */
const GENERIC = new Set(
  `ability able access action add all allow allows analyze api app apply asks available based best build calculate calculates call change check come comes code command commands common complete
  comprehensive contain contains convert create created creates creating current custom data default delete description detail details different
  do does done edit either enable enables endpoint ensure estimate etc every example execute executes existing fetch field fields file files find first
  follow following format full function functions generate generates generic give gives guide guidelines handle handles has hold holds id ids include includes
  including info information input install integration item items job kind know level list lists load main manage management manages
  mention mentions method mode modify multiple name names need needed needs new note number object open operation operations option
  options output parameter parameters path perform practice practices print process processes processing project provide provided
  provides query read reads related remove request requests result results retrieve retrieves retrieving return returned returns run running runs script
  scripts search send sends set setup several single skill skills specific specified standard start status step steps support supports system take takes task
  tasks text tool tools trigger triggers type types update updates user users using utility value values various version way ways whether
  within without work workflow workflows working works write writes`.split(/\s+/),
)
