// One call from start to end: find → policy → may it run? → validate → approval → attempts → envelope → exactly one event
// `call`. Never throws.
import { randomUUID } from 'node:crypto'
import { fail } from '../errors.ts'
import { checkAllowedTools } from '../policy/allowed-commands.ts'
import { type ApprovalRequest, askApproval } from '../policy/approval.ts'
import { checkCalls } from '../policy/check-calls.ts'
import { checkTrust, type TrustScope } from '../policy/check-trust.ts'
import { rightsOf } from '../policy/describe-policy.ts'
import type { Judge } from '../policy/judge.ts'
import type { KnownSecrets } from '../text/known-secrets.ts'
import type { Mask } from '../text/mask-values.ts'
import { nearest } from '../text/nearest.ts'
import type {
  Caller,
  Ending,
  ExecuteRequest,
  Executor,
  Json,
  Outcome,
  Policy,
  RanUnder,
  Skill,
  Snapshot,
  Tool,
  ToolCall,
  ToolError,
  ToolEvent,
  ToolResult,
} from '../types.ts'
import { isVisible } from '../visibility.ts'
import { type Attempts, runAttempts } from './attempts.ts'
import type { Breakers } from './breakers.ts'
import type { Clock } from './clock.ts'
import { readFreeForm } from './free-form-call.ts'
import { linkSignals } from './link-signals.ts'
import { maskArgs } from './mask-args.ts'
import { isTimeLimit } from './time-limit.ts'
import { validateArgs } from './validate-args.ts'

export type CallScope = TrustScope & {
  readonly snapshot: Snapshot
  readonly executors: readonly Executor[]
  /** Aborted when the runtime closes. */
  readonly closing: AbortSignal
  readonly emit: (event: ToolEvent) => void
  /** Which policy holds for a tool, and whether its skill is what was approved. */
  readonly judge: Judge
  /** Looks up the variables of the host that a tool asks for and may have. */
  readonly variables: (
    tool: Tool,
    call: { readonly caller?: Caller; readonly policy: Policy; readonly ending: Ending },
  ) => Promise<Variables>
  /** Secrets that must not show anywhere; those of this call are added. */
  readonly known: KnownSecrets
  readonly clock: Clock
  readonly breakers: Breakers
  /** Real path of the folder that the call works in. */
  readonly workspace: string
  /** Who makes the call, when it is made in a session. */
  readonly session?: CallSession
  /** Values that the arguments may hold and the audit may not. */
  readonly secrets?: ReadonlySet<string>
  /** How many calls this one is made by. */
  readonly depth?: number
}

type Variables = Pick<ExecuteRequest, 'variable' | 'environment'> & {
  readonly values: readonly string[]
  readonly refusal?: Outcome
}

export type CallSession = {
  readonly id: string
  /** Aborted when the session ends. */
  readonly closing: AbortSignal
  /** Which tools it sees. Absent: all that its caller may use. */
  readonly sees?: (tool: Tool) => boolean
}

/** Tools that call tools end here; deeper chains are loops in all likelihood. */
const MAX_DEPTH = 8

