// Written by `npm run train:ranker`; do not edit by hand.
//
// Fitted to the sets bfcl, seal, stable, toollinkos, each weighing the same: four weights by the best mean nDCG@10 on a
// coarse grid, `confidence` by a logistic regression on the ten first answers to each query. Field weights are not fitted:
// measurement shows a flat optimum around them.
// On a set it never saw (leave one set out): nDCG@10 0.787; calibration error 0.051, of first answers alone 0.142;
// the worst set is off by 0.107 and 0.225.
export const RANKING_WEIGHTS = {
  field: { name: 3, description: 2, parameterNames: 0.7, parameterDescriptions: 0.4, category: 1 },
  vectors: 0.1,
  nameCoverage: 0.3,
  bestSentence: 1,
  sentenceStrength: 0,
  /** The constant, then one coefficient each for words, nameCoverage, cosine, ofBest, lead, rank, sentences. */
  confidence: [-4.254, 0.569, 1.493, 0.855, 2.3, 2.331, -1.757, 0.848],
} as const
