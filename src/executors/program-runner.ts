// Runs a program for a call, within the limits that all programs have.
import { join } from 'node:path'
import { minimalEnvironment } from '../process/environment.ts'
import type { Run, RunOutcome, WarmStart } from '../process/run-request.ts'
import type { BinarySpec, ExecuteRequest, ScriptSpec } from '../types.ts'
import type { Invocation } from './free-form.ts'
import { toolEnvironment } from './tool-environment.ts'

export type ProgramRunnerOptions = {
  readonly workspace: string
  readonly hostEnv: NodeJS.ProcessEnv
  /** Folder of the files that take output too long to return; made when it is needed. */
  readonly outputs: string
  readonly run: Run
}

export type Program = {
  readonly command: string
  /** What stands before the arguments of the call. */
  readonly args: readonly string[]
  readonly cwd: 'workspace' | 'skill'
  /** Set when its interpreter may be started before the call. */
  readonly warm?: Pick<WarmStart, 'interpreter' | 'script'> | undefined
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
    { args, skill, callId, timeoutMs, signal, environment, onUpdate },
  ) => {
    const { folder } = skill
    const own = toolEnvironment(args, folder)
    const limits = (stream: 'stdout' | 'stderr') => ({
      keep: KEEP_BYTES,
      file: { path: join(options.outputs, `${callId}.${stream}`), bytes: SPILL_BYTES },
    })
    try {
      return await options.run({
        command: program.command,
        args: [...program.args, ...argv],
        cwd: program.cwd === 'skill' ? folder : options.workspace,
        env: { ...env, ...environment, ...own.env, ...fromArgs },
        ...(stdin !== undefined && { stdin }),
        timeoutMs,
        signal,
        callId,
        stdout: limits('stdout'),
        stderr: limits('stderr'),
        ...(program.warm && { warm: { ...program.warm, fixedArgs: program.args.length } }),
        mask: [...new Set([...(secrets ?? []), ...Object.values(environment)])],
        ...(onUpdate && { onText: (stream, text) => onUpdate({ type: 'output', stream, text }) }),
      })
    } finally {
      own.dispose()
    }
  }
}
