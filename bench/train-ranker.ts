// npm run train:ranker [-- folder]: fits the ranking to the labelled sets in a folder, and writes what it found to
// src/catalogue/ranking-weights.ts. What it reports and writes about quality is measured on sets left out of the fit.
import { writeFileSync } from 'node:fs'
import { CONFIDENCE_FEATURES } from '../src/catalogue/rank-candidates.ts'
import { RANKING_WEIGHTS } from '../src/catalogue/ranking-weights.ts'
import { claims, type Fitted, fitRanker, macroNdcg, prepareLesson } from './fit-ranker.ts'
import { average, calibrationError } from './retrieval-metrics.ts'
import { DEFAULT_DATA, readSets } from './retrieval-sets.ts'
import { printTable } from './table.ts'

const lessons = readSets(process.argv[2] ?? DEFAULT_DATA).map(prepareLesson)
const folds = lessons.map(lesson => {
  const fitted = fitRanker(lessons.filter(other => other !== lesson))
  const { first, all } = claims(lesson, fitted)
  return {
    name: lesson.name,
    fitted,
    ndcg: macroNdcg([lesson], fitted.weights),
    error: calibrationError(all),
    firstError: calibrationError(first),
  }
})
const mean = (measure: (fold: (typeof folds)[number]) => number) => average(folds.map(measure)).toFixed(3)

printTable('Leave one set out: fitted to the others, measured on this one', [
  ['set', 'nDCG@10', 'calibration error', 'of first answers', 'weights'],
  ...folds.map(({ name, fitted, ndcg, error, firstError }) => [
    name,
    ndcg.toFixed(3),
    error.toFixed(3),
    firstError.toFixed(3),
    Object.values(fitted.weights).join(' '),
  ]),
  ['mean', mean(fold => fold.ndcg), mean(fold => fold.error), mean(fold => fold.firstError), ''],
])

const fitted = fitRanker(lessons)
writeFileSync('src/catalogue/ranking-weights.ts', constantFile(fitted))
console.log(
  `\nAll sets: nDCG@10 ${macroNdcg(lessons, fitted.weights).toFixed(3)} with ${JSON.stringify(fitted.weights)}`,
)
console.log('Written to src/catalogue/ranking-weights.ts')

function constantFile({ weights, confidence }: Fitted): string {
  const [constant, ...coefficients] = confidence.map(value => Number(value.toFixed(3)))
  return `// Written by \`npm run train:ranker\`; do not edit by hand.
//
// Fitted to the sets ${folds.map(({ name }) => name).join(', ')}, each weighing the same: four weights by the best mean nDCG@10 on a
// coarse grid, \`confidence\` by a logistic regression on the ten first answers to each query. Field weights are not fitted:
// measurement shows a flat optimum around them.
// On a set it never saw (leave one set out): nDCG@10 ${mean(fold => fold.ndcg)}; calibration error ${mean(fold => fold.error)}, of first answers alone ${mean(fold => fold.firstError)};
// the worst set is off by ${worst(fold => fold.error)} and ${worst(fold => fold.firstError)}.
// The kinds of evidence for \`confidence\` were chosen with these figures in view, so expect a little worse elsewhere.
export const RANKING_WEIGHTS = {
  field: { name: ${RANKING_WEIGHTS.field.name}, description: ${RANKING_WEIGHTS.field.description}, parameterNames: ${RANKING_WEIGHTS.field.parameterNames}, parameterDescriptions: ${RANKING_WEIGHTS.field.parameterDescriptions}, category: ${RANKING_WEIGHTS.field.category} },
${Object.entries(weights)
  .map(([name, value]) => `  ${name}: ${value},\n`)
  .join('')}  /** The constant, then one coefficient each for ${CONFIDENCE_FEATURES.join(', ')}. */
  confidence: [${[constant, ...coefficients].join(', ')}],
} as const
`
}

function worst(measure: (fold: (typeof folds)[number]) => number): string {
  return Math.max(...folds.map(measure)).toFixed(3)
}
