// The small words of a language say nothing in a need, but they are names of tools: `hello`, `all`, `help`, `r`.
import type { Tool } from '../types.ts'
import type { SearchHit } from './search-index.ts'

const MAX_QUERY_WORDS = 8
/** A name alone is a guess, however well it fits. */
const MOST_CONFIDENCE = 0.5

/** The tools whose ids have every word of a short query, those first of which it says most. Nothing for longer ones. */
export function matchNames(query: string, tools: Iterable<Tool>): SearchHit[] {
  const wanted = wordsOf(query.slice(0, 200))
  if (wanted.size === 0 || wanted.size > MAX_QUERY_WORDS) return []
  const hits: SearchHit[] = []
  for (const { id } of tools) {
    const words = wordsOf(id)
    if (![...wanted].every(word => words.has(word))) continue
    const score = wanted.size / words.size
    hits.push({ id, score, confidence: MOST_CONFIDENCE * score })
  }
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}
