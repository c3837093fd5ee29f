// TEMPORARY stand-in behind the seam of part A.
import type { SearchHit } from './search-index.ts'
export function rankNodes(
  hits: readonly SearchHit[],
  nodesOf: (id: string) => readonly string[],
): { id: string; score: number; confidence: number }[] {
  const best = new Map<string, { id: string; score: number; confidence: number }>()
  for (const hit of hits)
    for (const id of nodesOf(hit.id)) {
      const known = best.get(id)
      if (!known || hit.score > known.score) best.set(id, { id, score: hit.score, confidence: hit.confidence })
    }
  return [...best.values()].sort((a, b) => b.score - a.score)
}
