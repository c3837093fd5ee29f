// Whoever imports a skill approves it as it is: later changes are told from that.
import { join } from 'node:path'
import { createContents } from '../trust/content.ts'
import { createTrust } from '../trust/trust.ts'
import { createTrustStore, trustFileOf } from '../trust/trust-store.ts'
import { skillsIn } from './find-units.ts'

type Pinning = {
  readonly target: string
  readonly trustFile: string | undefined
  readonly note: (text: string) => void
}

/** Approves the skills of these imports. An approval that cannot be kept is noted: the skills are there, but will have to be trusted. */
export async function pinImports(names: readonly string[], { target, trustFile, note }: Pinning): Promise<void> {
  try {
    const skills = []
    for (const name of names) skills.push(...(await skillsIn(join(target, name))))
    if (skills.length > 0) await openTrust(trustFile).pin(skills)
  } catch (error) {
    note(`The skills could not be marked as approved: ${(error as Error).message} \`skillwright trust\` does it later.`)
  }
}

/** Takes the approvals back of what is no longer there. */
export async function forgetImports(names: readonly string[], { target, trustFile, note }: Pinning): Promise<void> {
  try {
    for (const name of names) await openTrust(trustFile).forget(join(target, name))
  } catch (error) {
    note(`The approvals of what was removed could not be taken back: ${(error as Error).message}`)
  }
}

function openTrust(file = trustFileOf()) {
  return createTrust(createTrustStore(file), createContents())
}
