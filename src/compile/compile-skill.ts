// One skill → its tools and all there is to say about them.
import { diagnose } from '../diagnostics.ts'
import { readSkillText } from '../skills/read-body.ts'
import { readDeclarations } from '../tools/declarations.ts'
import { withVariables } from '../tools/declared-variables.ts'
import { PROMPT_SCHEMA } from '../tools/free-form.ts'
import { readScriptTools } from '../tools/script-tools.ts'
import type { Diagnostic, LeftOut, Skill, Tool, ToolStatus } from '../types.ts'

export type CompiledSkill = {
  readonly tools: readonly Tool[]
  readonly invalid: readonly ToolStatus[]
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

export type CompileOptions = { readonly timeoutMs: number }

/** Compiles a skill. One bad tool never removes its siblings. Never throws. */
export function compileSkill(skill: Skill, options: CompileOptions): CompiledSkill {
  const skillText = () => textOf(skill)
  const declared = readDeclarations(skill, { skillText })
  const { variables } = declared
  const scripts = readScriptTools(skill, { ...options, skillText, declared: declared.tools, variables })
  const tools = [...declared.tools, ...scripts.tools].map(tool => withVariables(tool, variables))
  const refusesPrograms = tools.some(runsProgram) && !mayRunPrograms(skill)
  return {
    tools: [...(skill.modelInvocable ? [promptTool(skill, options)] : []), ...tools],
    invalid: [...declared.invalid, ...scripts.invalid],
    leftOut: scripts.leftOut,
    diagnostics: [...declared.diagnostics, ...scripts.diagnostics, ...(refusesPrograms ? [withoutBash(skill)] : [])],
  }
}

/** A file that cannot be read is told of when somebody asks for its body. */
function textOf(skill: Skill): string {
  try {
    return readSkillText(skill.file)
  } catch {
    return ''
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
    origin: 'prompt',
  }
}

const runsProgram = ({ executor }: Tool): boolean => executor.type === 'script' || executor.type === 'binary'

const mayRunPrograms = (skill: Skill): boolean => skill.allowedTools?.some(({ tool }) => tool === 'Bash') ?? true

function withoutBash(skill: Skill): Diagnostic {
  const message = '`allowed-tools` lacks Bash, so calls of this skill’s scripts are refused.'
  return diagnose(
    'allowed-tools-without-bash',
    { file: skill.file },
    { message, hint: 'Add `Bash`, or remove `allowed-tools`.' },
  )
}
