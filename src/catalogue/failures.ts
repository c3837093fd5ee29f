// What discovery answers when it cannot answer, worded for a model: what is wrong, what is near, what to do now.
import { type ErrorCode, SkillInvocationError, toolError } from '../errors.ts'
import { cutText } from '../text/clean-text.ts'
import { nearest } from '../text/nearest.ts'
import type { ToolError } from '../types.ts'
import { keyOf, type Path } from './categories.ts'
import { rootPaths, searchedNodes, searchTools } from './find.ts'
import type { DiscoveryError, ErrorResponse, ExpandToolResponse } from './operations.ts'
import type { View } from './views.ts'

const MOST_HINTS = 5

export function failure(
  code: ErrorCode,
  message: string,
  options: { readonly hints?: readonly string[]; readonly nextAction: string; readonly tool?: ExpandToolResponse },
): ErrorResponse {
  const { tool, ...rest } = options
  return { error: { ...toWireError(toolError(code, message, rest)), ...(tool && { tool }) } }
}

export function toWireError({ code, message, hints, nextAction }: ToolError): DiscoveryError {
  return { code, message, hints: [...hints], next_action: nextAction }
}

export async function toolNotFound(toolId: string, view: View): Promise<ErrorResponse> {
  const close = nearest(toolId, view.tools.keys())
  const alike = (await searchTools(view, { query: toolId.slice(0, 200) })).slice(0, 3).map(hit => hit.id)
  const names = [...new Set([...close, ...alike])].slice(0, MOST_HINTS)
  return failure('TOOL_NOT_FOUND', `There is no tool ${shown(toolId)}.`, {
    hints: names.map(id => `Did you mean ${id}?`),
    nextAction: names.length > 0 ? 'Expand one of these, or search for what you need.' : 'Begin with list.',
  })
}

export async function unknownPath(path: Path, view: View): Promise<ErrorResponse> {
  const { node, missing = '' } = view.tree().find(path)
  const siblings = node.level().nodes.map(one => one.path)
  const close = nearest(
    keyOf(missing),
    siblings.map(one => keyOf(one.at(-1)!)),
  )
  const typed = close.flatMap(key => siblings.filter(one => keyOf(one.at(-1)!) === key))
  const meant = await pathsFor(path.join(' ').slice(0, 200), view)
  const paths = uniquePaths([...typed, ...meant, ...(typed.length + meant.length === 0 ? rootPaths(view) : [])])
  return failure('UNKNOWN_PATH', `There is no category ${shown(path)}.`, {
    hints: paths.map(one => `Try path ${JSON.stringify(one)}.`),
    nextAction: 'List one of these paths, or list without a path.',
  })
}

export async function noMatch(query: string, path: Path, view: View): Promise<ErrorResponse> {
  const elsewhere = path.length === 0 ? [] : await pathsFor(query, view)
  const others = (elsewhere.length > 0 ? elsewhere : rootPaths(view)).filter(one => !isSamePath(one, path))
  const paths = uniquePaths(others)
  const where = path.length === 0 ? 'No tool fits' : `No tool of ${shown(path)} fits`
  return failure('NO_MATCH_IN_CATEGORY', `${where} ${shown(query)}.`, {
    hints: paths.map(one => `Try category ${JSON.stringify(one)}.`),
    nextAction:
      elsewhere.length > 0 ? 'Search in one of these categories.' : 'Say it in other words, or list these categories.',
  })
}

export function invalidCursor(why: string): ErrorResponse {
  return failure('INVALID_CURSOR', why, { nextAction: 'Ask again without a cursor.' })
}

export function invalidRequest(problem: string): ErrorResponse {
  return failure('INVALID_ARGS', problem, { nextAction: 'Mend the request, then make it again.' })
}

/** What was thrown: something that can be told to the caller, or a fault of ours. */
export function thrownFailure(error: unknown): ErrorResponse {
  if (error instanceof SkillInvocationError) return { error: toWireError(error) }
  const message = `Skillwright failed: ${error instanceof Error ? error.message : String(error)}`
  return failure('INTERNAL', message, { nextAction: 'Report this as a fault of Skillwright.' })
}

export function notExpanded(toolId: string): ErrorResponse {
  return failure('NOT_EXPANDED', `${toolId} was not expanded yet, so its arguments are not known.`, {
    nextAction: `Call expand_tool with ${JSON.stringify({ tool_id: toolId })}, then call_tool with arguments that fit and its version.`,
  })
}

export function staleSchema(tool: ExpandToolResponse): ErrorResponse {
  return failure('STALE_SCHEMA', `${tool.tool_id} has changed since it was expanded.`, {
    nextAction: 'Read the new schema in this error, then call again with arguments that fit it.',
    tool,
  })
}

async function pathsFor(query: string, view: View): Promise<Path[]> {
  return (await searchedNodes(view, { query }, 3)).map(one => one.node.path)
}

function isSamePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((label, i) => label === b[i])
}

function uniquePaths(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()].slice(0, MOST_HINTS)
}

function shown(value: string | Path): string {
  return typeof value === 'string'
    ? JSON.stringify(cutText(value, 80))
    : JSON.stringify(value.slice(0, 8).map(one => cutText(one, 48)))
}
