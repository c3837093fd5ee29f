// The baseline: textbook BM25 over all text of a tool, words as they stand.
import type { SearchDocument } from '../src/catalogue/search-index.ts'

const K1 = 1.2
const B = 0.75

export function createPlainBm25(documents: readonly SearchDocument[]): (query: string, limit: number) => string[] {
  const texts = documents.map(document => words(allText(document)))
  const averageLength = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  const postings = new Map<string, Map<number, number>>()
  for (const [i, text] of texts.entries())
    for (const word of text) {
      const list = postings.get(word) ?? new Map<number, number>()
      postings.set(word, list.set(i, (list.get(i) ?? 0) + 1))
    }
  return (query, limit) => {
    const scores = new Map<number, number>()
    for (const word of new Set(words(query))) {
      const list = postings.get(word)
      if (!list) continue
      const rarity = Math.log(1 + (texts.length - list.size + 0.5) / (list.size + 0.5))
      for (const [i, count] of list) {
        const norm = K1 * (1 - B + (B * texts[i]!.length) / averageLength)
        scores.set(i, (scores.get(i) ?? 0) + (rarity * count * (K1 + 1)) / (count + norm))
      }
    }
    const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit)
    return best.map(([i]) => documents[i]!.id)
  }
}

export function allText({ name, description, parameters, category }: SearchDocument): string {
  return [name, description, ...parameters.flatMap(p => [p.name, p.description ?? '']), category].join(' ')
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
