import type { Runtime } from '../runtime.ts'
import type { CommonOptions } from './config.ts'
import { findTool } from './find-tool.ts'
import { bold, dim, print, printJson, table } from './output.ts'

/** `skillwright show <tool>`: what a tool is and takes. */
export async function show(runtime: Runtime, options: CommonOptions, id: string): Promise<number> {
  const tool = await findTool(runtime, id)
  if (options.json) {
    printJson(tool)
    return 0
  }
  const { executor } = tool
  const rows = [
    ['skill', tool.skill],
    ['kind', executor.type === 'script' ? `${executor.language} script` : executor.type],
    ...(executor.type === 'script'
      ? [
          ['file', executor.file],
          ['runs in', executor.cwd],
        ]
      : []),
    ['time limit', `${tool.timeoutMs / 1000} s`],
  ]
  print(
    `${bold(tool.id)}\n${tool.description}\n\n${table(rows)}\n\n${dim('schema')}\n${JSON.stringify(tool.inputSchema, null, 2)}`,
  )
  return 0
}
