import type { DocumentTerms } from './document-terms.ts'
import type { WordVectors } from './word-vectors.ts'

/** The direction of a document in the space of the word vectors, written as bytes of length 127 together. */
export function writeDocumentVector(terms: DocumentTerms, vectors: WordVectors, into: Int8Array): void {
  const sum = new Float32Array(vectors.dimensions)
  for (const [field, weight] of FIELD_SHARES) for (const term of terms[field]) addTerm(sum, term, weight, vectors)
  const scale = 127 / (length(sum) || 1)
  for (let i = 0; i < sum.length; i++) into[i] = Math.round(sum[i]! * scale)
}

/** The direction of weighted terms, of length 1, or 0 when none of them has a vector. */
export function termsVector(terms: readonly string[], weights: Float32Array, vectors: WordVectors): Float32Array {
  const sum = new Float32Array(vectors.dimensions)
  for (const [i, term] of terms.entries()) if (weights[i]! > 0) addTerm(sum, term, weights[i]!, vectors)
  const scale = 1 / (length(sum) || 1)
  return sum.map(value => value * scale)
}

/** Parameter descriptions are left out: they are about values more than about what the tool does. */
const FIELD_SHARES = [
  ['name', 3],
  ['description', 2],
  ['parameterNames', 0.5],
  ['category', 0.7],
] as const

// Rows are sorted by frequency; this is the usual weight of a word by its frequency, with Zipf's law for the frequency.
const HALF_WEIGHT_ROW = 500
const FIRST_ROW = 30

function addTerm(sum: Float32Array, term: string, weight: number, { dimensions, values, row }: WordVectors): void {
  const at = row(term)
  if (at < 0) return
  const scale = (weight * (at + FIRST_ROW)) / (at + FIRST_ROW + HALF_WEIGHT_ROW) / 127
  for (let i = 0; i < dimensions; i++) sum[i]! += scale * values[at * dimensions + i]!
}

function length(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}
