// Skills that a session was handed as text: written to a private folder, compiled like any other, seen by this session alone.
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCompileCache } from '../compile/compile-cache.ts'
import { compileSnapshot } from '../compile/compile-snapshot.ts'
import { deepFreeze } from '../compile/deep-freeze.ts'
import { type ErrorCode, SkillInvocationError, toolError } from '../errors.ts'
import { readHead } from '../skills/read-head.ts'
import { readSkill } from '../skills/read-skill.ts'
import { toValidName } from '../skills/skill-name.ts'
import type { Skill, Snapshot, Tool } from '../types.ts'
import { isStatic } from '../visibility.ts'
import type { InlineSkill } from './session-store.ts'

/** The source of skills that were handed over: nobody has vouched for them. */
export const INLINE_SOURCE = 'inline'

export type InlineOptions = {
  readonly timeoutMs: number
  readonly staticTools: readonly Tool[]
  readonly dynamicRoles?: readonly string[]
}

export type InlineSkills = {
  /** The skill as it can be kept. Throws `SkillInvocationError` when it cannot be taken. */
  check(name: string, content: string, base: Snapshot): Promise<InlineSkill>
  /** The snapshot with these skills; what the base has already stays as it is. */
  over(base: Snapshot, skills: readonly InlineSkill[]): Promise<Snapshot>
  /** Whether a snapshot is one that `over` made. */
  isOver(snapshot: Snapshot): boolean
  /** Removes what was written. */
  dispose(): void
}

const MAX_BYTES = 256 * 1024

export function createInlineSkills(options: InlineOptions): InlineSkills {
  const cache = createCompileCache(options)
  const written = new Map<string, string>()
  const made = new WeakSet<Snapshot>()
  let folder: string | undefined
  let last: { base: Snapshot; key: string; snapshot: Snapshot } | undefined

  return {
    async check(name, content, base) {
      const id = toValidName(String(name))
      const size = Buffer.byteLength(content)
      if (size > MAX_BYTES) throw refused(`The skill has ${size} bytes; ${MAX_BYTES} are the most.`)
      const isTaken = base.skills.has(id) || [...base.tools.values()].some(tool => tool.id === id || tool.skill === id)
      if (isTaken) throw error('SKILL_EXISTS', `There is something called ${id} already.`, 'Give it another name.')

      const trial = createInlineSkills(options)
      try {
        const { report } = await trial.over(base, [{ id, content }])
        const shadowed = report.tools.find(tool => tool.status === 'shadowed' && tool.file?.includes(`/${id}/`))
        if (shadowed) throw error('SKILL_EXISTS', shadowed.reason ?? '', 'Rename the tool in the skill.')
        return { id, content }
      } finally {
        trial.dispose()
      }
    },
    async over(base, skills) {
      if (skills.length === 0) return base
      const key = JSON.stringify(skills)
      if (last?.base === base && last.key === key) return last.snapshot
      const own = new Map(skills.filter(({ id }) => !base.skills.has(id)).map(one => [one.id, provide(one)]))
      const compiled = await compileSnapshot({ ...options, loaded: { skills: own, diagnostics: [] }, cache })
      last = { base, key, snapshot: merge(base, compiled) }
      made.add(last.snapshot)
      return last.snapshot
    },
    isOver: snapshot => made.has(snapshot),
    dispose() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
      written.clear()
    },
  }

  function provide({ id, content }: InlineSkill): Skill {
    folder ??= realpathSync(mkdtempSync(join(tmpdir(), 'skillwright-session-')))
    const own = join(folder, id)
    const file = join(own, 'SKILL.md')
    if (written.get(id) !== content) {
      mkdirSync(own, { recursive: true, mode: 0o700 })
      writeFileSync(file, content, { mode: 0o600 })
      written.set(id, content)
    }
    const { skill, diagnostics } = readSkill({ folder: own, file, within: [] }, INLINE_SOURCE, readHead(file))
    if (!skill) throw refused(diagnostics.map(one => `${one.message} ${one.hint}`).join(' '))
    return { ...skill, id, name: id }
  }
}

function merge(base: Snapshot, { skills, tools, report }: Snapshot): Snapshot {
  const own = [...tools].filter(([id, tool]) => !isStatic(tool) && !base.tools.has(id))
  const isOwn = ({ file, id }: Snapshot['report']['tools'][number]) =>
    file !== undefined || own.some(one => one[0] === id)
  return deepFreeze({
    id: randomUUID(),
    skills: new Map([...base.skills, ...skills]),
    tools: new Map([...base.tools, ...own]),
    report: { ...base.report, tools: [...base.report.tools, ...report.tools.filter(isOwn)] },
  })
}

function refused(message: string): SkillInvocationError {
  return error('SKILL_REFUSED', message, 'Mend the SKILL.md, then hand it over again.')
}

function error(code: ErrorCode, message: string, nextAction: string): SkillInvocationError {
  return new SkillInvocationError(toolError(code, message, { nextAction }))
}
