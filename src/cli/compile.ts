import type { Runtime, WrittenSkill } from '../runtime.ts'
import type { CommonOptions } from './config.ts'
import { bold, complain, dim, green, print, printJson, red, table } from './output.ts'

export type CompileCommandOptions = CommonOptions & { readonly watch: boolean }

/** `skillwright compile`: writes the artifacts of every skill beside it. Exit code 1 when a tool is invalid or a folder cannot be written. */
export async function compile(runtime: Runtime, options: CompileCommandOptions, signal: AbortSignal): Promise<number> {
  const code = await once()
  if (!options.watch) return code
  if (!options.quiet) complain(dim('Watching; Ctrl-C ends it.'))
  runtime.on('dynamic_tool.reload', () => void once())
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  return 0

  async function once(): Promise<number> {
    const skills = await runtime.writeArtifacts()
    const { counts } = await runtime.report()
    const summary = { compiled_ok: counts.ok, invalid_tools: counts.invalid, shadowed_tools: counts.shadowed }
    if (options.json) printJson({ skills, ...summary })
    else {
      const rows = options.quiet ? skills.filter(one => one.status === 'failed') : skills
      if (rows.length > 0) print(table(rows.map(row)))
      print(
        Object.entries(summary)
          .map(([name, count]) => `${name} ${count}`)
          .join('  '),
      )
      if (counts.invalid > 0) complain('`skillwright doctor` says what is wrong.')
    }
    return counts.invalid > 0 || skills.some(one => one.status === 'failed') ? 1 : 0
  }
}

const COLOURS = { written: green, unchanged: dim, failed: red }

function row({ skill, status, folder, reason }: WrittenSkill): string[] {
  return [COLOURS[status](status), bold(skill), reason ?? dim(folder)]
}
