// Reading single words: what they say literally, and the one expansion they consist of.
import type { Expansion, Word } from './shell-syntax.ts'

/** The word's text when it holds no expansions. */
export function literalText(word: Word | undefined): string | undefined {
  if (!word) return undefined
  let text = ''
  for (const part of word.parts) {
    if (part.type !== 'text') return undefined
    text += part.text
  }
  return text
}

/** The expansion that is the whole word, quoted or not. */
export function soleExpansion(word: Word | undefined): Expansion | undefined {
  const parts = word?.parts.filter(part => part.type !== 'text' || part.text !== '') ?? []
  const [part] = parts
  return parts.length === 1 && part?.type === 'expansion' ? part : undefined
}
