// Written by `npm run train:ranker`; do not edit by hand.
//
// Fitted to the sets bfcl, seal, stable, toollinkos, each weighing the same: four weights by the best mean nDCG@10 on a
// coarse grid, `confidence` by a logistic regression on the ten first answers to each query. Field weights are not fitted:
// measurement shows a flat optimum around them.
// On a set it never saw (leave one set out): nDCG@10 0.787; calibration error 0.045, of first answers alone 0.112;
// the worst set is off by 0.089 and 0.231.
// The kinds of evidence for `confidence` were chosen with these figures in view, so expect a little worse elsewhere.
export const RANKING_WEIGHTS = {
  field: { name: 3, description: 2, parameterNames: 0.7, parameterDescriptions: 0.4, category: 1 },
  vectors: 0.1,
  nameCoverage: 0.3,
  bestSentence: 1,
  sentenceStrength: 0,
  /** The constant, then one coefficient each for words, nameCoverage, cosine, ofBest, lead, rivals, sentences. */
  confidence: [-3.703, 0.615, 1.306, 0.712, 3.096, 0.251, -1.788, 0.83],
} as const
