export type Quality = {
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  readonly ndcg10: number
  readonly mrr: number
}

export type Answer = { readonly ids: readonly string[]; readonly relevant: ReadonlySet<string> }

export function quality(answers: readonly Answer[]): Quality {
  const mean = (measure: (answer: Answer) => number) => average(answers.map(measure))
  return {
    recall1: mean(answer => recall(answer, 1)),
    recall5: mean(answer => recall(answer, 5)),
    recall10: mean(answer => recall(answer, 10)),
    ndcg10: mean(ndcg10),
    mrr: mean(({ ids, relevant }) => {
      const first = ids.findIndex(id => relevant.has(id))
      return first < 0 ? 0 : 1 / (first + 1)
    }),
  }
}

export function ndcg10({ ids, relevant }: Answer): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2)
  const found = ids.slice(0, 10).reduce((sum, id, rank) => sum + (relevant.has(id) ? gain(rank) : 0), 0)
  let ideal = 0
  for (let rank = 0; rank < Math.min(10, relevant.size); rank++) ideal += gain(rank)
  return found / ideal
}

function recall({ ids, relevant }: Answer, among: number): number {
  return ids.slice(0, among).filter(id => relevant.has(id)).length / relevant.size
}

export type Claim = { readonly confidence: number; readonly right: boolean }

const BINS = 10

/** How far claims are from the truth: the expected calibration error over ten bins of equal width. */
export function calibrationError(claims: readonly Claim[]): number {
  let error = 0
  for (let bin = 0; bin < BINS; bin++) {
    const inside = claims.filter(({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin)
    if (inside.length === 0) continue
    const claimed = average(inside.map(({ confidence }) => confidence))
    const right = average(inside.map(claim => (claim.right ? 1 : 0)))
    error += (inside.length / claims.length) * Math.abs(claimed - right)
  }
  return error
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
}
