import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Static vectors of search terms, each of length 127, frequent terms first. What they mean is said in `scripts/pack-vectors.mjs`. */
export type WordVectors = {
  readonly dimensions: number
  /** The row of a term, or -1. */
  row(term: string): number
  readonly values: Int8Array
  bytes(): number
}

let loaded: { readonly vectors: WordVectors | undefined } | undefined

/** Reads the table at the first call. Without a sound file there are no vectors, and a search goes by words alone. */
export function wordVectors(): WordVectors | undefined {
  loaded ??= { vectors: readVectors(findFile()) }
  return loaded.vectors
}

// By package, not by path: the compiled file stands at another depth than its source.
function findFile(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('skillwright/package.json')), 'data/word-vectors.bin')
  } catch {
    return ''
  }
}

const HEADER = 12
// A `Map` entry with its short key, as measured on V8.
const MAP_ENTRY_BYTES = 64

export function readVectors(path: string): WordVectors | undefined {
  let file: Buffer
  try {
    file = readFileSync(path)
  } catch {
    return undefined
  }
  if (file.length < HEADER) return undefined
  const count = file.readUInt32LE(0)
  const dimensions = file.readUInt32LE(4)
  const wordsEnd = HEADER + file.readUInt32LE(8)
  const terms = file.toString('latin1', HEADER, wordsEnd).trimEnd().split('\n')
  if (terms.length !== count || file.length !== wordsEnd + count * dimensions) return undefined
  const rows = new Map(terms.map((term, row) => [term, row]))
  return {
    dimensions,
    row: term => rows.get(term) ?? -1,
    values: new Int8Array(file.buffer, file.byteOffset + wordsEnd, count * dimensions),
    bytes: () => file.length + count * MAP_ENTRY_BYTES,
  }
}
