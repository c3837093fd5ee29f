import { expect, test } from 'vitest'
import { runAttempts } from '../../src/call/attempts.ts'
import { createBreakers } from '../../src/call/breakers.ts'
import type { Clock } from '../../src/call/clock.ts'
import { fail } from '../../src/errors.ts'
import type { Outcome, Tool } from '../../src/types.ts'

/** Time that passes only when somebody waits, and chance from a list. */
function makeClock(chances: readonly number[] = [0]) {
  let now = 0
  let draws = 0
  const waits: number[] = []
  const clock: Clock = {
    now: () => now,
    random: () => chances[draws++ % chances.length]!,
    sleep: async ms => {
      waits.push(ms)
      now += ms
    },
  }
  return { clock, waits, pass: (ms: number) => (now += ms) }
}

const HTTP: Tool['executor'] = { type: 'http', method: 'GET', url: 'http://x', headers: {}, body: { as: 'arguments' } }
const tool = (rest: Partial<Tool> = {}): Tool => ({
  id: 's.x',
  name: 'x',
  skill: 's',
  description: '',
  inputSchema: {},
  executor: HTTP,
  timeoutMs: 1000,
  origin: 'tool-manifest',
  ...rest,
})

const down = (afterMs?: number): Outcome => ({
  ...fail('HTTP_FAILED', 'down', { nextAction: '' }),
  again: afterMs === undefined ? {} : { afterMs },
})
const fine: Outcome = { ok: true, data: 1 }

async function run(one: Tool, outcomes: Outcome[], clock = makeClock(), signal = new AbortController().signal) {
  const breakers = createBreakers(clock.clock)
  const execute = async () => outcomes.shift() ?? down()
  const told: number[] = []
  const onRetry = (attempt: number) => told.push(attempt)
  const result = await runAttempts(one, { clock: clock.clock, breakers, ending: { signal }, execute, onRetry })
  return { ...result, waits: clock.waits, told }
}

test('the wait doubles, less what chance takes off', async () => {
  const retry = { maxAttempts: 4, backoffMs: 100 }
  expect(await run(tool({ retry }), [], makeClock([0, 0.5, 0.999]))).toMatchObject({
    attempts: 4,
    degraded: true,
    waits: [100, 150, 200],
    told: [1, 2, 3],
  })
})

test('what the server asks for is waited, unless it is too long', async () => {
  const retry = { maxAttempts: 3, backoffMs: 10 }
  expect((await run(tool({ retry }), [down(5000), fine])).waits).toEqual([5000])
  expect(await run(tool({ retry }), [down(600_000), fine])).toMatchObject({ attempts: 1, waits: [], degraded: true })
})

test.each<[string, Partial<Tool>, number]>([
  ['a GET', {}, 3],
  ['a POST', { executor: { ...HTTP, method: 'POST' } }, 1],
  ['a POST that is idempotent', { executor: { ...HTTP, method: 'POST' }, annotations: { idempotent: true } }, 3],
  ['a GET that is not', { annotations: { idempotent: false } }, 1],
  ['a script', { executor: { type: 'prompt' } }, 1],
  ['a read-only tool', { executor: { type: 'prompt' }, annotations: { readOnly: true } }, 3],
  ['what its author wants repeated', { executor: { type: 'prompt' }, retry: { maxAttempts: 2, backoffMs: 1 } }, 2],
])('%s is tried as often as is safe', async (_, rest, attempts) => {
  expect((await run(tool(rest), [])).attempts).toBe(attempts)
})

test('a failure that will not pass is not repeated', async () => {
  const wrong = fail('INVALID_ARGS', 'no', { nextAction: '' })
  expect(await run(tool({ retry: { maxAttempts: 5, backoffMs: 1 } }), [wrong])).toMatchObject({
    attempts: 1,
    degraded: false,
  })
})

test('a cancelled call is not repeated', async () => {
  expect((await run(tool(), [], makeClock(), AbortSignal.abort())).attempts).toBe(1)
})

test('a dead endpoint rests, one call tries it afterwards, and success forgets all', async () => {
  const { clock, pass } = makeClock()
  const breakers = createBreakers(clock)
  const signal = new AbortController().signal
  let calls = 0
  let isDown = true
  const execute = async () => {
    calls++
    return isDown ? down() : fine
  }
  const call = () =>
    runAttempts(tool({ retry: { maxAttempts: 1, backoffMs: 0 } }), {
      clock,
      breakers,
      ending: { signal },
      execute,
      onRetry: () => {},
    })
  for (let i = 0; i < 3; i++) await call()
  expect(await call()).toMatchObject({ outcome: { error: { code: 'TOOL_DEGRADED' } }, attempts: 0, degraded: true })
  expect(calls).toBe(3)
  pass(30_000)
  const [first, second] = await Promise.all([call(), call()])
  expect([first.attempts, second.attempts, calls]).toEqual([1, 0, 4])
  pass(30_000)
  isDown = false
  expect((await call()).outcome.ok).toBe(true)
  expect((await call()).outcome.ok).toBe(true)
})

test('a call that was cancelled or refused does not count as an answer of the endpoint', async () => {
  const { clock } = makeClock()
  const breakers = createBreakers(clock)
  const one = tool({ retry: { maxAttempts: 1, backoffMs: 0 } })
  const signal = new AbortController().signal
  const call = (outcome: Outcome) =>
    runAttempts(one, { clock, breakers, ending: { signal }, execute: async () => outcome, onRetry: () => {} })
  const refused = fail('INVALID_ARGS', 'No.', { nextAction: 'Mend it.' })
  for (const outcome of [down(), down(), refused, down()]) await call(outcome)
  expect((await call(fine)).outcome).toMatchObject({ error: { code: 'TOOL_DEGRADED' } })
})
