import { importedFolder } from '../skills/sources.ts'
import { stagingOptions } from './import-skills.ts'
import { forgetImports } from './pin-imports.ts'
import type { TargetOptions } from './scope.ts'
import { withStaging } from './staging.ts'
import { notImported } from './update-skills.ts'

export type RemoveResult = {
  readonly target: string
  readonly removed: readonly string[]
  readonly notes?: readonly string[]
}

/** Removes imports with their lock entries: all of these names, or none. Throws `ImportError`. */
export async function removeSkills(names: readonly string[], options: TargetOptions = {}): Promise<RemoveResult> {
  return withStaging(options.into ?? importedFolder(), stagingOptions(options), async ({ target, lock, commit }) => {
    const missing = names.find(name => !lock.has(name))
    if (missing !== undefined) throw notImported(missing, lock, target)
    const removed = [...new Set(names)]
    const rest = new Map([...lock].filter(([name]) => !removed.includes(name)))
    commit({ put: [], drop: removed, lock: rest })
    const notes: string[] = []
    await forgetImports(removed, { target, trustFile: options.trustFile, note: text => notes.push(text) })
    return { target, removed, ...(notes.length > 0 && { notes }) }
  })
}
