import { importSkills } from '../import/import-skills.ts'
import { compileCounts, createProgressLine, printCounts, printNotes } from './import-output.ts'
import { bold, complain, dim, print, printJson, table } from './output.ts'
import type { TargetCommandOptions } from './remove.ts'

export type ImportCommandOptions = TargetCommandOptions & { readonly all: boolean; readonly force: boolean }

/** `skillwright import <source> [names]`: imports skills and says what they compile to. */
export async function importCommand(
  options: ImportCommandOptions,
  input: { readonly source: string; readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<number> {
  const { source, names, signal } = input
  const { into, all, force } = options
  const progress = createProgressLine(options.quiet)
  const result = await importSkills(source, {
    ...(into !== undefined && { into }),
    names,
    all,
    force,
    signal,
    onProgress: progress.show,
  }).finally(progress.clear)
  const counts = await compileCounts(result.target)
  if (options.json) {
    printJson({ ...result, ...counts })
    return 0
  }
  print(
    table(
      result.skills.map(one => [one.status, bold(one.name), one.kind, dim(one.hash.slice(0, 19)), one.ids.join(', ')]),
    ),
  )
  printCounts(counts)
  if (!options.quiet) {
    printNotes(result.notes)
    complain(dim(`in ${result.target}`))
  }
  return 0
}
