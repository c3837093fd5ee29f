export const RANKING_WEIGHTS = {
  field: { name: 3, description: 2, parameterNames: 0.7, parameterDescriptions: 0.4, category: 1 },
  vectors: 0.25,
  nameCoverage: 0.2,
  bestSentence: 1,
  sentenceStrength: 0.3,
  confidence: [-2, 1, 1, 1, 1, 0, 0],
} as const
