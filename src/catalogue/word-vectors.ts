import { readFileSync } from 'node:fs'

/** Static vectors of search terms, each of length 127. What they mean is said in `scripts/pack-vectors.mjs`, which makes the file. */
export type WordVectors = {
  readonly dimensions: number
  /** The row of a term, or -1. */
  row(term: string): number
  readonly values: Int8Array
}

let loaded: WordVectors | undefined

/** Reads the table at the first call. An absent or broken file is a broken installation, and throws. */
export function wordVectors(): WordVectors {
  loaded ??= read(readFileSync(new URL('../../data/word-vectors.bin', import.meta.url)))
  return loaded
}

const HEADER = 12

function read(file: Buffer): WordVectors {
  const dimensions = file.readUInt32LE(4)
  const wordsEnd = HEADER + file.readUInt32LE(8)
  const rows = new Map<string, number>()
  for (const [row, term] of file.toString('latin1', HEADER, wordsEnd).trimEnd().split('\n').entries()) rows.set(term, row)
  return {
    dimensions,
    row: term => rows.get(term) ?? -1,
    values: new Int8Array(file.buffer, file.byteOffset + wordsEnd, rows.size * dimensions),
  }
}
