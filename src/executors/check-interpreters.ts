import { join } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import type { Interpreters } from '../process/interpreters.ts'
import type { Diagnostic, Snapshot } from '../types.ts'

/** The scripts of a snapshot that cannot run here, since their interpreter is not installed. */
export async function checkInterpreters(snapshot: Snapshot, interpreters: Interpreters): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  for (const { executor, skill } of snapshot.tools.values()) {
    if (executor.type !== 'script') continue
    const interpreter = await interpreters.find(executor)
    if (interpreter.found) continue
    const programs = interpreter.wanted.join(' or ')
    const file = join(snapshot.skills.get(skill)!.folder, executor.file)
    const hint = `Install ${programs}, or put it on the PATH.`
    diagnostics.push(diagnose('interpreter-missing', { file, line: 1 }, { message: `Needs ${programs}.`, hint }))
  }
  return diagnostics
}
