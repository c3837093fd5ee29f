import { confidences } from './confidence.ts'
import { gatherCandidates } from './gather-candidates.ts'
import { createIndexedDocuments } from './indexed-documents.ts'
import { rankCandidates } from './rank-candidates.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { readQuery } from './read-query.ts'
import { wordVectors } from './word-vectors.ts'

export type SearchDocument = {
  /** The tool's id. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly description?: string }[]
  /** The words of its category paths, skill and plugin. */
  readonly category: string
}

export type SearchHit = {
  readonly id: string
  /** Comparable within one answer only. */
  readonly score: number
  /** How likely this is a tool that was meant, 0 to 1; how it was fitted is said in `ranking-weights.ts`. */
  readonly confidence: number
}

export type SearchOptions = {
  readonly limit: number
  /** Decides which ids may be found at all; the others leave no trace in the answer. Default: all. */
  readonly accept?: (id: string) => boolean
}

export type SearchIndex = {
  /** Best first. Never throws; takes bounded time on any query. */
  search(query: string, options: SearchOptions): SearchHit[]
  /** Adds, replaces and removes documents without rebuilding the rest. */
  update(changes: { readonly put: readonly SearchDocument[]; readonly remove: readonly string[] }): void
  readonly size: number
  /** Estimated bytes of overhead beyond the texts, word vectors included. */
  bytes(): number
}

export function createSearchIndex(): SearchIndex {
  const documents = createIndexedDocuments(RANKING_WEIGHTS.field, wordVectors)
  return {
    search(query, { limit, accept }) {
      const candidates = gatherCandidates(readQuery(query), documents, { accept, vectors: wordVectors() })
      return confidences(rankCandidates(candidates, RANKING_WEIGHTS, limit), RANKING_WEIGHTS.confidence)
    },
    update({ put, remove }) {
      for (const id of remove) documents.remove(id)
      for (const document of put) documents.put(document)
    },
    get size() {
      return documents.size
    },
    bytes: () => documents.bytes(),
  }
}
