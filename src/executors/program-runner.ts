// Runs a program for a call, within the limits that all programs have.
import { minimalEnvironment } from '../process/environment.ts'
import { type RunOutcome, runProcess } from '../process/run-process.ts'
import { createMask } from '../text/mask-values.ts'
import type { BinarySpec, ExecuteRequest, ScriptSpec } from '../types.ts'
import type { Invocation } from './free-form.ts'
import { toolEnvironment } from './tool-environment.ts'

export type ProgramRunnerOptions = {
  readonly hostEnv: NodeJS.ProcessEnv
  /** Path of the file that takes output too long to return. */
  readonly outputFile: (name: string) => string
}

export type Program = {
  readonly command: string
  /** What stands before the arguments of the call. */
  readonly args: readonly string[]
  readonly cwd: 'workspace' | 'skill'
}

export type ProgramRunner = (
  program: Program,
  invocation: Invocation,
  request: ExecuteRequest<ScriptSpec | BinarySpec>,
) => Promise<RunOutcome>

const KEEP_BYTES = 100 * 1024
const SPILL_BYTES = 64 * 1024 * 1024

export function createProgramRunner(options: ProgramRunnerOptions): ProgramRunner {
  const env = minimalEnvironment(options.hostEnv)

  return async (
    program,
    { argv, stdin, env: fromArgs, secrets },
    { args, skill, workspace, callId, timeoutMs, signal, onUpdate },
  ) => {
    const { folder } = skill
    const own = toolEnvironment(args, folder)
    const mask = secrets && secrets.size > 0 ? createMask(secrets) : undefined
    const limits = (stream: 'stdout' | 'stderr') => ({
      ...(mask && { mask: mask.stream() }),
      keep: KEEP_BYTES,
      spill: SPILL_BYTES,
      spillFile: () => options.outputFile(`${callId}.${stream}`),
      ...(onUpdate && { onText: (text: string) => onUpdate({ type: 'output', stream, text }) }),
    })
    try {
      return await runProcess({
        command: program.command,
        args: [...program.args, ...argv],
        cwd: program.cwd === 'skill' ? folder : workspace,
        env: { ...env, ...own.env, ...fromArgs },
        ...(stdin !== undefined && { stdin }),
        timeoutMs,
        signal,
        callId,
        stdout: limits('stdout'),
        stderr: limits('stderr'),
      })
    } finally {
      own.dispose()
    }
  }
}
