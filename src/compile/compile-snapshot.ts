// Skills and their scripts → one frozen snapshot and the report that goes with it.
import { randomUUID } from 'node:crypto'
import { diagnose } from '../diagnostics.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { LoadedSkills } from '../skills/load-skills.ts'
import { PROMPT_SCHEMA } from '../tools/free-form.ts'
import { readScriptTools } from '../tools/script-tools.ts'
import type { Diagnostic, LeftOut, Skill, Snapshot, Tool, ToolStatus } from '../types.ts'

export type CompileOptions = { readonly timeoutMs: number }

/** Compiles loaded skills. One bad script never removes its siblings. Never throws. */
export async function compileSnapshot(loaded: LoadedSkills, options: CompileOptions): Promise<Snapshot> {
  const tools = new Map<string, Tool>()
  const statuses: ToolStatus[] = []
  const leftOut: LeftOut[] = []
  const diagnostics: Diagnostic[] = [...loaded.diagnostics]
  const saidOf = new Set(loaded.diagnostics.map(diagnostic => diagnostic.file))
  const slice = createTimeSlice()

  for (const skill of loaded.skills.values()) {
    if (skill.modelInvocable) add(promptTool(skill, options))
    const read = readScriptTools(skill, options)
    for (const tool of read.tools) add(tool)
    statuses.push(...read.invalid)
    leftOut.push(...read.leftOut)
    // The walk over the source has told of escaping links already.
    diagnostics.push(...read.diagnostics.filter(one => one.code !== 'script-refused' || !saidOf.has(one.file)))
    if (read.tools.length > 0 && !mayRunScripts(skill)) diagnostics.push(withoutBash(skill))
    if (slice.spent()) await slice.rest()
  }

  const count = (status: ToolStatus['status']) => statuses.filter(one => one.status === status).length
  return deepFreeze({
    id: randomUUID(),
    skills: loaded.skills,
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

  function add(tool: Tool): void {
    tools.set(tool.id, tool)
    statuses.push({ id: tool.id, status: 'ok' })
  }
}

function promptTool(skill: Skill, { timeoutMs }: CompileOptions): Tool {
  return {
    id: skill.id,
    name: skill.name,
    skill: skill.id,
    description: skill.description,
    inputSchema: PROMPT_SCHEMA,
    executor: { type: 'prompt' },
    timeoutMs,
  }
}

const mayRunScripts = (skill: Skill): boolean => skill.allowedTools?.some(({ tool }) => tool === 'Bash') ?? true

function withoutBash(skill: Skill): Diagnostic {
  const message = '`allowed-tools` lacks Bash, so calls of this skill’s scripts are refused.'
  return diagnose(
    'allowed-tools-without-bash',
    { file: skill.file },
    { message, hint: 'Add `Bash`, or remove `allowed-tools`.' },
  )
}

/** Maps cannot be frozen; they are readonly by type and never handed out for writing. */
function deepFreeze<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  const children = value instanceof Map ? value.values() : Object.values(value)
  for (const child of children) if (typeof child === 'object' && child !== null) deepFreeze(child)
  return value
}
