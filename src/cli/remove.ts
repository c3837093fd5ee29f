import { removeSkills } from '../import/remove-skills.ts'
import { printNotes } from './import-output.ts'
import { bold, print, printJson } from './output.ts'

/** The options of commands that change a folder of imported skills. */
export type TargetCommandOptions = { readonly into?: string; readonly json: boolean; readonly quiet: boolean }

/** `skillwright remove <names>`: removes imported skills. */
export async function remove(
  options: TargetCommandOptions,
  input: { readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<number> {
  const { into } = options
  const result = await removeSkills(input.names, { ...(into !== undefined && { into }), signal: input.signal })
  if (options.json) printJson(result)
  else {
    for (const name of result.removed) print(`removed  ${bold(name)}`)
    printNotes(result.notes ?? [])
  }
  return 0
}
