// Runs a file of a skill, or code that stands in a declaration: tool and arguments → process → outcome.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fail } from '../errors.ts'
import { locateScript } from '../files/locate-script.ts'
import type { Interpreters } from '../process/interpreters.ts'
import type { ExecuteRequest, Executor, Outcome, ScriptSpec, Skill, Tool } from '../types.ts'
import { installHint } from './install-hint.ts'
import { buildInvocation } from './invocation.ts'
import { missingRequirement } from './missing-requirement.ts'
import { toOutcome } from './program-outcome.ts'
import type { Program, ProgramRunner } from './program-runner.ts'

export type ScriptExecutorOptions = { readonly run: ProgramRunner; readonly interpreters: Interpreters }

export function createScriptExecutor({ run, interpreters }: ScriptExecutorOptions): Executor<ScriptSpec> {
  return { type: 'script', execute }

  async function execute(request: ExecuteRequest<ScriptSpec>): Promise<Outcome> {
    const { spec, tool, timeoutMs } = request
    const interpreter = await interpreters.find(spec)
    if (!interpreter.found) return missing(spec, interpreter.wanted)

    const built = buildInvocation(spec.convention, request)
    if (!built.ok) return built

    const script = provide(spec, request.skill)
    if (!script.ok) return fail(script.code, script.message, { nextAction: 'Tell the user; this tool cannot be used.' })
    try {
      const args = [...interpreter.args, ...(built.invocation.launcher ?? []), script.path]
      const warm = warmStart(spec, script.path)
      const program = {
        command: interpreter.command,
        args,
        cwd: spec.cwd,
        file: script.path,
        ...(warm && { warm }),
      }
      const ran = await run(program, built.invocation, request)
      if (!ran.ok) return ran
      return toOutcome(ran, { label: spec.file, timeoutMs, explain: stderr => explain(stderr, tool, spec) })
    } finally {
      script.dispose?.()
    }
  }
}

/** Code of a declaration is a new file each time, so there is nothing that could be started ahead. */
function warmStart({ language, inline }: ScriptSpec, script: string): Program['warm'] {
  if (inline !== undefined || (language !== 'python' && language !== 'javascript')) return undefined
  return { interpreter: language === 'python' ? 'python' : 'node', script }
}

/** The script as a file that an interpreter can read. */
function provide(spec: ScriptSpec, skill: Skill): ReturnType<typeof locateScript> & { dispose?: () => void } {
  if (spec.inline === undefined) return locateScript(skill.folder, spec.file)
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-'))
  const path = join(folder, basename(spec.file))
  writeFileSync(path, spec.inline, { mode: 0o600 })
  return { ok: true, path, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

function missing(spec: ScriptSpec, wanted: readonly string[]): Outcome {
  const programs = wanted.join(' or ') || 'an interpreter'
  return fail('INTERPRETER_MISSING', `${spec.file} needs ${programs}, which is not installed here.`, {
    hints: [`Install ${programs}, or put it on the PATH.`],
    nextAction: 'Use another tool, or ask the user to install it.',
  })
}

function explain(stderr: string, tool: Tool, spec: ScriptSpec): ReturnType<typeof fail> | undefined {
  return lacking(stderr, tool, spec) ?? (tool.reading?.interactive ? unanswered(stderr, spec) : undefined)
}

/** The script asked, and its stdin was at its end. */
function unanswered(stderr: string, { file }: ScriptSpec): ReturnType<typeof fail> | undefined {
  if (!/^(?:EOFError\b|Aborted!)/m.test(stderr)) return undefined
  return fail('SCRIPT_FAILED', `${file} asks questions on a terminal, and nobody answers there.`, {
    nextAction: 'Give what it asks for as arguments, if it takes them there; else use another tool.',
  })
}

/** A stack trace about a missing module tells a model little; what to install tells it all. */
function lacking(stderr: string, tool: Tool, spec: ScriptSpec): ReturnType<typeof fail> | undefined {
  const missing = missingRequirement(stderr, spec, tool.reading?.requirements ?? [])
  if (!missing) return undefined
  const message = `${spec.file} needs the ${missing.kind} ${missing.name}, which is not installed here.`
  return fail('REQUIREMENT_MISSING', message, {
    hints: [installHint(missing, spec.language)],
    nextAction: 'Use another tool, or ask the user to install it.',
  })
}
