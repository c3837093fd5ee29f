import type { CandidatePart, Candidates } from './gather-candidates.ts'

export type RankingWeights = {
  /** Likeness of meaning, where agreement of words counts 1. */
  readonly vectors: number
  readonly nameCoverage: number
  /** The best sentence, where the whole query counts 1. */
  readonly bestSentence: number
  /** 0: every sentence is a need of its own; 1: one that finds little counts little. */
  readonly sentenceStrength: number
}

export type Ranked = {
  readonly id: string
  /** 1 for the best imaginable. */
  readonly score: number
  /** What `confidence` is made of, in the order of `CONFIDENCE_FEATURES`. */
  readonly evidence: readonly number[]
}

export const CONFIDENCE_FEATURES = ['words', 'nameCoverage', 'cosine', 'ofBest', 'lead', 'rivals', 'sentences'] as const

/** The best `limit` of them, best first. */
export function rankCandidates({ ids, parts }: Candidates, weights: RankingWeights, limit: number): Ranked[] {
  const [whole, ...sentences] = parts.map(part => partScores(part, weights))
  if (!whole) return []
  const total = 1 + weights.vectors + weights.nameCoverage
  const scores =
    sentences.length > 0 ? addBestSentence(whole, sentences, strengths(parts.slice(1), weights), weights) : whole
  const order = [...ids.keys()].sort((a, b) => scores[b]! - scores[a]! || (ids[a]! < ids[b]! ? -1 : 1))
  return order.slice(0, Math.max(0, limit)).map((candidate, rank) => ({
    id: ids[candidate]!,
    score: Math.min(1, scores[candidate]! / total),
    evidence: [
      Math.max(...parts.map(({ lexical, most }) => lexical[candidate]! / (most || 1))),
      Math.max(...parts.map(({ coverage }) => coverage[candidate]!)),
      Math.max(0, ...parts.map(({ cosine }) => cosine[candidate]!)),
      scores[candidate]! / (scores[order[0]!]! || 1),
      Math.sqrt((scores[candidate]! - (scores[order[rank + 1]!] ?? 0)) / total),
      Math.log(order.filter(other => scores[other]! >= RIVAL * scores[candidate]!).length),
      Math.log(parts.length),
    ],
  }))
}

/** From which share of its score on another candidate could as well be meant. */
const RIVAL = 0.9

function partScores({ lexical, coverage, cosine }: CandidatePart, weights: RankingWeights): Float32Array {
  const best = largest(lexical) || 1
  return lexical.map(
    (value, i) => value / best + weights.vectors * Math.max(0, cosine[i]!) + weights.nameCoverage * coverage[i]!,
  )
}

/** How much each sentence counts, against the one that finds most. */
function strengths(sentences: readonly CandidatePart[], { sentenceStrength }: RankingWeights): number[] {
  const found = sentences.map(({ lexical }) => largest(lexical))
  const most = Math.max(...found) || 1
  return found.map(value => (value / most) ** sentenceStrength)
}

function addBestSentence(
  whole: Float32Array,
  sentences: readonly Float32Array[],
  strength: readonly number[],
  { bestSentence }: RankingWeights,
): Float32Array {
  return whole.map((value, i) => {
    const best = Math.max(...sentences.map((scores, s) => strength[s]! * scores[i]!))
    return (value + bestSentence * best) / (1 + bestSentence)
  })
}

function largest(values: Float32Array): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}
