import type { Runtime } from '../runtime.ts'
import type { CallerOptions } from './config.ts'
import { explainError, type PageOptions, pageOf, sessionOf, tellNextPage, toolRow, toPath } from './discovery-output.ts'
import { bold, print, printJson, table } from './output.ts'

export type LsOptions = CallerOptions & PageOptions & { readonly tag: readonly string[]; readonly query?: string }

/** `skillwright ls [path]`: the categories and tools at a path. */
export async function ls(runtime: Runtime, options: LsOptions, path: string | undefined): Promise<number> {
  const response = await sessionOf(runtime, options).list({
    path: toPath(path),
    tags: [...options.tag],
    ...(options.query !== undefined && { query: options.query }),
    ...pageOf(options),
  })
  if ('error' in response) return explainError(response, options)
  if (options.json) {
    printJson(response)
    return 0
  }
  const { nodes, tools, next_cursor } = response
  const isAnswer = options.query !== undefined
  const nodeRows = nodes.map(node => [bold(`${node.path.join('/')}/`), ...(isAnswer ? ['', ''] : []), node.summary])
  const toolRows = tools.map(tool => (isAnswer ? toolRow(tool) : [tool.tool_id, tool.summary]))
  if (nodes.length + tools.length > 0) print(table([...nodeRows, ...toolRows]))
  tellNextPage(next_cursor, options)
  return 0
}
