import type { Json, Outcome, Skill, Tool } from '../types.ts'
import { askApproval, type OnApproval } from './approval.ts'
import { rightsOf } from './describe-policy.ts'
import type { Verdict } from './judge.ts'

export type TrustScope = {
  readonly onApproval?: OnApproval
  /** Approves a skill as it is now. */
  readonly pin: (skill: Skill) => Promise<unknown>
}

type AboutCall = {
  readonly skill: Skill
  readonly tool: Pick<Tool, 'id'>
  readonly args: Json
  readonly signal: AbortSignal
}

/** Why a skill that is not what was approved may not be used. A yes of whoever is asked approves it as it is now. */
export async function checkTrust(
  { needsTrust, policy }: Verdict,
  { skill, tool, args, signal }: AboutCall,
  { onApproval, pin }: TrustScope,
): Promise<Extract<Outcome, { ok: false }> | undefined> {
  if (!needsTrust) return undefined
  const about = { kind: 'changed-skill', tool: tool.id, skill: skill.id, args, policy: policy.name } as const
  const refused = await askApproval({ ...about, rights: rightsOf(policy) }, onApproval, signal)
  if (!refused) await pin(skill)
  return refused
}
