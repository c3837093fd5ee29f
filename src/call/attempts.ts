// One call may take several tries: what may be repeated is repeated after a growing wait, and a dead endpoint rests.
import { fail } from '../errors.ts'
import type { Ending, Outcome, Retry, Tool } from '../types.ts'
import type { Breakers } from './breakers.ts'
import type { Clock } from './clock.ts'

export type AttemptsScope = {
  readonly clock: Clock
  readonly breakers: Breakers
  readonly ending: Ending
  readonly execute: () => Promise<Outcome>
  /** Told before each wait. */
  readonly onRetry: (attempt: number, waitMs: number, outcome: FailedOutcome) => void
}

export type Attempts = {
  readonly outcome: Outcome
  readonly attempts: number
  /** True when the tool itself is in trouble: all tries failed, or it is resting. */
  readonly degraded: boolean
}

type FailedOutcome = Extract<Outcome, { ok: false }>

/** The system's default, for tools that may be repeated and say nothing themselves. */
const DEFAULT_RETRY: Retry = { maxAttempts: 3, backoffMs: 200 }
const MAX_WAIT_MS = 30_000

export async function runAttempts(tool: Tool, scope: AttemptsScope): Promise<Attempts> {
  const hasEndpoint = tool.executor.type === 'http' || tool.executor.type === 'mcp'
  const rest = hasEndpoint ? scope.breakers.restOf(tool.id) : 0
  if (rest > 0) return { outcome: resting(tool, rest), attempts: 0, degraded: true }

  const { maxAttempts, backoffMs } = retryOf(tool)
  for (let attempt = 1; ; attempt++) {
    const outcome = await scope.execute()
    if (outcome.ok || !outcome.again) {
      if (hasEndpoint && hasAnswered(outcome)) scope.breakers.succeeded(tool.id)
      return { outcome, attempts: attempt, degraded: false }
    }
    const waitMs = waitBefore(attempt, backoffMs, outcome, scope.clock)
    if (attempt >= maxAttempts || waitMs > MAX_WAIT_MS || scope.ending.signal.aborted) {
      if (hasEndpoint) scope.breakers.failed(tool.id)
      return { outcome, attempts: attempt, degraded: maxAttempts > 1 || hasEndpoint }
    }
    scope.onRetry(attempt, waitMs, outcome)
    await scope.clock.sleep(waitMs, scope.ending.signal)
  }
}

/** A call that was cancelled, or refused before anything was sent, says nothing about the endpoint. */
function hasAnswered(outcome: Outcome): boolean {
  return outcome.ok || outcome.error.code === 'HTTP_FAILED' || outcome.error.code === 'MCP_FAILED'
}

/** Doubles each time, with up to half taken off by chance, so that callers who failed together do not return together. */
function waitBefore(attempt: number, backoffMs: number, { again }: FailedOutcome, clock: Clock): number {
  const backoff = Math.min(backoffMs * 2 ** (attempt - 1), MAX_WAIT_MS)
  return Math.max(Math.round(backoff * (1 - clock.random() / 2)), again?.afterMs ?? 0)
}

/** Only what its author declared, or what changes nothing the second time, is repeated. */
function retryOf({ retry, annotations, executor }: Tool): Retry {
  if (retry) return retry
  const isSafe = annotations?.readOnly || annotations?.idempotent
  const isSafeRequest = executor.type === 'http' && /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/.test(executor.method)
  return isSafe || (isSafeRequest && annotations?.idempotent !== false)
    ? DEFAULT_RETRY
    : { maxAttempts: 1, backoffMs: 0 }
}

function resting(tool: Tool, restMs: number): FailedOutcome {
  const seconds = Math.ceil(restMs / 1000)
  return fail('TOOL_DEGRADED', `${tool.id} failed several times in a row and rests for ${seconds} s more.`, {
    nextAction: 'Use another tool meanwhile.',
  })
}
