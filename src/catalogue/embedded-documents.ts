import type { Embedder } from './embedder.ts'
import { createEmbeddingCache } from './embedding-cache.ts'
import type { SearchDocument } from './search-index.ts'

export type EmbeddedDocuments = {
  put(document: SearchDocument): void
  remove(id: string): void
  /** The cosine of the query and each accepted document, by id. Rejects when the embedder does. */
  cosines(query: string, accept: (id: string) => boolean): Promise<Map<string, number>>
  bytes(): number
}

// Models cut off what is longer; so that nobody pays for it, it is not sent.
const MAX_CHARACTERS = 4_000

/** Documents wait until the first search needs their vectors: a model is slow and may cost money. */
export function createEmbeddedDocuments(embedder: Embedder, folder: string | undefined): EmbeddedDocuments {
  const waiting = new Map<string, string>()
  const vectors = new Map<string, Float32Array>()
  let running: Promise<void> | undefined
  // The vectors of documents are kept above; in memory the cache is for queries, and for a document that comes back.
  const cache = createEmbeddingCache(embedder, { folder, remember: 1000 })
  const queries = createEmbeddingCache(embedder, { remember: 1000 })

  return {
    put(document) {
      vectors.delete(document.id)
      waiting.set(document.id, textOf(document))
    },
    remove(id) {
      vectors.delete(id)
      waiting.delete(id)
    },
    async cosines(query, accept) {
      // Searches at the same time share one embedding of the documents.
      running ??= embedWaiting().finally(() => {
        running = undefined
      })
      await running
      const [wanted] = await queries.vectors([query.slice(0, MAX_CHARACTERS)])
      const found = new Map<string, number>()
      for (const [id, vector] of vectors) if (accept(id)) found.set(id, dot(wanted!, vector))
      return found
    },
    bytes: () => [...vectors.values()].reduce((sum, vector) => sum + vector.byteLength, 0),
  }

  async function embedWaiting(): Promise<void> {
    const batch = [...waiting]
    const embedded = await cache.vectors(batch.map(([, text]) => text))
    for (const [i, [id, text]] of batch.entries()) {
      // Replaced or removed while the model was working.
      if (waiting.get(id) !== text) continue
      waiting.delete(id)
      vectors.set(id, embedded[i]!)
    }
  }
}

function textOf({ name, description, parameters, category }: SearchDocument): string {
  const values = parameters.map(parameter => `${parameter.name}: ${parameter.description ?? ''}`)
  return [name, description, ...values, category].join('\n').slice(0, MAX_CHARACTERS)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < Math.min(a.length, b.length); i++) sum += a[i]! * b[i]!
  return sum
}
