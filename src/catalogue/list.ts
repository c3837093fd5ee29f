import type { Tool } from '../types.ts'
import type { CategoryNode } from './category-tree.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { summaryOfNode, tagsOf, tagsOfNode } from './describe.ts'
import { invalidCursor, noMatch, unknownPath } from './failures.ts'
import { pathOf, searchedNodes, searchTools, toPointer } from './find.ts'
import type { ErrorResponse, ListRequest, ListResponse, NodePointer, ToolPointer } from './operations.ts'
import type { View } from './views.ts'

export const DEFAULT_LIMIT = 10

/** Categories and tools at a path; with a query, what fits it anywhere below. */
export async function list(view: View, request: ListRequest): Promise<ListResponse | ErrorResponse> {
  const path = request.path ?? []
  const { node, isWhole } = view.tree().find(path)
  if (!isWhole) return unknownPath(path, view)

  const query = request.query?.trim() ?? ''
  const tags = (request.tags ?? []).map(tag => tag.toLowerCase())
  const limit = request.limit ?? DEFAULT_LIMIT
  const asked = ['list', node.path, query, tags]
  const cursor = readCursor(request.cursor, asked, view)
  if (!cursor.ok) return invalidCursor(cursor.why)

  const entries = query === '' ? listed(node, tags, view) : await fitting(view, node, query, tags)
  if (query !== '' && entries.length === 0) return noMatch(query, node.path, view)
  const page = entries.slice(cursor.offset, cursor.offset + limit).map(entry => entry())
  const end = cursor.offset + page.length
  return {
    path: [...node.path],
    nodes: page.filter(entry => 'name' in entry),
    tools: page.filter(entry => 'tool_id' in entry),
    next_cursor: end < entries.length ? writeCursor(end, asked, view) : null,
  }
}

/** Described only when it is on the page that was asked for. */
type Entry = () => NodePointer | ToolPointer

function listed(node: CategoryNode, tags: readonly string[], view: View): Entry[] {
  const { nodes, tools } = node.level()
  const isTagged = (tool: Tool) => hasTag(tool, tags, view)
  return [
    ...nodes.filter(one => tags.length === 0 || some(one.toolsBelow(), isTagged)).map(one => () => toNode(one, view)),
    ...tools.filter(isTagged).map(tool => () => toPointer(tool, view, { path: node.path, confidence: 1 })),
  ]
}

const NODES_THAT_FIT = 3

/** The best tool, the best categories, then the other tools: it is mostly tools that somebody with a need looks for. */
async function fitting(view: View, below: CategoryNode, query: string, tags: readonly string[]): Promise<Entry[]> {
  const options = { query, below, accept: (tool: Tool) => hasTag(tool, tags, view) }
  const nodes = (await searchedNodes(view, options, NODES_THAT_FIT))
    .filter(({ node }) => node.path.length > below.path.length)
    .map(
      ({ node }) =>
        () =>
          toNode(node, view),
    )
  const tools = (await searchTools(view, options)).map(({ id, confidence }) => () => {
    const tool = view.tools.get(id)!
    return toPointer(tool, view, { path: pathOf(tool, view, below.path), confidence })
  })
  return [...tools.slice(0, 1), ...nodes, ...tools.slice(1)]
}

function toNode(node: CategoryNode, view: View): NodePointer {
  return {
    name: node.path.at(-1)!,
    path: [...node.path],
    summary: summaryOfNode(node, view),
    tags: [...tagsOfNode(node, view)],
  }
}

function hasTag(tool: Tool, tags: readonly string[], view: View): boolean {
  return tags.length === 0 || tagsOf(tool, view.skills.get(tool.skill)).some(tag => tags.includes(tag))
}

function some<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (test(item)) return true
  return false
}
