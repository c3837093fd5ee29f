// One call from start to end: find → may it run? → validate → execute → envelope → exactly one event. Never throws.
import { randomUUID } from 'node:crypto'
import { fail } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import type { CallEvent, Executor, Outcome, Skill, Snapshot, Tool, ToolCall, ToolResult } from '../types.ts'
import { readFreeForm } from './free-form-call.ts'
import { maskArgs } from './mask-args.ts'
import { isTimeLimit } from './time-limit.ts'
import { validateArgs } from './validate-args.ts'

export type CallScope = {
  readonly snapshot: Snapshot
  readonly executors: readonly Executor[]
  /** Aborted when the runtime closes. */
  readonly closing: AbortSignal
  readonly emit: (event: CallEvent) => void
}

/** Calls one tool. A failure is a result, never a throw. */
export async function callTool(given: ToolCall, scope: CallScope): Promise<ToolResult> {
  const call = toRequest(given)
  const start = performance.now()
  const traceId = call.traceId ?? randomUUID()
  const tool = scope.snapshot.tools.get(call.toolId)
  let attempts = 0

  return finish(await attempt())

  async function attempt(): Promise<Outcome> {
    if (scope.closing.aborted) return closed()
    if (!tool) return notFound(call.toolId, scope.snapshot)
    const skill = scope.snapshot.skills.get(tool.skill)!

    const verdict = mayRun(tool, skill)
    if (verdict) return verdict

    const wrong = checkRequest(call)
    if (wrong) return fail('INVALID_ARGS', wrong, { nextAction: 'Mend the call, then make it again.' })

    const byHand = call.commandLine ? { commandLine: call.commandLine, args: {} } : readFreeForm(tool, call.args)
    const valid = byHand ? { ok: true as const, args: byHand.args } : validateArgs(tool, call.args)
    if (!valid.ok) return valid

    const executor = scope.executors.find(one => one.type === tool.executor.type)!
    attempts = 1
    try {
      const outcome = await executor.execute({
        tool,
        spec: tool.executor,
        skill,
        args: valid.args,
        ...(byHand && { commandLine: byHand.commandLine }),
        timeoutMs: call.timeoutMs ?? tool.timeoutMs,
        signal: call.signal ? AbortSignal.any([call.signal, scope.closing]) : scope.closing,
        callId: randomUUID(),
      })
      return !outcome.ok && outcome.error.code === 'CANCELLED' && scope.closing.aborted ? closed() : outcome
    } catch (error) {
      const message = `Skillwright failed: ${error instanceof Error ? error.message : String(error)}`
      return fail('INTERNAL', message, { nextAction: 'Report this as a fault of Skillwright.' })
    }
  }

  function finish(outcome: Outcome): ToolResult {
    const latencyMs = Math.round((performance.now() - start) * 1000) / 1000
    const { exitCode, stderr, outputFile } = outcome
    const meta = {
      toolId: call.toolId,
      traceId,
      latencyMs,
      attempts,
      ...(exitCode !== undefined && { exitCode }),
      ...(stderr !== undefined && { stderr }),
      ...(outputFile !== undefined && { outputFile }),
    }
    scope.emit({
      type: 'dynamic_tool.call',
      time: new Date().toISOString(),
      traceId,
      skillId: tool?.skill ?? null,
      toolName: call.toolId,
      executor: tool?.executor.type ?? null,
      attempt: attempts,
      latencyMs,
      status: outcome.ok ? 'ok' : 'error',
      errorCode: outcome.ok ? null : outcome.error.code,
      args: maskArgs(call.commandLine ? { arguments: [...call.commandLine] } : (call.args ?? {}), tool?.inputSchema),
    })
    return outcome.ok ? { ok: true, data: outcome.data, meta } : { ok: false, error: outcome.error, meta }
  }
}

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

function notFound(toolId: string, snapshot: Snapshot): Outcome {
  const refused = snapshot.report.tools.find(one => one.id === toolId && one.status === 'invalid')
  if (refused)
    return fail(refused.code ?? 'TOOL_NOT_FOUND', refused.reason ?? `${toolId} is invalid.`, {
      nextAction: 'Tell the user; this tool cannot be used.',
    })
  const close = nearest(toolId, snapshot.tools.keys())
  return fail('TOOL_NOT_FOUND', `There is no tool ${JSON.stringify(toolId)}.`, {
    hints: close.map(id => `Did you mean ${id}?`),
    nextAction: close.length > 0 ? `Call ${close[0]}, or list the tools.` : 'List the tools, then call one of them.',
  })
}

function mayRun(tool: Tool, skill: Skill): Outcome | undefined {
  if (tool.executor.type !== 'script' || !skill.allowedTools) return undefined
  if (skill.allowedTools.some(allowed => allowed.tool === 'Bash')) return undefined
  const allowed = skill.allowedTools.map(one => one.tool).join(', ') || 'nothing'
  return fail('TOOL_RESTRICTED', `The skill ${skill.id} may not run scripts: it allows ${allowed}, not Bash.`, {
    hints: [`Its author can add Bash to allowed-tools in ${skill.file}.`],
    nextAction: `Follow the skill's instructions without this tool.`,
  })
}

function closed(): Outcome {
  return fail('RUNTIME_CLOSED', 'The runtime is closed.', { nextAction: 'Create a new runtime.' })
}
