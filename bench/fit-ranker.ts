// Fits the few weights of the ranking, and what `confidence` means, to labelled queries.
import { probability } from '../src/catalogue/confidence.ts'
import { type Candidates, gatherCandidates } from '../src/catalogue/gather-candidates.ts'
import { createIndexedDocuments } from '../src/catalogue/indexed-documents.ts'
import { type RankingWeights, rankCandidates } from '../src/catalogue/rank-candidates.ts'
import { RANKING_WEIGHTS } from '../src/catalogue/ranking-weights.ts'
import { readQuery } from '../src/catalogue/read-query.ts'
import { wordVectors } from '../src/catalogue/word-vectors.ts'
import { fitLogistic } from './fit-logistic.ts'
import { average, type Claim, ndcg10 } from './retrieval-metrics.ts'
import type { RetrievalSet } from './retrieval-sets.ts'

/** A set whose candidates have been gathered: what remains is to rank them. */
export type Lesson = {
  readonly name: string
  readonly cases: readonly { readonly candidates: Candidates; readonly relevant: ReadonlySet<string> }[]
}

export type Fitted = { readonly weights: RankingWeights; readonly confidence: readonly number[] }

// More queries move the fitted weights by less than one step of the grid.
const QUERIES = 500

export function prepareLesson({ name, documents, queries }: RetrievalSet): Lesson {
  const indexed = createIndexedDocuments(RANKING_WEIGHTS.field, wordVectors)
  for (const document of documents) indexed.put(document)
  const vectors = wordVectors()
  const step = Math.max(1, queries.length / QUERIES)
  const chosen = Array.from({ length: Math.min(QUERIES, queries.length) }, (_, i) => queries[Math.floor(i * step)]!)
  return {
    name,
    cases: chosen.map(({ text, relevant }) => ({
      candidates: gatherCandidates(readQuery(text), indexed, { vectors }),
      relevant,
    })),
  }
}

const GRID: Readonly<Record<keyof RankingWeights, readonly number[]>> = {
  vectors: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
  nameCoverage: [0, 0.1, 0.2, 0.3, 0.4],
  bestSentence: [0, 0.5, 1, 2],
  sentenceStrength: [0, 0.3, 0.6, 1],
}
const START: RankingWeights = { vectors: 0.2, nameCoverage: 0.2, bestSentence: 1, sentenceStrength: 0.3 }

/** One weight after the other, twice, to the value with the best mean over the sets. */
export function fitRanker(lessons: readonly Lesson[]): Fitted {
  let weights = START
  for (const name of [...KEYS, ...KEYS]) {
    const tried = GRID[name].map(value => ({ ...weights, [name]: value }))
    const worth = tried.map(candidate => macroNdcg(lessons, candidate))
    weights = tried[worth.indexOf(Math.max(...worth))]!
  }
  return { weights, confidence: fitConfidence(lessons, weights) }
}

const KEYS = Object.keys(GRID) as (keyof RankingWeights)[]
const CLAIMS = 10

export function macroNdcg(lessons: readonly Lesson[], weights: RankingWeights): number {
  return average(
    lessons.map(({ cases }) =>
      average(
        cases.map(({ candidates, relevant }) => {
          const ids = rankCandidates(candidates, weights, CLAIMS).map(({ id }) => id)
          return ndcg10({ ids, relevant })
        }),
      ),
    ),
  )
}

/** A logistic regression on the ten first answers to each query; every set weighs the same. */
function fitConfidence(lessons: readonly Lesson[], weights: RankingWeights): number[] {
  return fitLogistic(
    lessons.flatMap(({ cases }) => {
      const answers = cases.flatMap(({ candidates, relevant }) =>
        rankCandidates(candidates, weights, CLAIMS).map(({ id, evidence }) => ({ evidence, right: relevant.has(id) })),
      )
      return answers.map(answer => ({ ...answer, weight: 1 / answers.length }))
    }),
  )
}

/** What a fitted ranker claims about a set, first answers and all ten, and what is true. */
export function claims({ cases }: Lesson, { weights, confidence }: Fitted): { first: Claim[]; all: Claim[] } {
  const each = cases.map(({ candidates, relevant }) => {
    let most = 1
    return rankCandidates(candidates, weights, CLAIMS).map(({ id, evidence }) => {
      most = Math.min(most, probability(evidence, confidence))
      return { confidence: most, right: relevant.has(id) }
    })
  })
  return { first: each.flatMap(answers => answers.slice(0, 1)), all: each.flat() }
}
