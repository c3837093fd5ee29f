// Variables of the host for a call: what the tool declares and the host grants, looked up right before it runs.
import { fail } from '../errors.ts'
import { RenderError } from '../templates/render.ts'
import type { Caller, Ending, Outcome, Policy, Tool } from '../types.ts'

/** Where values come from that are not in the environment. Undefined: it does not know this one. */
export type SecretSource = (
  name: string,
  about: { readonly skill: string; readonly tool: string; readonly caller?: Caller },
) => string | undefined | Promise<string | undefined>

export type VariablesOptions = {
  /** Names that every skill may have when it declares them. */
  readonly granted: readonly string[]
  readonly hostEnv: NodeJS.ProcessEnv
  /** Asked before the environment. */
  readonly source?: SecretSource | undefined
  /** Time for all answers of the source. Default: 10 s. */
  readonly timeoutMs?: number
}

/** What a call may know. */
export type CallVariables = {
  /** For templates. Throws `RenderError` with what to do when the tool cannot have it. */
  readonly variable: (name: string) => string
  /** For the environment of a program. */
  readonly environment: Readonly<Record<string, string>>
  /** All values that were looked up. */
  readonly values: readonly string[]
  /** Why the call cannot be made. */
  readonly refusal?: Extract<Outcome, { ok: false }>
}

export type VariablesOf = (
  tool: Tool,
  call: { readonly caller?: Caller; readonly policy?: Pick<Policy, 'name' | 'env'>; readonly ending: Ending },
) => Promise<CallVariables>

type Found = { readonly value: string } | { readonly problem: string }

const SOURCE_TIMEOUT_MS = 10_000

/** Never throws. */
export function createVariables(options: VariablesOptions): VariablesOf {
  const { granted, hostEnv, source, timeoutMs = SOURCE_TIMEOUT_MS } = options

  return async (tool, { caller, policy, ending }) => {
    if (!tool.env) return NOTHING
    const limit = AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)])
    const found = new Map(
      await Promise.all(tool.env.map(async name => [name, await find(name, tool, { caller, policy, limit })] as const)),
    )
    const declared = (tool.variables ?? []).map(variable => ({ ...variable, found: found.get(variable.name)! }))
    const missing = declared.flatMap(({ name, optional, description, found }) =>
      'problem' in found && !optional ? [{ name, problem: found.problem, description }] : [],
    )
    return {
      variable: name => {
        const one = found.get(name)
        if (!one) throw new RenderError(`env:${name} is not declared by ${tool.id}`, 'ENV_NOT_GRANTED')
        if ('problem' in one) throw new RenderError(`env:${name} ${one.problem}`, 'ENV_NOT_GRANTED')
        return one.value
      },
      environment: Object.fromEntries(
        declared.flatMap(({ name, found }) => ('value' in found ? [[name, found.value]] : [])),
      ),
      values: [...found.values()].flatMap(one => ('value' in one ? [one.value] : [])),
      ...(missing.length > 0 && { refusal: refuse(tool, missing) }),
    }
  }

  async function find(
    name: string,
    { id, skill }: Tool,
    {
      caller,
      policy,
      limit,
    }: { caller?: Caller | undefined; policy?: Pick<Policy, 'name' | 'env'> | undefined; limit: AbortSignal },
  ): Promise<Found> {
    const list = policy && policy.env !== 'granted' ? policy.env : granted
    if (!list.includes(name)) {
      const remedy =
        list === granted
          ? `add ${name} to \`env\` of the configuration`
          : `the policy ${policy?.name} does not grant it; \`skillwright trust ${skill} --env ${name}\` does`
      return { problem: `is not granted: ${remedy}` }
    }
    const asked = source
      ? await ask(() => source(name, { skill, tool: id, ...(caller && { caller }) }), limit)
      : undefined
    if (asked instanceof Error) return { problem: `could not be had: ${asked.message}` }
    const value = asked ?? hostEnv[name]
    if (value === undefined) return { problem: 'is not set' }
    return value.includes('\0') ? { problem: 'holds a NUL character' } : { value }
  }
}

const NOTHING: CallVariables = {
  variable: name => {
    throw new RenderError(`env:${name} is not declared by this tool`, 'ENV_NOT_GRANTED')
  },
  environment: {},
  values: [],
}

/** What the source itself says of a failure stays out: it may hold what nobody should read. */
async function ask(source: () => ReturnType<SecretSource>, limit: AbortSignal): Promise<string | undefined | Error> {
  let stop = () => {}
  const late = new Promise<Error>(resolve => {
    stop = () => resolve(new Error('the source of secrets did not answer in time'))
    limit.addEventListener('abort', stop)
    if (limit.aborted) stop()
  })
  try {
    const value: unknown = await Promise.race([Promise.resolve().then(source), late])
    const isUsable = value === undefined || typeof value === 'string' || value instanceof Error
    return isUsable
      ? (value as string | undefined | Error)
      : new Error('the source of secrets gave something else than text')
  } catch {
    return new Error('the source of secrets failed')
  } finally {
    limit.removeEventListener('abort', stop)
  }
}

type Missing = { readonly name: string; readonly problem: string; readonly description?: string | undefined }

function refuse(tool: Tool, missing: readonly Missing[]): Extract<Outcome, { ok: false }> {
  const what = missing.map(({ name, problem }) => `${name} ${problem}`).join('; ')
  const flags = missing.map(({ name }) => `--env ${name}`).join(' ')
  const names = missing.map(({ name }) => JSON.stringify(name)).join(', ')
  return fail('ENV_NOT_GRANTED', `${tool.id} needs variables of the host that it does not have: ${what}.`, {
    hints: [
      ...missing.flatMap(({ name, description }) => (description ? [`${name}: ${description}`] : [])),
      `The user sets and grants them: ${flags} on the command line, \`env: [${names}]\` in the configuration or in createRuntime().`,
    ],
    nextAction: 'Ask the user to grant it, or use another tool.',
  })
}
