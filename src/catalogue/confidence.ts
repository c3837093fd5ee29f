import type { Ranked } from './rank-candidates.ts'
import type { SearchHit } from './search-index.ts'

/** Adds to each hit how likely it is right, never more than to the one before it. */
export function confidences(ranked: readonly Ranked[], coefficients: readonly number[]): SearchHit[] {
  let most = 1
  return ranked.map(({ id, score, evidence }) => {
    most = Math.min(most, probability(evidence, coefficients))
    return { id, score, confidence: most }
  })
}

/** Logistic: the first coefficient stands alone, one for each piece of evidence follows. */
export function probability(evidence: readonly number[], [constant = 0, ...coefficients]: readonly number[]): number {
  const sum = evidence.reduce((total, value, i) => total + value * coefficients[i]!, constant)
  return 1 / (1 + Math.exp(-sum))
}
