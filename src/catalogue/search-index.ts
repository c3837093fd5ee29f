import { confidences } from './confidence.ts'
import { createEmbeddedDocuments } from './embedded-documents.ts'
import type { Embedder } from './embedder.ts'
import { fuseEmbedder } from './fuse-embedder.ts'
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
  /**
   * Like `search`, and asks the embedder too; the first time, it also embeds what has been put. An embedder that fails is
   * told to `onError`, and the answer is that of `search`. Never rejects.
   */
  searchWithEmbedder(query: string, options: SearchOptions): Promise<SearchHit[]>
  /** Adds, replaces and removes documents without rebuilding the rest. */
  update(changes: { readonly put: readonly SearchDocument[]; readonly remove: readonly string[] }): void
  readonly size: number
  /** Estimated bytes of overhead beyond the texts, word vectors and the embedder's vectors included. */
  bytes(): number
}

export type SearchIndexOptions = {
  readonly embedder?: EmbedderOptions
}

export type EmbedderOptions = {
  readonly model: Embedder
  /** What the model counts, where the words count 1. Default: 1. */
  readonly weight?: number
  /** Where vectors are kept from one run to the next. Default: in memory only. */
  readonly cacheFolder?: string
  readonly onError?: (error: unknown) => void
}

/** Throws `TypeError` on an impossible weight. */
export function createSearchIndex({ embedder }: SearchIndexOptions = {}): SearchIndex {
  const weight = embedder?.weight ?? 1
  if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
    throw new TypeError(`The weight of an embedder is a number from 0 on, not ${weight}`)
  const documents = createIndexedDocuments(RANKING_WEIGHTS.field, wordVectors)
  const embedded = embedder && createEmbeddedDocuments(embedder.model, embedder.cacheFolder)

  return {
    search,
    async searchWithEmbedder(query, options) {
      if (!embedded) return search(query, options)
      try {
        const cosines = await embedded.cosines(query, options.accept ?? (() => true))
        const hits = search(query, { ...options, limit: Math.max(options.limit, FUSED_HITS) })
        return fuseEmbedder(hits, cosines, { weight, limit: options.limit })
      } catch (error) {
        embedder.onError?.(error)
        return search(query, options)
      }
    },
    update({ put, remove }) {
      for (const id of remove) {
        documents.remove(id)
        embedded?.remove(id)
      }
      for (const document of put) {
        documents.put(document)
        embedded?.put(document)
      }
    },
    get size() {
      return documents.size
    },
    bytes: () => documents.bytes() + (embedded?.bytes() ?? 0),
  }

  function search(query: string, { limit, accept }: SearchOptions): SearchHit[] {
    const candidates = gatherCandidates(readQuery(query), documents, { accept, vectors: wordVectors() })
    return confidences(rankCandidates(candidates, RANKING_WEIGHTS, limit), RANKING_WEIGHTS.confidence)
  }
}

// Words may rank a tool far down that the model knows to be right.
const FUSED_HITS = 100
