import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Embedder } from './embedder.ts'

/** Vectors of length 1 by the content of their texts, in memory and, if a folder is given, there as well. */
export type EmbeddingCache = {
  /** Asks the model for what is not known yet. Rejects when the model does, or answers nonsense. */
  vectors(texts: readonly string[]): Promise<readonly Float32Array[]>
}

const BATCH = 64

/** `remember` bounds the vectors in memory; the oldest go first. */
export function createEmbeddingCache(
  embedder: Embedder,
  { folder, remember }: { readonly folder?: string | undefined; readonly remember: number },
): EmbeddingCache {
  const known = new Map<string, Float32Array>()

  return {
    async vectors(texts) {
      const keys = texts.map(text => hash(embedder.name, text))
      const found = new Map<string, Float32Array>()
      const missing = new Map<string, string>()
      for (const [i, key] of keys.entries()) {
        const vector = known.get(key) ?? (folder && (await readVector(join(folder, key))))
        if (vector) found.set(key, vector)
        else missing.set(key, texts[i]!)
      }
      for (const batch of batches([...missing])) {
        const vectors = checked(await embedder.embed(batch.map(([, text]) => text)), batch.length)
        for (const [i, [key]] of batch.entries()) {
          found.set(key, vectors[i]!)
          // At once: what a batch has cost is not lost when the next one fails.
          keep(key, vectors[i]!)
          if (folder) await writeVector(folder, key, vectors[i]!)
        }
      }
      return keys.map(key => found.get(key)!)
    },
  }

  function keep(key: string, vector: Float32Array): void {
    known.set(key, vector)
    if (known.size <= remember) return
    const [oldest] = known.keys()
    known.delete(oldest!)
  }
}

function batches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH))
}

function hash(name: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([name, text]))
    .digest('hex')
}

function checked(vectors: readonly (readonly number[])[], count: number): Float32Array[] {
  const size = vectors[0]?.length ?? 0
  const sound = vectors.length === count && size > 0 && vectors.every(vector => vector.length === size)
  if (!sound || !vectors.every(vector => vector.every(Number.isFinite)))
    throw new TypeError(`The embedder was to give ${count} vectors of finite numbers, all equally long.`)
  return vectors.map(vector => {
    const length = Math.hypot(...vector) || 1
    return Float32Array.from(vector, value => value / length)
  })
}

async function readVector(file: string): Promise<Float32Array | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  if (!bytes || bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  // A copy, since what is read need not begin at a multiple of 4.
  return new Float32Array(new Uint8Array(bytes).buffer)
}

// A cache that cannot be written costs time, nothing else.
async function writeVector(folder: string, key: string, vector: Float32Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    const unfinished = join(folder, `${key}.${randomUUID()}`)
    await writeFile(unfinished, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    await rename(unfinished, join(folder, key))
  } catch {}
}