/** Calls one tool. A failure is a result, never a throw. */
export async function callTool(given: ToolCall, scope: CallScope): Promise<ToolResult> {
  const call = toRequest(given)
  const start = scope.clock.now()
  const traceId = call.traceId ?? randomUUID()
  const found = scope.snapshot.tools.get(call.toolId)
  // What a caller may not use does not exist for them.
  const usable = found && isVisible(found, call.caller) ? found : undefined
  const tool = usable && (scope.session?.sees?.(usable) ?? true) ? usable : undefined
  const secrets = new Set(scope.secrets)
  const ending = linkSignals([call.signal, scope.session?.closing, scope.closing])
  const { outcome, attempts, degraded } = await attempt().finally(ending.release)
  return finish()

  async function attempt(): Promise<Attempts> {
    const ended = whenClosed(scope)
    if (ended) return refuse(ended)
    if ((scope.depth ?? 0) > MAX_DEPTH) return refuse(looping(call.toolId))
    if (!tool) return refuse(usable ? notActive(usable) : notFound(call, scope))
    const skill = scope.snapshot.skills.get(tool.skill)

    const verdict = await scope.judge(tool, skill)
    const { policy } = verdict
    const restricted = checkAllowedTools(policy, tool, skill) ?? checkCalls(policy, tool, scope.snapshot)
    if (restricted) return refuse(restricted)
    const untrusted = skill && (await checkTrust(verdict, aboutSkill(skill, tool), scope))
    if (untrusted) return refuse(untrusted)

    const wrong = checkRequest(call)
    if (wrong) return refuse(fail('INVALID_ARGS', wrong, { nextAction: 'Mend the call, then make it again.' }))

    const byHand = call.commandLine ? { commandLine: call.commandLine, args: {} } : readFreeForm(tool, call.args)
    const valid = byHand ? { ok: true as const, args: byHand.args } : validateArgs(tool, call.args)
    if (!valid.ok) return refuse(valid)

    const needed = approvalFor(tool, policy)
    const refused = needed && (await ask(needed, tool, policy))
    if (refused) return refuse(refused)
    // Whoever was asked may have taken minutes, in which the skill may have changed.
    const now = needed ? await scope.judge(tool, skill) : verdict
    if (needed && now.needsTrust && skill) {
      const changed = await checkTrust(now, aboutSkill(skill, tool), { ...scope, onApproval: undefined })
      if (changed) return refuse(changed)
    }

    const given = { ...(byHand && { commandLine: byHand.commandLine }), args: valid.args }
    const execute = () => executeOnce(tool, { skill, policy: now.policy, ...given })
    const { clock, breakers } = scope
    return runAttempts(tool, { clock, breakers, ending, execute, onRetry })
  }

  function aboutSkill(skill: Skill, tool: Tool) {
    return { skill, tool, args: maskedArgs(), signal: ending.signal }
  }

  function ask(kind: ApprovalRequest['kind'], tool: Tool, policy: Policy) {
    const about = { kind, tool: tool.id, skill: tool.skill, policy: policy.name, rights: rightsOf(policy) }
    return askApproval({ ...about, args: maskedArgs() }, scope.onApproval, ending.signal)
  }

  async function executeOnce(tool: Tool, { skill, policy, args, commandLine }: OneTry): Promise<Outcome> {
    const executor = scope.executors.find(one => one.type === tool.executor.type)!
    try {
      const { variable, environment, values, refusal } = await scope.variables(tool, {
        policy,
        ending,
        ...callerOf(call),
      })
      if (refusal) return refusal
      scope.known.add(values)
      for (const value of values) secrets.add(value)
      const { onUpdate } = call
      const outcome = await executor.execute({
        tool,
        spec: tool.executor,
        skill,
        args,
        ...(commandLine && { commandLine }),
        policy,
        skills: scope.snapshot.skills,
        timeoutMs: Math.min(
          call.timeoutMs ?? tool.timeoutMs,
          (policy.limits.timeSec ?? Number.POSITIVE_INFINITY) * 1000,
        ),
        ending,
        callId: randomUUID(),
        workspace: scope.workspace,
        variable,
        environment,
        callOther,
        ...(onUpdate && { onUpdate: update => onUpdate(scope.known.mask(secrets).data(update)) }),
      })
      const ended = !outcome.ok && outcome.error.code === 'CANCELLED' ? whenClosed(scope) : undefined
      return ended ?? { ...outcome, ...ranUnder(tool, policy, outcome) }
    } catch (error) {
      const message = `Skillwright failed: ${error instanceof Error ? error.message : String(error)}`
      return fail('INTERNAL', message, { nextAction: 'Report this as a fault of Skillwright.' })
    }
  }

  /** A call made by a tool belongs to the same trace and sees the same snapshot, all of it that the caller may use. */
  async function callOther(other: ToolCall, passedOn: ReadonlySet<string>): Promise<ToolResult> {
    const own = scope.snapshot.tools.get(other.toolId)?.timeoutMs ?? Number.POSITIVE_INFINITY
    const timeoutMs = Math.min(own, other.timeoutMs ?? own)
    return callTool(
      { ...other, traceId, timeoutMs, ...callerOf(call) },
      {
        ...scope,
        depth: (scope.depth ?? 0) + 1,
        secrets: new Set([...secrets, ...passedOn]),
        ...(scope.session && { session: { id: scope.session.id, closing: scope.session.closing } }),
      },
    )
  }

  function onRetry(attempt: number, waitMs: number, { error }: Extract<Outcome, { ok: false }>): void {
    emit({ type: 'dynamic_tool.retry', attempt, waitMs, errorCode: error.code, status: 'error' })
  }

  function finish(): ToolResult {
    // What executors have not masked: words of other tools, of validators and of the system.
    const mask = scope.known.mask(secrets)
    const { exitCode, stderr, outputFile, ranUnder } = outcome
    const meta = {
      toolId: mask.text(call.toolId),
      traceId,
      latencyMs: elapsed(),
      attempts,
      ...(exitCode !== undefined && { exitCode }),
      ...(stderr !== undefined && { stderr: mask.text(stderr) }),
      ...(outputFile !== undefined && { outputFile }),
      ...(ranUnder && { ranUnder: mask.data({ ...ranUnder }) as RanUnder }),
    }
    const errorCode = outcome.ok ? null : outcome.error.code
    if (errorCode && attempts > 0) emit({ type: 'dynamic_tool.failed', attempt: attempts, errorCode, status: 'error' })
    if (errorCode && degraded) emit({ type: 'dynamic_tool.degraded', attempt: attempts, errorCode, status: 'error' })
    emit({
      type: 'dynamic_tool.call',
      attempt: attempts,
      status: outcome.ok ? 'ok' : 'error',
      // The caller is told that there is no such tool; whoever reads the audit wants to know.
      errorCode: found && !usable ? 'NOT_AUTHORIZED' : errorCode,
      args: maskedArgs(),
      ranUnder: ranUnder ?? null,
    })
    return outcome.ok
      ? { ok: true, data: mask.data(outcome.data), meta }
      : { ok: false, error: maskError(outcome.error, mask), meta }
  }

  function maskedArgs(): Json {
    const given = call.commandLine ? { arguments: [...call.commandLine] } : (call.args ?? {})
    return scope.known.mask(secrets).data(maskArgs(given, tool?.inputSchema))
  }

  function emit(event: EventDetails): void {
    scope.emit({
      time: new Date().toISOString(),
      traceId,
      sessionId: scope.session?.id ?? null,
      callerId: call.caller?.id ?? null,
      skillId: found?.skill ?? null,
      toolName: call.toolId,
      executor: found?.executor.type ?? null,
      latencyMs: elapsed(),
      // Not first: engines take ten times as long to add single fields to a copy.
      ...event,
    } as ToolEvent)
  }

  function elapsed(): number {
    return Math.round((scope.clock.now() - start) * 1000) / 1000
  }
}

