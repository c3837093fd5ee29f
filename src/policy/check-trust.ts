import { fail } from '../errors.ts'
import type { Json, Outcome, Skill, Tool } from '../types.ts'
import { askApproval, type OnApproval } from './approval.ts'
import { rightsOf } from './describe-policy.ts'
import type { Verdict } from './judge.ts'

export type TrustScope = {
  readonly onApproval?: OnApproval | undefined
  /** The hash of a skill as it is now. */
  readonly hashOf: (skill: Skill) => Promise<string | undefined>
  /** Approves a skill if it still has this hash; tells whether it has. */
  readonly pinAs: (skill: Skill, hash: string | undefined) => Promise<boolean>
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
  { onApproval, hashOf, pinAs }: TrustScope,
): Promise<Extract<Outcome, { ok: false }> | undefined> {
  if (!needsTrust) return undefined
  const about = { kind: 'changed-skill', tool: tool.id, skill: skill.id, args, policy: policy.name } as const
  const asked = await hashOf(skill)
  const refused = await askApproval({ ...about, rights: rightsOf(policy) }, onApproval, signal)
  if (refused) return refused
  const again = (message: string) =>
    fail('TRUST_REQUIRED', message, {
      hints: [`\`skillwright review ${skill.id}\` shows what it can do.`],
      nextAction: 'Call again, and it is asked for as it is now.',
    })
  try {
    // Somebody may have looked at it for minutes: a yes is to what was there when they were asked.
    if (await pinAs(skill, asked)) return undefined
    return again(`The skill ${skill.id} changed while somebody was asked about it, so it does not run.`)
  } catch (error) {
    return again(
      `The approval of ${skill.id} could not be kept: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
