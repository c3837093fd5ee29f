// Skills and their tools → one frozen snapshot and the report that goes with it.
import { randomUUID } from 'node:crypto'
import { diagnose } from '../diagnostics.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { LoadedSkills } from '../skills/load-skills.ts'
import type { Diagnostic, LeftOut, Skill, Snapshot, Tool, ToolStatus } from '../types.ts'
import type { CompileCache } from './compile-cache.ts'
import { deepFreeze } from './deep-freeze.ts'

export type SnapshotParts = {
  readonly loaded: LoadedSkills
  readonly cache: CompileCache
  /** Tools that no skill brings. They win over all others. */
  readonly staticTools: readonly Tool[]
  /** Only these roles may use what skills bring; absent: everybody. */
  readonly dynamicRoles?: readonly string[]
}

/** Compiles loaded skills. One bad tool never removes its siblings. Never throws. */
export async function compileSnapshot(parts: SnapshotParts): Promise<Snapshot> {
  const { loaded, cache, staticTools, dynamicRoles } = parts
  const skills = bindSkills(loaded.skills, dynamicRoles)
  const tools = new Map<string, Tool>(staticTools.map(tool => [tool.id, tool]))
  const statuses: ToolStatus[] = staticTools.map(({ id }) => ({ id, status: 'ok' }))
  const leftOut: LeftOut[] = []
  const diagnostics: Diagnostic[] = [...loaded.diagnostics]
  const saidOf = new Set(loaded.diagnostics.map(diagnostic => diagnostic.file))
  const slice = createTimeSlice()

  for (const skill of skills.values()) {
    const compiled = await cache.get(skill)
    for (const tool of compiled.tools) add(tool, skill)
    statuses.push(...compiled.invalid)
    leftOut.push(...compiled.leftOut)
    // The walk over the source has told of escaping links already.
    diagnostics.push(...compiled.diagnostics.filter(one => one.code !== 'script-refused' || !saidOf.has(one.file)))
    if (slice.spent()) await slice.rest()
  }

  const count = (status: ToolStatus['status']) => statuses.filter(one => one.status === status).length
  return deepFreeze({
    id: randomUUID(),
    skills,
    tools,
    report: {
      tools: statuses,
      leftOut,
      diagnostics,
      counts: {
        skills: loaded.skills.size,
        ok: count('ok'),
        invalid: count('invalid'),
        shadowed: count('shadowed'),
        leftOut: leftOut.length,
      },
    },
  })

  function add(tool: Tool, skill: Skill): void {
    const holder = staticTools.find(one => one.id === tool.id || (isDeclared(tool) && one.name === tool.name))
    if (holder) {
      const message = `The static tool ${holder.id} has the name of ${tool.id}.`
      statuses.push({ id: tool.id, status: 'shadowed', reason: message, file: skill.file })
      diagnostics.push(diagnose('tool-shadowed', { file: skill.file }, { message, hint: 'Rename the skill’s tool.' }))
      return
    }
    tools.set(tool.id, withRoles(tool, skill.roles))
    statuses.push({ id: tool.id, status: 'ok' })
  }
}

/** A script is found by its skill's name as well, so that only its whole identity can clash. */
function isDeclared({ origin }: Tool): boolean {
  return origin === 'tool-manifest' || origin === 'frontmatter' || origin === 'scripts-manifest'
}

/** The skills with the roles that all of them are bound to. */
export function bindSkills(
  skills: LoadedSkills['skills'],
  roles: readonly string[] | undefined,
): LoadedSkills['skills'] {
  return roles ? new Map([...skills].map(([id, skill]) => [id, withRoles(skill, roles)])) : skills
}

/** Roles of its own, of its source and of all dynamic tools: each narrows the others. */
function withRoles<Bound extends Tool | Skill>(one: Bound, roles: readonly string[] | undefined): Bound {
  if (!roles) return one
  return { ...one, roles: one.roles ? one.roles.filter(role => roles.includes(role)) : roles }
}
