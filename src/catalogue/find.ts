// Search as the operations use it: hits among what a view shows, and the nodes they stand in.
import type { Tool } from '../types.ts'
import type { Path } from './categories.ts'
import type { CategoryNode } from './category-tree.ts'
import { summaryOf, tagsOf } from './describe.ts'
import { matchNames } from './match-names.ts'
import type { ToolPointer } from './operations.ts'
import { rankNodes } from './rank-nodes.ts'
import { readQuery } from './read-query.ts'
import type { SearchHit } from './search-index.ts'
import type { View } from './views.ts'

export type SearchOptions = {
  readonly query: string
  /** Only tools below it. */
  readonly below?: CategoryNode
  readonly accept?: (tool: Tool) => boolean
}

/** Nobody reads so far; paging ends here. */
const MAX_HITS = 200
/** After a first page only what may be meant at all is worth its tokens. */
const ALWAYS_SHOWN = 10

/** The same hits with the same confidence for every page of an answer. */
export async function searchTools(view: View, { query, below, accept }: SearchOptions): Promise<SearchHit[]> {
  const index = await view.index()
  const inside = below && below.path.length > 0 ? below.toolsBelow() : undefined
  const isAccepted = (id: string) => {
    const tool = view.tools.get(id)
    return tool !== undefined && (!inside || inside.has(tool)) && (!accept || accept(tool))
  }
  const isWordless = readQuery(query).terms.length === 0
  const named = isWordless ? matchNames(query, view.tools.values()).filter(({ id }) => isAccepted(id)) : []
  if (named.length > 0) return named.slice(0, MAX_HITS)

  const hits = await index.searchWithEmbedder(query, { limit: MAX_HITS, accept: isAccepted })
  return hits.filter((hit, rank) => rank < ALWAYS_SHOWN || round(hit.confidence) > 0)
}

export type RankedNode = { readonly node: CategoryNode; readonly confidence: number }

/** The nodes whose tools fit best. */
export async function searchedNodes(view: View, options: SearchOptions, limit: number): Promise<RankedNode[]> {
  const hits = await searchTools(view, options)
  const within = options.below?.path ?? []
  const nodes = new Map<string, CategoryNode>()
  const ranked = rankNodes(hits, id =>
    view
      .tree()
      .nodesOf(view.tools.get(id)!)
      .filter(node => isWithin(node.path, within))
      .map(node => {
        const key = JSON.stringify(node.path)
        nodes.set(key, node)
        return key
      }),
  )
  return ranked
    .slice(0, limit)
    .map(({ node, confidence }) => ({ node: nodes.get(node)!, confidence: round(confidence) }))
}

/** Where a tool stands: its first place below `within`, else its first. */
export function pathOf(tool: Tool, view: View, within: Path = []): Path {
  const paths = view
    .tree()
    .nodesOf(tool)
    .map(node => node.path)
  return paths.find(path => isWithin(path, within)) ?? paths[0] ?? []
}

function isWithin(path: Path, within: Path): boolean {
  return within.every((label, i) => path[i] === label)
}

export function toPointer(
  tool: Tool,
  view: View,
  { path, confidence }: { path: Path; confidence: number },
): ToolPointer {
  return {
    tool_id: tool.id,
    path: [...path],
    summary: summaryOf(tool),
    tags: [...tagsOf(tool, view.skills.get(tool.skill))],
    confidence: round(confidence),
  }
}

export function rootPaths(view: View): readonly Path[] {
  return view
    .tree()
    .root.level()
    .nodes.map(node => node.path)
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100
}
