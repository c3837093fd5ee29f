import type { Runtime } from '../runtime.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { bold, complain, dim, print, printJson, table } from './output.ts'

/** `skillwright list`: every skill and its tools. */
export async function list(runtime: Runtime, options: CallerOptions): Promise<number> {
  const tools = await runtime.tools(callerOf(options))
  const skills = await runtime.listSkills(callerOf(options))
  if (options.json) {
    printJson({
      skills: skills.map(({ id, description, folder, source }) => ({ id, description, folder, source })),
      tools: tools.map(({ id, skill, description, executor }) => ({ id, skill, description, executor: executor.type })),
    })
    return 0
  }
  if (skills.length === 0) {
    complain('No skills found. Name a folder with --source, or put skills into ./skills.')
    return 0
  }
  const rows = skills.flatMap(skill => [
    [bold(skill.id), skill.description],
    ...tools
      .filter(tool => tool.skill === skill.id && tool.executor.type !== 'prompt')
      .map(tool => [`  ${tool.id}`, tool.description]),
  ])
  print(table(rows))
  if (!options.quiet) complain(dim(`${skills.length} skills, ${tools.length} tools (each skill's prompt is one)`))
  return 0
}
