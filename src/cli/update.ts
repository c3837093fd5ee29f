import { type UpdatedSkill, updateSkills } from '../import/update-skills.ts'
import { compileCounts, createProgressLine, printCounts, printNotes } from './import-output.ts'
import { bold, complain, dim, green, print, printJson, red, table } from './output.ts'
import type { TargetCommandOptions } from './remove.ts'

export type UpdateCommandOptions = TargetCommandOptions & { readonly force: boolean }

/** `skillwright update [names]`: replaces what changed at its source. Exit code 1 when something could not be updated. */
export async function update(
  options: UpdateCommandOptions,
  input: { readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<number> {
  const { into, force } = options
  const progress = createProgressLine(options.quiet)
  const result = await updateSkills({
    ...(into !== undefined && { into }),
    ...input,
    force,
    onProgress: progress.show,
  }).finally(progress.clear)
  const code = result.skills.some(one => one.message !== undefined) ? 1 : 0
  if (result.skills.length === 0) {
    if (options.json) printJson(result)
    else complain('Nothing was imported yet: `skillwright import <source>` does.')
    return code
  }
  const counts = await compileCounts(result.target)
  if (options.json) {
    printJson({ ...result, ...counts })
    return code
  }
  print(table(result.skills.map(one => [one.status, bold(one.name), versions(one), dim(one.source)])))
  for (const { name, message, hint } of result.skills)
    if (message !== undefined) complain(`${red(`${name}: ${message}`)}\n${green('→')} ${hint}`)
  printCounts(counts)
  if (!options.quiet) printNotes(result.notes)
  return code
}

function versions({ status, from, to }: UpdatedSkill): string {
  const short = ({ hash, commit }: UpdatedSkill['from']) => commit?.slice(0, 12) ?? hash.slice(0, 19)
  return to === undefined || status === 'unchanged' ? short(from) : `${short(from)} → ${short(to)}`
}
