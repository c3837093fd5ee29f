// The boxes that the attacks are run in: what the policies `strict` and `balanced` make of a skill and a workspace.
import { dirname, join } from 'node:path'
import { confine } from '../../src/policy/confine.ts'
import { POLICIES as ALL } from '../../src/policy/policies.ts'
import type { Confinement } from '../../src/sandbox/confinement.ts'
import type { Limits } from '../../src/types.ts'

export type Places = { readonly skill: string; readonly workspace: string }

export const POLICIES = ['strict', 'balanced'] as const
export type PolicyName = (typeof POLICIES)[number]

/** Lower than those of the policies, so that the machine has less to bear until they are reached. */
const LIMITS: Readonly<Record<PolicyName, Limits>> = {
  strict: { memoryMb: 256, processes: 32, fileMb: 32, writtenMb: 64, tempMb: 32 },
  balanced: { memoryMb: 512, processes: 64, fileMb: 64, writtenMb: 256, tempMb: 64 },
}

export function confinementOf(policy: PolicyName, { skill, workspace }: Places): Confinement {
  const own = ['.skillwright', 'skillwright.json', 'settings/policy.json', 'later.json', 'later/policy.json']
  const { confinement } = confine(
    { ...ALL[policy], limits: LIMITS[policy] },
    {
      skill,
      workspace,
      sources: [dirname(skill), join(workspace, 'skills')],
      skills: [skill, join(dirname(skill), 'other')],
      own: own.map(name => join(workspace, name)),
    },
  )
  return confinement
}
