// Runs a file of a skill: tool and arguments → argv, stdin and environment → process → outcome.
import { constants } from 'node:os'
import { fail } from '../errors.ts'
import { locateScript } from '../files/locate-script.ts'
import { minimalEnvironment } from '../process/environment.ts'
import type { Interpreters } from '../process/interpreters.ts'
import { type RunOutcome, runProcess } from '../process/run-process.ts'
import type { ExecuteRequest, Executor, Outcome, ScriptSpec, Tool } from '../types.ts'
import { type BuiltCommandLine, buildCommandLine } from './command-line.ts'
import { buildFreeForm } from './free-form.ts'
import { installHint } from './install-hint.ts'
import { missingRequirement } from './missing-requirement.ts'
import { buildPythonFunction } from './python-function.ts'
import { readFailure, readStdout } from './read-stdout.ts'
import { toolEnvironment } from './tool-environment.ts'

export type ScriptExecutorOptions = {
  readonly workspace: string
  readonly interpreters: Interpreters
  readonly hostEnv: NodeJS.ProcessEnv
  /** Path of the file that takes output too long to return. */
  readonly outputFile: (name: string) => string
}

const KEEP_BYTES = 100 * 1024
const SPILL_BYTES = 64 * 1024 * 1024
/** What of stderr goes into an error message; all of it is in the result's meta. */
const STDERR_IN_MESSAGE = 2000

export function createScriptExecutor(options: ScriptExecutorOptions): Executor<ScriptSpec> {
  const env = minimalEnvironment(options.hostEnv)

  return { type: 'script', execute }

  async function execute(request: ExecuteRequest<ScriptSpec>): Promise<Outcome> {
    const { spec, skill, args, callId } = request
    const script = locateScript(skill.folder, spec.file)
    if (!script.ok) return fail(script.code, script.message, { nextAction: 'Tell the user; this tool cannot be used.' })

    const interpreter = await options.interpreters.find(spec)
    if (!interpreter.found) return missing(spec, interpreter.wanted)

    const built = buildInvocation(request)
    if (!built.ok) return fail('INVALID_ARGS', built.message, { nextAction: 'Mend the arguments, then call again.' })
    const { launcher = [], argv, stdin } = built.invocation
    const own = toolEnvironment(args, skill.folder)
    const limits = (stream: string) => ({
      keep: KEEP_BYTES,
      spill: SPILL_BYTES,
      spillFile: () => options.outputFile(`${callId}.${stream}`),
    })
    try {
      const run = await runProcess({
        command: interpreter.command,
        args: [...interpreter.args, ...launcher, script.path, ...argv],
        cwd: spec.cwd === 'skill' ? skill.folder : options.workspace,
        env: { ...env, ...own.env, ...built.invocation.env },
        ...(stdin !== undefined && { stdin }),
        timeoutMs: request.timeoutMs,
        signal: request.signal,
        callId,
        stdout: limits('stdout'),
        stderr: limits('stderr'),
      })
      return toOutcome(run, request)
    } finally {
      own.dispose()
    }
  }
}

function buildInvocation({ spec, args, commandLine }: ExecuteRequest<ScriptSpec>): BuiltCommandLine {
  const { convention } = spec
  if (commandLine) {
    const words = convention.type === 'command-line' ? convention.command : []
    const stdin = args['data'] === undefined ? {} : { stdin: JSON.stringify(args['data']) }
    return { ok: true, invocation: { argv: [...words, ...commandLine], ...stdin } }
  }
  switch (convention.type) {
    case 'free-form':
      return { ok: true, invocation: buildFreeForm(args) }
    case 'python-function':
      return { ok: true, invocation: buildPythonFunction(convention, args) }
    case 'command-line':
      return buildCommandLine(convention, args)
  }
}

