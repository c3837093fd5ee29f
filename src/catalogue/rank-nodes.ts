import type { SearchHit } from './search-index.ts'

export type NodeHit = {
  readonly node: string
  readonly score: number
  /** How likely a tool that was meant is in the node, 0 to 1. */
  readonly confidence: number
}

// Further down a hit says more about the words of the query than about the need.
const HITS = 10

/**
 * Nodes by their best tools, best first. A node is as good as its best hit, and a little better for each further one; it is
 * right when any of its hits is, hence its confidence.
 */
export function rankNodes(hits: readonly SearchHit[], nodesOf: (id: string) => readonly string[]): NodeHit[] {
  const nodes = new Map<string, { score: number; wrong: number }>()
  for (const [rank, { id, score, confidence }] of hits.slice(0, HITS).entries())
    for (const node of new Set(nodesOf(id))) {
      const { score: before, wrong } = nodes.get(node) ?? { score: 0, wrong: 1 }
      nodes.set(node, {
        score: before === 0 ? score : before + score / (rank + 1) ** 2,
        wrong: wrong * (1 - confidence),
      })
    }
  return [...nodes]
    .map(([node, { score, wrong }]) => ({ node, score, confidence: 1 - wrong }))
    .sort((a, b) => b.score - a.score || (a.node < b.node ? -1 : 1))
}
