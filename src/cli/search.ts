import type { Runtime } from '../runtime.ts'
import type { CallerOptions } from './config.ts'
import { explainError, type PageOptions, pageOf, sessionOf, tellNextPage, toolRow, toPath } from './discovery-output.ts'
import { bold, print, printJson, table } from './output.ts'
import { UsageError } from './usage-error.ts'

export type SearchOptions = CallerOptions & PageOptions & { readonly in?: string; readonly nodes: boolean }

/** `skillwright search <query>`: the tools, or the categories, that fit a need. */
export async function search(runtime: Runtime, options: SearchOptions, query: string): Promise<number> {
  return options.nodes ? searchNodes(runtime, options, query) : searchTools(runtime, options, query)
}

async function searchTools(runtime: Runtime, options: SearchOptions, query: string): Promise<number> {
  const response = await sessionOf(runtime, options).search_tool_by_category({
    query,
    category_path: toPath(options.in),
    ...pageOf(options),
  })
  if ('error' in response) return explainError(response, options)
  if (options.json) printJson(response)
  else print(table(response.results.map(toolRow)))
  if (!options.json) tellNextPage(response.next_cursor, options)
  return 0
}

async function searchNodes(runtime: Runtime, options: SearchOptions, query: string): Promise<number> {
  const { cursor, ...page } = pageOf(options)
  if (cursor !== undefined || options.in !== undefined)
    throw new UsageError('--nodes searches all categories and has one page: leave out --in and --cursor.')
  const response = await sessionOf(runtime, options).search_nodes({ query, ...page })
  if ('error' in response) return explainError(response, options)
  if (options.json) printJson(response)
  else
    print(
      table(
        response.results.map(({ path, confidence, summary }) => [
          bold(`${path.join('/')}/`),
          confidence.toFixed(2),
          summary,
        ]),
      ),
    )
  return 0
}
