// 100,000 synthetic tools: time to index, to find, to add one skill, and memory beyond the texts.
import { createSearchIndex, type SearchDocument } from '../src/catalogue/search-index.ts'
import { time } from './measure.ts'
import { printTable } from './table.ts'

const TOOLS = 100_000
const QUERIES = 500
const ONE_SKILL = 10

export async function benchSearch(): Promise<void> {
  const random = createRandom(1)
  const documents = Array.from({ length: TOOLS }, (_, i) => syntheticTool(`tool-${i}`, random))
  const skills = Array.from({ length: 20 }, (_, s) =>
    Array.from({ length: ONE_SKILL }, (_, i) => syntheticTool(`skill-${s}.tool-${i}`, random)),
  )
  const queries = Array.from({ length: QUERIES }, () => syntheticQuery(documents, random))

  const before = heap()
  const index = createSearchIndex()
  const indexing = await time(() => index.update({ put: documents, remove: [] }))
  const held = (heap() - before) / TOOLS
  const finding = await times(queries, query => index.search(query, { limit: 10 }))
  const filtered = await times(queries.slice(0, 100), query =>
    index.search(query, { limit: 10, accept: id => id.endsWith('7') }),
  )
  const adding = await times(skills, put => index.update({ put, remove: [] }))
  const replacing = await times(skills, put => index.update({ put, remove: [] }))

  printTable(`Search among ${TOOLS.toLocaleString('en')} synthetic tools`, [
    ['', 'measured', 'target'],
    ['index all', `${(indexing / 1000).toFixed(1)} s`, '< 15 s'],
    ['query p50', `${at(finding, 0.5)} ms`, ''],
    ['query p95', `${at(finding, 0.95)} ms`, '< 10 ms'],
    ['query p95, one in ten tools visible', `${at(filtered, 0.95)} ms`, ''],
    [`add a skill of ${ONE_SKILL} tools, slowest of ${skills.length}`, `${at(adding, 1)} ms`, '< 50 ms'],
    [`replace it, slowest of ${skills.length}`, `${at(replacing, 1)} ms`, ''],
    ['bytes per tool, as the index says', (index.bytes() / index.size).toFixed(0), '< 600'],
    ...(held > 0 ? [['bytes per tool, as the process grew', held.toFixed(0), '< 600']] : []),
  ])
}

async function times<Item>(items: readonly Item[], work: (item: Item) => void): Promise<number[]> {
  const taken: number[] = []
  for (const item of items) taken.push(await time(() => work(item)))
  return taken.sort((a, b) => a - b)
}

function at(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2)
}

// Only `node --expose-gc` can tell what is held from what is not yet collected.
function heap(): number {
  if (!globalThis.gc) return 0
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** About 60 words a tool, drawn like those of a language: a few very often, most seldom, and some that only few tools have. */
function syntheticTool(id: string, random: () => number): SearchDocument {
  const words = (count: number) => Array.from({ length: count }, () => syntheticWord(random))
  return {
    id,
    name: words(3).join('_'),
    description: `${words(16).join(' ')}.`,
    parameters: Array.from({ length: 4 }, () => ({ name: words(2).join('_'), description: words(7).join(' ') })),
    category: words(3).join(' '),
  }
}

function syntheticQuery(documents: readonly SearchDocument[], random: () => number): string {
  const { name, description } = documents[Math.floor(random() * documents.length)]!
  const words = [...name.split('_'), ...description.split(' ')].filter(() => random() < 0.4)
  return `Please help me to ${words.join(' ')} ${syntheticWord(random)}`
}

const VOCABULARY = 60_000

function syntheticWord(random: () => number): string {
  const rank = Math.floor(VOCABULARY ** random()) - 1
  const syllables: string[] = []
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    syllables.push(SYLLABLES[rest % SYLLABLES.length]!)
  return syllables.join('')
}

const SYLLABLES = [
  'ba',
  'con',
  'di',
  'fer',
  'gol',
  'ha',
  'jin',
  'ko',
  'lum',
  'mer',
  'nor',
  'pi',
  'qua',
  'rel',
  'so',
  'tam',
  'ul',
  'ven',
  'wax',
  'zo',
]

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
