// The boxes that the attacks are run in: what the policies `strict` and `balanced` make of a skill and a workspace.
import { join } from 'node:path'
import type { Confinement } from '../../src/sandbox/confinement.ts'

export type Places = { readonly skill: string; readonly workspace: string }

export const POLICIES = ['strict', 'balanced'] as const
export type PolicyName = (typeof POLICIES)[number]

export function confinementOf(policy: PolicyName, { skill, workspace }: Places): Confinement {
  const protect = ['.skillwright', 'skillwright.json', 'settings/policy.json', 'later.json', 'later/policy.json'].map(
    name => join(workspace, name),
  )
  const common = { hide: [], protect, network: 'none' } as const
  return policy === 'strict'
    ? {
        ...common,
        read: [skill, workspace],
        write: [],
        limits: { memoryMb: 256, processes: 32, fileMb: 32, writtenMb: 64, tempMb: 32 },
      }
    : {
        ...common,
        read: [skill],
        write: [workspace],
        limits: { memoryMb: 512, processes: 64, fileMb: 64, writtenMb: 256, tempMb: 64 },
      }
}
