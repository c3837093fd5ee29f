// What holds for one tool of one skill right now: its policy, and whether the skill still is what was approved.
import type { Pin, Trust } from '../trust/trust.ts'
import type { Skill, Tool } from '../types.ts'
import type { Assigned, Assignment } from './assign-policy.ts'

export type Verdict = Assigned & {
  readonly imported: boolean
  readonly pin: Pin
  /** True when the policy wants an approval of the skill as it is now. */
  readonly needsTrust: boolean
}

export type Judge = (tool: Pick<Tool, 'id' | 'skill'>, skill: Skill | undefined) => Promise<Verdict>

export type JudgeParts = {
  readonly assign: Assignment
  readonly trust: Trust
  readonly isImported: (skill: Skill) => boolean
  /** Whether a session was handed the skill as text. */
  readonly isHandedOver: (skill: Skill) => boolean
}

/** Never throws. */
export function createJudge({ assign, trust, isImported, isHandedOver }: JudgeParts): Judge {
  return async (tool, skill) => {
    const imported = skill !== undefined && isImported(skill)
    const pin: Pin = skill ? await trust.pinOf(skill) : { state: 'unpinned' }
    // What was granted was granted to other content.
    const trusted = pin.state === 'pinned' ? pin.record : undefined
    const handedOver = skill !== undefined && isHandedOver(skill)
    const { policy, because } = assign(tool, skill, { imported, handedOver, trust: trusted })
    const isAsApproved = handedOver || pin.state === 'pinned' || (pin.state === 'unpinned' && !imported)
    return { policy, because, imported, pin, needsTrust: policy.changed === 'approve' && !isAsApproved }
  }
}
