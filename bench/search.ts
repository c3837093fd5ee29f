// npm run bench:search [-- folder]: how well and how fast tools are found in the labelled sets of a folder, next to plain BM25 and
// minisearch. "unseen" ranks each set with weights fitted to the other sets; "shipped" with those in ranking-weights.ts.
import MiniSearch from 'minisearch'
import { confidences } from '../src/catalogue/confidence.ts'
import { gatherCandidates } from '../src/catalogue/gather-candidates.ts'
import { createIndexedDocuments } from '../src/catalogue/indexed-documents.ts'
import { rankCandidates } from '../src/catalogue/rank-candidates.ts'
import { RANKING_WEIGHTS } from '../src/catalogue/ranking-weights.ts'
import { readQuery } from '../src/catalogue/read-query.ts'
import { createSearchIndex, type SearchHit } from '../src/catalogue/search-index.ts'
import { wordVectors } from '../src/catalogue/word-vectors.ts'
import { type Fitted, fitRanker, prepareLesson } from './fit-ranker.ts'
import { createPlainBm25 } from './plain-bm25.ts'
import { average, calibrationError, type Quality, quality } from './retrieval-metrics.ts'
import { DEFAULT_DATA, type RetrievalSet, readSets } from './retrieval-sets.ts'
import { printTable } from './table.ts'

const LIMIT = 10
type Found = { readonly id: string; readonly confidence?: number }
type Contender = { readonly find: (query: string) => readonly Found[]; readonly bytes?: number }
type Result = Quality & {
  readonly calibration?: [number, number]
  readonly p50: number
  readonly p95: number
  readonly bytes?: number
}

const sets = readSets(process.argv[2] ?? DEFAULT_DATA)
const lessons = sets.map(prepareLesson)
const results = new Map<string, Result[]>()
for (const [i, set] of sets.entries()) {
  const others = lessons.filter((_, other) => other !== i)
  const contenders: Record<string, Contender> = {
    'plain BM25': plainBm25(set),
    minisearch: miniSearch(set),
    ...(others.length > 0 && { 'skillwright, unseen': unseen(set, fitRanker(others)) }),
    'skillwright, shipped': shipped(set),
  }
  const rows = Object.entries(contenders).map(([name, contender]) => {
    const result = judge(set, contender)
    results.set(name, [...(results.get(name) ?? []), result])
    return row(name, result)
  })
  printTable(`${set.name}: ${set.documents.length} tools, ${set.queries.length} queries`, [head(), ...rows])
}
printTable(`Mean over ${sets.length} sets`, [
  head(),
  ...[...results].map(([name, each]) => row(name, meanResult(each))),
])

function plainBm25({ documents }: RetrievalSet): Contender {
  const find = createPlainBm25(documents)
  return { find: query => find(query, LIMIT).map(id => ({ id })) }
}

function miniSearch({ documents }: RetrievalSet): Contender {
  const index = new MiniSearch({
    fields: ['name', 'description', 'parameterNames', 'parameterDescriptions', 'category'],
  })
  index.addAll(
    documents.map(({ id, name, description, parameters, category }) => ({
      ...{ id, name, description, category },
      parameterNames: parameters.map(parameter => parameter.name).join(' '),
      parameterDescriptions: parameters.map(parameter => parameter.description).join(' '),
    })),
  )
  return {
    find: query =>
      index
        .search(query)
        .slice(0, LIMIT)
        .map(({ id }) => ({ id: String(id) })),
  }
}

function shipped({ documents }: RetrievalSet): Contender {
  const index = createSearchIndex()
  index.update({ put: documents, remove: [] })
  return { find: query => index.search(query, { limit: LIMIT }), bytes: index.bytes() / index.size }
}

function unseen({ documents }: RetrievalSet, { weights, confidence }: Fitted): Contender {
  const indexed = createIndexedDocuments(RANKING_WEIGHTS.field, wordVectors)
  for (const document of documents) indexed.put(document)
  const find = (query: string): SearchHit[] => {
    const candidates = gatherCandidates(readQuery(query), indexed, { vectors: wordVectors() })
    return confidences(rankCandidates(candidates, weights, LIMIT), confidence)
  }
  return { find, bytes: indexed.bytes() / indexed.size }
}

function judge({ queries }: RetrievalSet, { find, bytes }: Contender): Result {
  for (const { text } of queries.slice(0, 50)) find(text)
  const times: number[] = []
  const answers = queries.map(({ text, relevant }) => {
    const start = performance.now()
    const hits = find(text)
    times.push(performance.now() - start)
    return { hits, ids: hits.map(({ id }) => id), relevant }
  })
  times.sort((a, b) => a - b)
  const claims = answers.map(({ hits, relevant }) =>
    hits.flatMap(({ id, confidence }) => (confidence === undefined ? [] : [{ confidence, right: relevant.has(id) }])),
  )
  return {
    ...quality(answers),
    ...(claims.some(each => each.length > 0) && {
      calibration: [calibrationError(claims.flat()), calibrationError(claims.flatMap(each => each.slice(0, 1)))],
    }),
    p50: times[Math.floor(times.length * 0.5)]!,
    p95: times[Math.floor(times.length * 0.95)]!,
    ...(bytes !== undefined && { bytes }),
  }
}

function meanResult(each: readonly Result[]): Result {
  const mean = (pick: (result: Result) => number) => average(each.map(pick))
  return {
    recall1: mean(result => result.recall1),
    recall5: mean(result => result.recall5),
    recall10: mean(result => result.recall10),
    ndcg10: mean(result => result.ndcg10),
    mrr: mean(result => result.mrr),
    p50: mean(result => result.p50),
    p95: mean(result => result.p95),
    ...(each.every(result => result.calibration) && {
      calibration: [mean(result => result.calibration![0]), mean(result => result.calibration![1])],
    }),
  }
}

function head(): string[] {
  return ['', 'R@1', 'R@5', 'R@10', 'nDCG@10', 'MRR', 'cal. error', 'of first', 'p50 ms', 'p95 ms', 'bytes/tool']
}

function row(
  name: string,
  { recall1, recall5, recall10, ndcg10, mrr, calibration, p50, p95, bytes }: Result,
): string[] {
  return [
    name,
    ...[recall1, recall5, recall10, ndcg10, mrr].map(value => value.toFixed(3)),
    ...(calibration?.map(value => value.toFixed(3)) ?? ['–', '–']),
    ...[p50, p95].map(value => value.toFixed(2)),
    bytes === undefined ? '–' : bytes.toFixed(0),
  ]
}
