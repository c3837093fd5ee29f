// Runs a program for a call, within what its policy allows.
import { join } from 'node:path'
import { isInside } from '../files/inside.ts'
import type { Proxies } from '../network/proxies.ts'
import { confine } from '../policy/confine.ts'
import { enforce } from '../policy/enforce.ts'
import type { Machine } from '../policy/machine.ts'
import { minimalEnvironment } from '../process/environment.ts'
import type { Run, WarmStart } from '../process/run-request.ts'
import type { Confinement } from '../sandbox/confinement.ts'
import type { BinarySpec, BuiltinSpec, ExecuteRequest, Outcome, RanUnder, ScriptSpec } from '../types.ts'
import { boxHints } from './box-hints.ts'
import type { Invocation } from './free-form.ts'
import { type GrantedNetwork, openGrantedNetwork } from './granted-network.ts'
import type { Ran } from './program-outcome.ts'
import { toolEnvironment } from './tool-environment.ts'

export type ProgramRunnerOptions = {
  readonly hostEnv: NodeJS.ProcessEnv
  /** Folder of the files that take output too long to return; made when it is needed. */
  readonly outputs: string
  readonly run: Run
  readonly proxies: Pick<Proxies, 'open'>
  /** What this machine can enforce; probed once. */
  readonly machine: () => Promise<Machine>
  /** Folders that skills come from, also such as do not exist yet. */
  readonly sources: readonly string[]
  /** Files and folders of ours that no program may change. */
  readonly own: readonly string[]
  /** Files and folders that no program may see. */
  readonly hidden: readonly string[]
}

export type Program = {
  readonly command: string
  /** What stands before the arguments of the call. */
  readonly args: readonly string[]
  readonly cwd: 'workspace' | 'skill'
  /** Set when its interpreter may be started before the call. */
  readonly warm?: Pick<WarmStart, 'interpreter' | 'script'> | undefined
  /** The file that is run, wherever it lies. */
  readonly file: string
}

type ProgramRequest = ExecuteRequest<ScriptSpec | BinarySpec> | ExecuteRequest<BuiltinSpec>

/** A refusal when the policy cannot be enforced here. */
export type ProgramRunner = (
  program: Program,
  invocation: Invocation,
  request: ProgramRequest,
) => Promise<Ran | Extract<Outcome, { ok: false }>>

const KEEP_KB = 100
const SPILL_BYTES = 64 * 1024 * 1024

export function createProgramRunner(options: ProgramRunnerOptions): ProgramRunner {
  const env = minimalEnvironment(options.hostEnv)

  return async (program, { argv, stdin, env: fromArgs, secrets }, request) => {
    const plan = await planRun(request)
    if (!plan.ok) return plan
    const { args, skill, workspace, policy, callId, timeoutMs, ending, environment, onUpdate } = request
    // A command of the workspace belongs to no skill and takes its arguments as they stand.
    const own = skill ? toolEnvironment(args, skill.folder) : { env: {}, dispose: () => {} }
    const limits = (stream: 'stdout' | 'stderr') => ({
      keep: (policy.limits.outputKb ?? KEEP_KB) * 1024,
      file: { path: join(options.outputs, `${callId}.${stream}`), bytes: SPILL_BYTES },
    })
    const line = { command: program.command, args: [...program.args, ...argv] }
    const box = plan.confinement && withFiles(plan.confinement, [program.file, own.env['TOOL_ARGS_FILE']])
    const grants = typeof policy.network === 'string' ? [] : policy.network
    let network: GrantedNetwork | undefined
    try {
      if (box && grants.length > 0)
        network = await openGrantedNetwork(options.proxies, { grants, program: line, confinement: box })
      const confinement = network?.confinement ?? box
      const run = await options.run({
        ...(network?.program ?? line),
        cwd: program.cwd === 'skill' && skill ? skill.folder : workspace,
        env: { ...env, ...environment, ...own.env, ...fromArgs },
        ...(stdin !== undefined && { stdin }),
        timeoutMs,
        signal: ending.signal,
        callId,
        stdout: limits('stdout'),
        stderr: limits('stderr'),
        // A warm interpreter has no relay to the proxy.
        ...(program.warm && !network && { warm: { ...program.warm, fixedArgs: program.args.length } }),
        ...(confinement && { confinement }),
        mask: [...new Set([...(secrets ?? []), ...Object.values(environment)])],
        ...(onUpdate && { onText: (stream, text) => onUpdate({ type: 'output', stream, text }) }),
      })
      // The plan's sandbox: a confined program runs in it or not at all, also when it was ended before it began.
      const ranUnder = { ...plan.ranUnder, start: run.start }
      const hints = confinement
        ? [...(network?.hints() ?? []), ...boxHints(run, { policy, confinement, argv, skill: skill?.id })]
        : []
      return { ok: true, run, ranUnder, hints }
    } finally {
      await network?.close()
      own.dispose()
    }
  }

  /** The box that the program runs in, if any, and what of its policy that leaves out. */
  async function planRun({ policy, skill, skills, workspace }: ProgramRequest): Promise<RunPlan> {
    const machine = await options.machine()
    if (!policy.sandbox || machine.sandbox === 'none') return enforce(policy, machine)
    const { confinement, gaps } = confine(policy, {
      ...options,
      workspace,
      skill: skill?.folder ?? workspace,
      skills: foldersOf(skills),
    })
    const plan = enforce(policy, machine, gaps)
    return plan.ok ? { ...plan, confinement } : plan
  }
}

const folders = new WeakMap<ExecuteRequest['skills'], readonly string[]>()

/** The same list as long as the snapshot is the same. */
function foldersOf(skills: ExecuteRequest['skills']): readonly string[] {
  const found = folders.get(skills) ?? [...skills.values()].map(one => one.folder)
  folders.set(skills, found)
  return found
}

/** What is run and what is handed over must be readable, and may lie in a folder that is not. */
function withFiles(confinement: Confinement, files: readonly (string | undefined)[]): Confinement {
  const seen = [...confinement.read, ...confinement.write]
  const isSeen = (file: string) => {
    const around = [...seen, ...confinement.hide].filter(place => isInside(place, file))
    return seen.includes(around.sort((one, other) => other.length - one.length)[0] ?? '')
  }
  const more = files.filter(file => file !== undefined).filter(file => !isSeen(file))
  return { ...confinement, read: [...confinement.read, ...more] }
}

type RunPlan =
  | { readonly ok: true; readonly ranUnder: RanUnder; readonly confinement?: Confinement }
  | Extract<Outcome, { ok: false }>
