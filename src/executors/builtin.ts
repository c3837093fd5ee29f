// Runs a tool of the program's own in the workspace of the call.
import { constants } from 'node:os'
import { BuiltinError, toFailure } from '../builtins/builtin.ts'
import { BUILTINS } from '../builtins/builtins.ts'
import { hiddenFrom } from '../builtins/protection.ts'
import { fail } from '../errors.ts'
import { isInside } from '../files/inside.ts'
import type { Interpreters } from '../process/interpreters.ts'
import type { BuiltinSpec, ExecuteRequest, Executor, Json, Outcome } from '../types.ts'
import { type Ran, toOutcome } from './program-outcome.ts'
import type { ProgramRunner } from './program-runner.ts'

export type BuiltinExecutorOptions = {
  readonly run: ProgramRunner
  readonly interpreters: Interpreters
  /** Why a path in a workspace must not be changed. */
  readonly protection: (path: string, root: string) => string | undefined
  /** Files and folders that tools do not see. */
  readonly hidden: readonly string[]
  /** Folder of the files that take output too long to return. */
  readonly outputs: string
}

export function createBuiltinExecutor({
  run,
  interpreters,
  protection,
  hidden,
  outputs,
}: BuiltinExecutorOptions): Executor<BuiltinSpec> {
  return {
    type: 'builtin',
    async execute(request) {
      const { spec, args, ending, timeoutMs, workspace: root } = request
      const { signal } = ending
      try {
        const answer = await BUILTINS[spec.name].run(args, {
          workspace: {
            root,
            protection: path => forbidden(path, request) ?? protection(path, root),
            hidden: hiddenFrom(root, hidden),
            outputs,
          },
          signal,
          deadline: performance.now() + timeoutMs,
          shell: (command, limit) => shell(command, { ...request, timeoutMs: limit }),
        })
        return isOutcome(answer) ? answer : { ok: true, data: answer }
      } catch (error) {
        if (error instanceof BuiltinError) return toFailure(error)
        if (!signal.aborted) throw error
        return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
      }
    },
  }

  async function shell(command: string, request: ExecuteRequest<BuiltinSpec>): Promise<Outcome> {
    const program = await interpreters.find({ language: 'shell' })
    if (!program.found)
      return fail('INTERPRETER_MISSING', 'There is no shell here.', { nextAction: 'Use the other tools.' })
    // One stream for both, so that lines stand in the order they were written.
    const line = [...program.args, '-c', `exec 2>&1; ${command}`]
    const { command: shell } = program
    const ran = await run({ command: shell, args: line, cwd: 'workspace', file: shell }, { argv: [] }, request)
    return ran.ok ? toShellOutcome(ran, request.timeoutMs) : ran
  }
}

/** What a command wrote is its result as it stands, also when it failed: models read it like people do. */
function toShellOutcome(ran: Ran, timeoutMs: number): Outcome {
  const { end, stdout, stderr } = ran.run
  if (end.how !== 'exited' && end.how !== 'signalled') return toOutcome(ran, { label: 'The command', timeoutMs })
  const text = [stdout.text, stderr.text].filter(Boolean).join('\n').trimEnd()
  const rest = { ranUnder: ran.ranUnder, ...(stdout.file !== undefined && { outputFile: stdout.file }) }
  if (end.how === 'exited' && end.code === 0) return { ok: true, data: text, exitCode: 0, ...rest }
  const [how, exitCode] =
    end.how === 'exited' ? [`exit code ${end.code}`, end.code] : [end.signal, 128 + constants.signals[end.signal]]
  const failure = fail('SCRIPT_FAILED', `The command ended with ${how}.${text && `\n${text}`}`, {
    nextAction: 'Read what it wrote, then mend the command.',
  })
  return { ...failure, exitCode, ...rest }
}

/** The rules for programs hold for built-ins that change files too. */
function forbidden(path: string, { policy, workspace }: ExecuteRequest<BuiltinSpec>): string | undefined {
  const places = policy.write
    .filter(place => place !== 'skill')
    .map(place => (place === 'workspace' ? workspace : place))
  return places.some(place => isInside(place, path))
    ? undefined
    : `the policy ${policy.name} does not let tools write there`
}

function isOutcome(answer: Json | Outcome): answer is Outcome {
  return typeof answer === 'object' && answer !== null && 'ok' in answer
}
