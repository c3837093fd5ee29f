export type Example = { readonly evidence: readonly number[]; readonly right: boolean; readonly weight: number }

const ROUNDS = 30
// A little pull towards 0 keeps the fit sane where the evidence is collinear.
const RIDGE = 1e-3

/** Coefficients of a logistic regression, the constant first, by Newton's method. */
export function fitLogistic(examples: readonly Example[]): number[] {
  const size = (examples[0]?.evidence.length ?? 0) + 1
  const coefficients: number[] = new Array(size).fill(0)
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = coefficients.map((value, i) => (i === 0 ? 0 : -RIDGE * value))
    const curvature = coefficients.map((_, i) => coefficients.map((_, j) => (i === j ? RIDGE : 0)))
    for (const { evidence, right, weight } of examples) {
      const inputs = [1, ...evidence]
      const claimed = 1 / (1 + Math.exp(-inputs.reduce((sum, value, i) => sum + value * coefficients[i]!, 0)))
      const share = weight / total
      for (let i = 0; i < size; i++) {
        gradient[i]! += share * ((right ? 1 : 0) - claimed) * inputs[i]!
        for (let j = 0; j < size; j++) curvature[i]![j]! += share * claimed * (1 - claimed) * inputs[i]! * inputs[j]!
      }
    }
    for (const [i, step] of solve(curvature, gradient).entries()) coefficients[i]! += step
  }
  return coefficients
}

/** Gaussian elimination; the matrix is positive definite, so no pivot is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (const [i, row] of rows.entries())
    for (const [j, other] of rows.entries()) {
      if (i === j) continue
      const factor = other[i]! / row[i]!
      for (let k = i; k < other.length; k++) other[k]! -= factor * row[k]!
    }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}
