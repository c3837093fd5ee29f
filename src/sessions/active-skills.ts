// What a session sees of a snapshot. An MCP server is activated like a skill: it brings tools, and there may be many.
import { toSkillId } from '../skills/skill-name.ts'
import { nearest } from '../text/nearest.ts'
import type { Caller, Snapshot, Tool } from '../types.ts'
import { isStatic, isVisible } from '../visibility.ts'
import { sessionError } from './session-error.ts'

export function usableTools({ tools }: Snapshot, caller: Caller | undefined): Tool[] {
  return [...tools.values()].filter(tool => isVisible(tool, caller))
}

/** Whether a session with these active skills sees a tool that its caller may use. */
export function seenWith(activeSkills: readonly string[]): (tool: Tool) => boolean {
  const active = new Set(activeSkills)
  return tool => isStatic(tool) || active.has(tool.skill)
}

export function toolsOf(skill: string, snapshot: Snapshot, caller: Caller | undefined): string[] {
  return usableTools(snapshot, caller)
    .filter(tool => tool.skill === skill && !isStatic(tool))
    .map(tool => tool.id)
}

/** The id of a skill or server of which the caller may use something. Throws `SkillInvocationError`. */
export function findSkill(name: string, snapshot: Snapshot, caller: Caller | undefined): string {
  const known = new Set(usableTools(snapshot, caller).flatMap(tool => (isStatic(tool) ? [] : [tool.skill])))
  const found = [name, toSkillId(name)].find(one => known.has(one))
  if (found !== undefined) return found
  throw sessionError('SKILL_NOT_FOUND', `There is no skill ${JSON.stringify(name)}.`, {
    hints: nearest(name, known).map(one => `Did you mean ${one}?`),
    nextAction: 'List the skills, then choose one of them.',
  })
}