type OneTry = Pick<ExecuteRequest, 'skill' | 'policy' | 'args' | 'commandLine'>

type EventDetails = ToolEvent extends infer Event
  ? Event extends ToolEvent
    ? Omit<Event, 'time' | 'traceId' | 'sessionId' | 'callerId' | 'skillId' | 'toolName' | 'executor' | 'latencyMs'>
    : never
  : never

const callerOf = ({ caller }: ToolCall): { readonly caller?: Caller } => (caller ? { caller } : {})

function maskError({ code, message, hints, nextAction }: ToolError, { text }: Mask): ToolError {
  return { code, message: text(message), hints: hints.map(text), nextAction: text(nextAction) }
}

const refuse = (outcome: Outcome): Attempts => ({ outcome, attempts: 0, degraded: false })

/** JavaScript callers may hand over anything; what has no id is a call of the tool with an empty one. */
function toRequest(call: unknown): ToolCall {
  const request = typeof call === 'object' && call !== null ? (call as ToolCall) : { toolId: '' }
  return typeof request.toolId === 'string' ? request : { ...request, toolId: '' }
}

function checkRequest({ args, commandLine, timeoutMs }: ToolCall): string | undefined {
  const isTexts =
    commandLine === undefined || (Array.isArray(commandLine) && commandLine.every(one => typeof one === 'string'))
  if (!isTexts) return 'commandLine must be a list of texts.'
  if (timeoutMs !== undefined && !isTimeLimit(timeoutMs)) return `timeoutMs: ${timeoutMs} is no time limit.`
  try {
    JSON.stringify(args)
    return undefined
  } catch (error) {
    return `The arguments are not JSON: ${error instanceof RangeError ? 'nested too deeply' : (error as Error).message}.`
  }
}

function notFound({ toolId, caller }: ToolCall, { snapshot, session }: CallScope): Outcome {
  const refused = snapshot.report.tools.find(one => one.id === toolId && one.status === 'invalid')
  if (refused)
    return fail(refused.code ?? 'TOOL_NOT_FOUND', refused.reason ?? `${toolId} is invalid.`, {
      nextAction: 'Tell the user; this tool cannot be used.',
    })
  const sees = session?.sees ?? (() => true)
  const visible = [...snapshot.tools.values()].filter(tool => isVisible(tool, caller) && sees(tool))
  const close = nearest(
    toolId,
    visible.map(tool => tool.id),
  )
  return fail('TOOL_NOT_FOUND', `There is no tool ${JSON.stringify(toolId)}.`, {
    hints: close.map(id => `Did you mean ${id}?`),
    nextAction: close.length > 0 ? `Call ${close[0]}, or list the tools.` : 'List the tools, then call one of them.',
  })
}

function notActive({ id, skill }: Tool): Outcome {
  return fail('TOOL_NOT_FOUND', `The session has no tool ${JSON.stringify(id)}: the skill ${skill} is not active.`, {
    hints: [`useSkill(${JSON.stringify(skill)}) activates it.`],
    nextAction: `Activate the skill ${skill}, then call again.`,
  })
}

function approvalFor({ annotations }: Tool, { approval }: Policy): ApprovalRequest['kind'] | undefined {
  if (approval === 'always') return 'always'
  return approval === 'destructive' && annotations?.destructive === true ? 'destructive' : undefined
}

/** Programs tell themselves, since only they can run in a sandbox; one that did not start ran under nothing. */
function ranUnder({ executor }: Tool, policy: Policy, outcome: Outcome): { readonly ranUnder?: RanUnder } {
  if (outcome.ranUnder || executor.type === 'script' || executor.type === 'binary') return {}
  return { ranUnder: { policy: policy.name, sandbox: 'none', start: 'cold' } }
}

function looping(toolId: string): Outcome {
  return fail('STEP_FAILED', `${toolId} is reached through more than ${MAX_DEPTH} tools: they call each other.`, {
    nextAction: 'Use another tool.',
  })
}

function whenClosed({ closing, session }: CallScope): Outcome | undefined {
  if (closing.aborted) return fail('RUNTIME_CLOSED', 'The runtime is closed.', { nextAction: 'Create a new runtime.' })
  if (!session?.closing.aborted) return undefined
  return fail('SESSION_CLOSED', 'The session is closed or has expired.', { nextAction: 'Open a new session.' })
}
