import type { SearchHit } from './search-index.ts'

/**
 * Adds what a model says to what the words say: both are brought to 0…1, the model's likeness from the average document to the
 * best one, since models differ in what they call alike. Confidence belongs to the place, not to the tool: it was fitted
 * without a model, so it holds for a ranking that is at least as good, and says nothing about places that words do not reach.
 */
export function fuseEmbedder(
  hits: readonly SearchHit[],
  cosines: ReadonlyMap<string, number>,
  { weight, limit }: { readonly weight: number; readonly limit: number },
): SearchHit[] {
  const byWords = new Map(hits.map(({ id, score }) => [id, score / (hits[0]!.score || 1)]))
  const likeness = relative(cosines)
  const scored = [...new Set([...byWords.keys(), ...likeness.keys()])].map(id => ({
    id,
    score: ((byWords.get(id) ?? 0) + weight * (likeness.get(id) ?? 0)) / (1 + weight),
  }))
  return scored
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, limit))
    .map((hit, place) => ({ ...hit, confidence: hits[place]?.confidence ?? 0 }))
}

/** Only what is nearer than the average document. */
function relative(cosines: ReadonlyMap<string, number>): Map<string, number> {
  let sum = 0
  let best = -1
  for (const cosine of cosines.values()) {
    sum += cosine
    best = Math.max(best, cosine)
  }
  const average = sum / cosines.size
  if (!(best > average)) return new Map()
  return new Map(
    [...cosines].flatMap(([id, cosine]) => (cosine > average ? [[id, (cosine - average) / (best - average)]] : [])),
  )
}
