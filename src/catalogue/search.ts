// The two searches of the protocol: for tools in a category, and for categories.
import { readCursor, writeCursor } from './cursor.ts'
import { summaryOfNode } from './describe.ts'
import { invalidCursor, invalidRequest, noMatch, unknownPath } from './failures.ts'
import { pathOf, searchedNodes, searchTools, toPointer } from './find.ts'
import { DEFAULT_LIMIT } from './list.ts'
import type {
  ErrorResponse,
  SearchNodesRequest,
  SearchNodesResponse,
  SearchToolByCategoryRequest,
  SearchToolByCategoryResponse,
} from './operations.ts'
import type { View } from './views.ts'

const EMPTY_QUERY = 'The query is empty: say in words what you need, or use list to look around.'

export async function searchToolByCategory(
  view: View,
  request: SearchToolByCategoryRequest,
): Promise<SearchToolByCategoryResponse | ErrorResponse> {
  const query = request.query.trim()
  if (query === '') return invalidRequest(EMPTY_QUERY)
  const path = request.category_path ?? []
  const { node, isWhole } = view.tree().find(path)
  if (!isWhole) return unknownPath(path, view)
  const asked = ['search', node.path, query]
  const cursor = readCursor(request.cursor, asked, view)
  if (!cursor.ok) return invalidCursor(cursor.why)

  const limit = request.limit ?? DEFAULT_LIMIT
  const hits = await searchTools(view, { query, below: node })
  if (hits.length === 0) return noMatch(query, node.path, view)
  const end = cursor.offset + limit
  return {
    category_path: [...node.path],
    results: hits.slice(cursor.offset, end).map(({ id, confidence }) => {
      const tool = view.tools.get(id)!
      return toPointer(tool, view, { path: pathOf(tool, view, node.path), confidence })
    }),
    next_cursor: hits.length > end ? writeCursor(end, asked, view) : null,
  }
}

export async function searchNodes(
  view: View,
  request: SearchNodesRequest,
): Promise<SearchNodesResponse | ErrorResponse> {
  const query = request.query.trim()
  if (query === '') return invalidRequest(EMPTY_QUERY)
  const ranked = await searchedNodes(view, { query }, request.limit ?? DEFAULT_LIMIT)
  if (ranked.length === 0) return noMatch(query, [], view)
  return {
    results: ranked.map(({ node, confidence }) => ({
      path: [...node.path],
      summary: summaryOfNode(node, view),
      confidence,
    })),
  }
}