function missing(spec: ScriptSpec, wanted: readonly string[]): Outcome {
  const programs = wanted.join(' or ') || 'an interpreter'
  return fail('INTERPRETER_MISSING', `${spec.file} needs ${programs}, which is not installed here.`, {
    hints: [`Install ${programs}, or put it on the PATH.`],
    nextAction: 'Use another tool, or ask the user to install it.',
  })
}

function toOutcome(run: RunOutcome, { spec, tool, timeoutMs }: ExecuteRequest<ScriptSpec>): Outcome {
  const stderr = run.stderr.text.trimEnd()
  const rest = {
    ...(stderr && { stderr }),
    ...(run.stdout.file !== undefined && { outputFile: run.stdout.file }),
  }
  switch (run.end.how) {
    case 'exited': {
      if (run.end.code !== 0)
        return {
          ...(lacking(run, tool, spec) ?? failed(spec, `exit code ${run.end.code}`, run)),
          ...rest,
          exitCode: run.end.code,
        }
      const result = readStdout(run.stdout.text, run.stdout.file)
      if (result.ok) return { ...result, ...rest, exitCode: 0 }
      const nextAction = 'Mend the arguments as the message says, then call again.'
      return { ...fail('SCRIPT_FAILED', result.message, { nextAction }), ...rest, exitCode: 0 }
    }
    case 'signalled':
      return {
        ...failed(spec, `signal ${run.end.signal}`, run),
        ...rest,
        exitCode: 128 + constants.signals[run.end.signal],
      }
    case 'timeout': {
      const message = `${spec.file} did not end within ${timeoutMs / 1000} s and was stopped.`
      const nextAction = 'Give it less to do, or call it with a longer timeout.'
      return { ...fail('SCRIPT_TIMEOUT', withDetail(message, stderr), { nextAction }), ...rest, exitCode: 124 }
    }
    case 'cancelled':
      return {
        ...fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' }),
        ...rest,
      }
    case 'not-started':
      return notStarted(run.end.error)
  }
}

function failed(spec: ScriptSpec, how: string, run: RunOutcome): ReturnType<typeof fail> {
  const reason = readFailure(run.stdout.text) ?? run.stdout.text.trim()
  const said = [reason, run.stderr.text.trim()].filter(Boolean).join('\n')
  return fail('SCRIPT_FAILED', withDetail(`${spec.file} ended with ${how}.`, said), {
    nextAction: 'Read what the script wrote, mend the arguments, then call again.',
  })
}

/** A stack trace about a missing module tells a model little; what to install tells it all. */
function lacking(run: RunOutcome, tool: Tool, spec: ScriptSpec): ReturnType<typeof fail> | undefined {
  const missing = missingRequirement(run.stderr.text, spec, tool.reading?.requirements ?? [])
  if (!missing) return undefined
  const message = `${spec.file} needs the ${missing.kind} ${missing.name}, which is not installed here.`
  return fail('REQUIREMENT_MISSING', message, {
    hints: [installHint(missing, spec.language)],
    nextAction: 'Use another tool, or ask the user to install it.',
  })
}

function withDetail(message: string, detail: string): string {
  if (!detail) return message
  const tail = detail.length > STDERR_IN_MESSAGE ? `…${detail.slice(-STDERR_IN_MESSAGE)}` : detail
  return `${message}\n${tail}`
}

function notStarted(error: NodeJS.ErrnoException): Outcome {
  if (error.code === 'E2BIG')
    return fail('ARGS_TOO_LARGE', 'The command line is longer than the system takes.', {
      hints: ['One argument may have 128 KiB.'],
      nextAction: 'Pass large values as `data`, or write them to a file and pass its path.',
    })
  if (error.code === 'ERR_INVALID_ARG_VALUE')
    return fail('INVALID_ARGS', 'An argument contains a NUL character.', { nextAction: 'Remove it, then call again.' })
  return fail('SPAWN_FAILED', `The process could not be started (${error.code ?? error.message}).`, {
    hints: error.code === 'ENOENT' ? ['The workspace folder may be gone.'] : [],
    nextAction: 'Try again later, or tell the user.',
  })
}
