// Runs a program: an installed one, a file of the skill, or one that is downloaded once and checked.
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fail } from '../errors.ts'
import { locateScript } from '../files/locate-script.ts'
import type { Interpreters } from '../process/interpreters.ts'
import type { BinarySpec, ExecuteRequest, Executor, Outcome } from '../types.ts'
import { buildInvocation } from './invocation.ts'
import { mayReach } from './may-reach.ts'
import type { ProgramCache } from './program-cache.ts'
import { toOutcome } from './program-outcome.ts'
import type { ProgramRunner } from './program-runner.ts'

export type BinaryExecutorOptions = {
  readonly run: ProgramRunner
  readonly interpreters: Pick<Interpreters, 'locate'>
  readonly cache: ProgramCache
}

type Found = { readonly ok: true; readonly path: string } | Extract<Outcome, { ok: false }>

export function createBinaryExecutor({ run, interpreters, cache }: BinaryExecutorOptions): Executor<BinarySpec> {
  return { type: 'binary', execute }

  async function execute(request: ExecuteRequest<BinarySpec>): Promise<Outcome> {
    const { spec, timeoutMs } = request
    const built = buildInvocation(spec.convention, request)
    if (!built.ok) return built
    const program = await find(request)
    if (!program.ok) return program
    const ran = await run(
      { command: program.path, args: [], cwd: spec.cwd, file: program.path },
      built.invocation,
      request,
    )
    if (!ran.ok) return ran
    return toOutcome(ran, { label: 'path' in spec.program ? spec.program.path : request.tool.name, timeoutMs })
  }

  async function find(request: ExecuteRequest<BinarySpec>): Promise<Found> {
    const { skill, ending, onUpdate } = request
    const { program } = request.spec
    if ('url' in program)
      return cache.get(program, {
        signal: ending.signal,
        mayReach: mayReach(request.policy, request.tool),
        ...(onUpdate && { onUpdate }),
      })
    const { path } = program
    if (isAbsolute(path)) return check(path, path)
    if (!path.includes('/')) {
      const installed = await interpreters.locate(path)
      return installed === undefined ? missing(path) : check(installed, path)
    }
    const own = locateScript(skill.folder, path)
    if (!own.ok) return fail(own.code, own.message, { nextAction: 'Tell the user; this tool cannot be used.' })
    return isExecutable(own.path) ? own : missing(`${path}, as an executable file (chmod +x)`)
  }
}

/** An installed program may be used unless it would get rights that the caller does not have. */
function check(path: string, shown: string): Found {
  if (!isExecutable(path)) return missing(shown)
  if ((statSync(path).mode & SETUID_OR_SETGID) === 0) return { ok: true, path }
  return fail('SETUID_SCRIPT', `${path} has the setuid or setgid bit.`, {
    nextAction: 'Tell the user; this tool cannot be used.',
  })
}

const SETUID_OR_SETGID = 0o6000

function missing(path: string): Extract<Outcome, { ok: false }> {
  return fail('REQUIREMENT_MISSING', `The tool needs ${path}, which is not installed here.`, {
    hints: [`Install ${path}, or put it on the PATH.`],
    nextAction: 'Use another tool, or ask the user to install it.',
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
