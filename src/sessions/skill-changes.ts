// What activating and deactivating makes of a session.
import { toSkillId } from '../skills/skill-name.ts'
import { nearest } from '../text/nearest.ts'
import type { Caller, Snapshot } from '../types.ts'
import { isVisible } from '../visibility.ts'
import { findSkill, toolsOf } from './active-skills.ts'
import type { InlineSkills } from './inline-skills.ts'
import { sessionError } from './session-error.ts'
import type { SessionRecord } from './session-store.ts'

export type SkillChange = {
  /** The same record when nothing changes. */
  readonly next: SessionRecord
  /** Of the tools that came or went. */
  readonly toolIds: readonly string[]
}

export type SkillChangeParts = {
  readonly caller: Caller | undefined
  readonly inline: Pick<InlineSkills, 'check'>
  readonly allowInline: boolean
  readonly dynamicRoles: readonly string[] | undefined
  readonly snapshot: () => Promise<Snapshot>
  readonly lookAt: (record: SessionRecord) => Promise<{ readonly snapshot: Snapshot }>
}

const MAX_INLINE = 32

/** Each throws `SkillInvocationError` when it cannot be done. */
export function createSkillChanges({ caller, inline, allowInline, dynamicRoles, snapshot, lookAt }: SkillChangeParts) {
  return { activate, take, deactivate }

  async function activate(record: SessionRecord, name: string): Promise<SkillChange> {
    const seen = await lookAt(record)
    const skill = findSkill(name, seen.snapshot, caller)
    const isActive = record.activeSkills.includes(skill)
    const next = isActive ? record : { ...record, activeSkills: [...record.activeSkills, skill] }
    return { next, toolIds: toolsOf(skill, seen.snapshot, caller) }
  }

  /** Takes a skill that is handed over as text. */
  async function take(record: SessionRecord, name: string, content: string): Promise<SkillChange> {
    if (!allowInline || !isVisible(dynamicRoles ? { roles: dynamicRoles } : {}, caller))
      throw sessionError('SKILL_REFUSED', 'Skills cannot be handed over here.', {
        nextAction: 'Use one that is there.',
      })
    const skill = await inline.check(name, String(content), await snapshot())
    const others = record.inlineSkills.filter(one => one.id !== skill.id)
    if (others.length >= MAX_INLINE)
      throw sessionError('SKILL_REFUSED', `A session takes ${MAX_INLINE} skills.`, { nextAction: 'Remove one first.' })
    const activeSkills = [...record.activeSkills.filter(one => one !== skill.id), skill.id]
    const next = { ...record, activeSkills, inlineSkills: [...others, skill] }
    return { next, toolIds: toolsOf(skill.id, (await lookAt(next)).snapshot, caller) }
  }

  async function deactivate(record: SessionRecord, name: string): Promise<SkillChange> {
    const skill = [name, toSkillId(name)].find(one => record.activeSkills.includes(one))
    if (skill === undefined)
      throw sessionError('SKILL_NOT_ACTIVE', `The skill ${JSON.stringify(name)} is not active in this session.`, {
        hints: nearest(name, record.activeSkills).map(one => `Did you mean ${one}?`),
        nextAction: 'List the active skills, then choose one of them.',
      })
    const toolIds = toolsOf(skill, (await lookAt(record)).snapshot, caller)
    const activeSkills = record.activeSkills.filter(one => one !== skill)
    const inlineSkills = record.inlineSkills.filter(one => one.id !== skill)
    return { next: { ...record, activeSkills, inlineSkills }, toolIds }
  }
}
