import type { Runtime } from '../runtime.ts'
import type { CallerOptions } from './config.ts'
import { explainError, sessionOf } from './discovery-output.ts'
import { bold, dim, print, printJson, table } from './output.ts'

/** `skillwright expand <tool>`: all that a model gets to call a tool. */
export async function expand(runtime: Runtime, options: CallerOptions, id: string): Promise<number> {
  const response = await sessionOf(runtime, options).expand_tool({ tool_id: id })
  if ('error' in response) return explainError(response, options)
  if (options.json) {
    printJson(response)
    return 0
  }
  const { tool_id, path, summary, description, version, args_schema, result_schema, examples, requirements } = response
  const rows = [
    ['path', path.join('/')],
    ['version', version],
    ...(requirements ?? []).map(({ kind, name, install }) => ['needs', `${kind} ${install ?? name}`]),
    ...(examples ?? []).map(example => ['example', JSON.stringify(example)]),
  ]
  print(`${bold(tool_id)}\n${description ?? summary}\n\n${table(rows)}\n`)
  print(`${dim('arguments')}\n${JSON.stringify(args_schema, null, 2)}`)
  if (result_schema) print(`\n${dim('result')}\n${JSON.stringify(result_schema, null, 2)}`)
  return 0
}
