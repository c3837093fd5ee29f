import type { Runtime } from '../runtime.ts'
import type { Tool } from '../types.ts'
import { isStatic } from '../visibility.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { bold, complain, dim, print, printJson, table } from './output.ts'

/** `skillwright list`: every skill and its tools. */
export async function list(runtime: Runtime, options: CallerOptions): Promise<number> {
  const tools = await runtime.tools(callerOf(options))
  const skills = await runtime.listSkills()
  if (options.json) {
    printJson({
      skills: skills.map(({ id, description, folder, source }) => ({ id, description, folder, source })),
      tools: tools.map(({ id, skill, description, executor }) => ({ id, skill, description, executor: executor.type })),
    })
    return 0
  }
  const builtins = tools.filter(tool => tool.origin === 'builtin')
  if (skills.length === 0 && builtins.length === 0) {
    complain('No skills found. Name a folder with --source, or put skills into ./skills.')
    return 0
  }
  const row = (tool: Tool) => [`  ${tool.id}`, tool.description]
  const rows = skills.flatMap(skill => [
    [bold(skill.id), skill.description],
    ...tools.filter(tool => tool.skill === skill.id && isOwn(tool)).map(row),
  ])
  const own =
    builtins.length > 0 ? [[bold('built in'), 'Tools for the files of the workspace.'], ...builtins.map(row)] : []
  print(table([...own, ...rows]))
  if (!options.quiet) complain(dim(`${skills.length} skills, ${tools.length} tools (each skill's prompt is one)`))
  return 0
}

/** What a skill brings besides its prompt. A skill may be called like the owner of the static tools. */
function isOwn(tool: Tool): boolean {
  return tool.executor.type !== 'prompt' && !isStatic(tool)
}
