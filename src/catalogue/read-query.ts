import { tokenize } from './tokenize.ts'

/** A need as the index understands it. The first part is the whole query; several sentences are one part more each. */
export type Query = {
  /** Each term once. */
  readonly terms: readonly string[]
  /** Per part, how much each of `terms` counts in it, 0 where it is absent. */
  readonly parts: readonly Float32Array[]
}

// A query of any length costs no more than one of a long paragraph.
const MAX_CHARACTERS = 8_000
const MAX_TERMS = 96
const MAX_SENTENCES = 12

export function readQuery(text: string): Query {
  const sentences = text
    .slice(0, MAX_CHARACTERS)
    .split(SENTENCE_END)
    .map(weighTerms)
    .filter(weights => weights.size > 0)
  const terms = [...new Set(sentences.flatMap(weights => [...weights.keys()]))].slice(0, MAX_TERMS)
  const parts = sentences.map(weights => Float32Array.from(terms, term => weights.get(term) ?? 0))
  const whole = Float32Array.from(terms, (_, i) => Math.max(...parts.map(part => part[i]!)))
  return { terms, parts: parts.length > 1 ? [whole, ...parts.slice(0, MAX_SENTENCES)] : [whole] }
}

const SENTENCE_END = /[.!?;]\s+|[。！？；]|\n+/

// What stands in quotes is mostly a value for the tool, not a word about it.
const QUOTED_WEIGHT = 0.5
const QUOTED = /("[^"]{1,200}"|“[^”]{1,200}”|(?<!\p{L})'[^']{1,200}'(?!\p{L}))/u

function weighTerms(sentence: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [i, piece] of sentence.split(QUOTED).entries()) {
    // Splitting by a group puts what it matched at the odd places.
    const weight = i % 2 === 1 ? QUOTED_WEIGHT : 1
    for (const term of tokenize(piece, MAX_TERMS)) weights.set(term, Math.max(weights.get(term) ?? 0, weight))
  }
  return weights
}
