import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatherCandidates } from '../../src/catalogue/gather-candidates.ts'
import { createIndexedDocuments } from '../../src/catalogue/indexed-documents.ts'
import { porterStem } from '../../src/catalogue/porter-stem.ts'
import { rankCandidates } from '../../src/catalogue/rank-candidates.ts'
import { rankNodes } from '../../src/catalogue/rank-nodes.ts'
import { RANKING_WEIGHTS } from '../../src/catalogue/ranking-weights.ts'
import { readQuery } from '../../src/catalogue/read-query.ts'
import { tokenize } from '../../src/catalogue/tokenize.ts'
import { readVectors, wordVectors } from '../../src/catalogue/word-vectors.ts'

test.each([
  ['getHTTPUser_name2', ['http', 'user', 'name', '2']],
  ['kebab-case-words', ['kebab', 'case', 'word']],
  ['GitHub', ['git', 'hub', 'github']],
  ['XMLHttpRequest', ['xml', 'http', 'request']],
  ['Crème brûlée', ['creme', 'brule']],
  ['ﬁle', ['file']],
  ['the of and', []],
  ['天气', ['天', '气', '天气']],
  ['हिन्दी', ['हिन्दी']],
])('%s is read as %j', (text, terms) => {
  expect(tokenize(text, 50)).toEqual(terms)
})

test('no more terms than asked for', () => {
  expect(tokenize('one two three four five'.repeat(100), 3)).toHaveLength(3)
  expect(tokenize('天气预报天气预报', 3)).toHaveLength(3)
})

test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['filing', 'file'],
  ['relational', 'relat'],
  ['generalization', 'gener'],
  ['adjustable', 'adjust'],
  ['controlling', 'control'],
  ['happy', 'happi'],
  ['sky', 'sky'],
])('the stem of %s is %s', (word, stem) => {
  expect(porterStem(word)).toBe(stem)
})

test('without word vectors, or with a broken file, words alone are searched', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-vectors-'))
  const broken = join(folder, 'broken.bin')
  writeFileSync(broken, Buffer.alloc(64, 255))
  expect(readVectors(join(folder, 'absent.bin'))).toBeUndefined()
  expect(readVectors(broken)).toBeUndefined()
  rmSync(folder, { recursive: true })

  const documents = createIndexedDocuments(RANKING_WEIGHTS.field, () => undefined)
  for (const name of ['send_email', 'read_inbox'])
    documents.put({ id: name, name, description: '', parameters: [], category: '' })
  const candidates = gatherCandidates(readQuery('read the inbox'), documents, { vectors: undefined })
  expect(rankCandidates(candidates, RANKING_WEIGHTS, 5).map(({ id }) => id)).toEqual(['read_inbox'])
})

test('the shipped word vectors know what is alike', () => {
  const vectors = wordVectors()!
  const likeness = (a: string, b: string) => {
    const rows = [a, b].map(term => vectors.row(term) * vectors.dimensions)
    let dot = 0
    for (let i = 0; i < vectors.dimensions; i++) dot += vectors.values[rows[0]! + i]! * vectors.values[rows[1]! + i]!
    return dot / 127 ** 2
  }
  expect(likeness('doctor', 'physician')).toBeGreaterThan(likeness('doctor', 'carpet') + 0.3)
})

test('a node is as good as its best tools, and right when any of them is', () => {
  const hits = [
    { id: 'a', score: 0.9, confidence: 0.6 },
    { id: 'b', score: 0.8, confidence: 0.5 },
    { id: 'c', score: 0.7, confidence: 0.2 },
  ]
  const nodes: Record<string, string[]> = { a: ['Mail', 'Mail'], b: ['Weather', 'Mail'], c: ['Weather'] }
  const ranked = rankNodes(hits, id => nodes[id]!)
  expect(ranked.map(({ node }) => node)).toEqual(['Mail', 'Weather'])
  expect(ranked[0]!.confidence).toBeCloseTo(0.8)
  expect(ranked[1]!.confidence).toBeCloseTo(0.6)
  expect(rankNodes([], () => [])).toEqual([])
})
