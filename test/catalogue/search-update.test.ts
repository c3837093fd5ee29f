import { expect, test } from 'vitest'
import { createPostings } from '../../src/catalogue/postings.ts'
import { createSearchIndex, type SearchDocument } from '../../src/catalogue/search-index.ts'

const WORDS = 'send mail weather city folder archive open issue purchase article list image table row price user'.split(
  ' ',
)
const QUERIES = [
  'send mail',
  'weather of a city. open the archive folder',
  'purchase',
  'image table row price',
  'list user',
]

test.each([1, 2, 3, 4, 5])('whatever was added, replaced and removed, the index answers like a new one (%i)', seed => {
  const random = createRandom(seed)
  const index = createSearchIndex()
  const held = new Map<string, SearchDocument>()
  for (let round = 0; round < 40; round++) {
    const put = Array.from({ length: Math.floor(random() * 60) }, () => randomTool(random))
    const remove = [...held.keys()].filter(() => random() < 0.25)
    for (const id of remove) held.delete(id)
    for (const document of put) held.set(document.id, document)
    index.update({ put, remove: [...remove, 'never-there'] })
    if (round % 5 !== 4) continue
    const fresh = createSearchIndex()
    fresh.update({ put: [...held.values()].reverse(), remove: [] })
    expect(index.size).toBe(held.size)
    for (const query of QUERIES) expect(index.search(query, { limit: 20 })).toEqual(fresh.search(query, { limit: 20 }))
  }
})

test('among more equal tools than are compared, ids decide, in whatever order they came', () => {
  const same = { name: 'send_mail', description: '', parameters: [], category: '' }
  const alike = Array.from({ length: 1000 }, (_, i) => ({ ...same, id: `tool-${1000 + i}` }))
  for (const put of [alike, alike.toReversed()]) {
    const index = createSearchIndex()
    index.update({ put, remove: [] })
    const ids = index.search('send mail', { limit: 3 }).map(hit => hit.id)
    expect(ids).toEqual(['tool-1000', 'tool-1001', 'tool-1002'])
  }
})

test('an index whose tools come and go does not grow', () => {
  const random = createRandom(9)
  const index = createSearchIndex()
  const batch = (round: number) =>
    Array.from({ length: 500 }, (_, i) => ({ ...randomTool(random), id: `${round}-${i}` }))
  let before = batch(0)
  index.update({ put: before, remove: [] })
  const small = index.bytes()
  for (let round = 1; round < 30; round++) {
    const next = batch(round)
    index.update({ put: next, remove: before.map(({ id }) => id) })
    before = next
  }
  expect(index.size).toBe(500)
  expect(index.bytes()).toBeLessThan(small + 2_000_000)
})

test('postings come back as they were written, over many blocks and distances', () => {
  const random = createRandom(3)
  const postings = createPostings()
  const expected = Array.from({ length: 50 }, () => [] as [number, number][])
  for (let document = 0, i = 0; i < 20_000; i++) {
    document += 1 + Math.floor(random() ** 8 * 100_000)
    const term = Math.floor(random() ** 2 * expected.length)
    const impact = Math.floor(random() * 256)
    postings.add(term, document, impact)
    expected[term]!.push([document, impact])
  }
  const buffer = { documents: new Uint32Array(20_000), impacts: new Uint8Array(20_000) }
  for (const [term, list] of expected.entries()) {
    const count = postings.read(term, buffer)
    expect(Array.from({ length: count }, (_, i) => [buffer.documents[i], buffer.impacts[i]])).toEqual(list)
  }
})

function randomTool(random: () => number): SearchDocument {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]!)
  return {
    id: `tool-${Math.floor(random() * 3000)}`,
    name: words(2).join('_'),
    description: words(1 + Math.floor(random() * 8)).join(' '),
    parameters: [{ name: words(1)[0]!, description: words(3).join(' ') }],
    category: words(1)[0]!,
  }
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
