import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RunOutcome, RunRequest } from '../../src/process/run-request.ts'
import { withPlaces } from '../../src/runner/places.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const DONE: RunOutcome = {
  end: { how: 'exited', code: 0 },
  start: 'cold',
  sandbox: 'none',
  stdout: { text: '' },
  stderr: { text: '' },
}
const request = (timeoutMs = 5000, signal = new AbortController().signal) =>
  ({ timeoutMs, signal }) as unknown as RunRequest

test('no more than the given number run at the same time, and all get their turn in order', async () => {
  let running = 0
  let most = 0
  const order: number[] = []
  const run = withPlaces({ running: 3, waiting: 100 }, async () => {
    most = Math.max(most, ++running)
    await sleep(5)
    running--
    return DONE
  })
  await Promise.all(Array.from({ length: 20 }, (_, i) => run(request()).then(() => order.push(i))))
  expect(most).toBe(3)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('whoever finds the queue full is refused at once, and a place that frees up is used again', async () => {
  const run = withPlaces({ running: 1, waiting: 1 }, () => sleep(50, DONE))
  const first = run(request())
  const second = run(request())
  expect((await run(request())).end).toEqual({ how: 'overloaded', running: 1, waiting: 1 })
  expect((await Promise.all([first, second])).map(({ end }) => end.how)).toEqual(['exited', 'exited'])
  expect((await run(request())).end.how).toBe('exited')
})

test('waiting counts against the time limit', async () => {
  const limits: number[] = []
  const run = withPlaces({ running: 1, waiting: 9 }, async ({ timeoutMs }) => {
    limits.push(timeoutMs)
    return sleep(200, DONE)
  })
  const first = run(request(1000))
  const second = run(request(1000))
  const third = await run(request(50))
  expect(third.end.how).toBe('overloaded')
  await Promise.all([first, second])
  expect(limits[1]).toBeLessThan(850)
})

test('a call that is cancelled beforehand is not run, although there is a place', async () => {
  let runs = 0
  const run = withPlaces({ running: 1, waiting: 1 }, async () => {
    runs++
    return DONE
  })
  expect((await run(request(5000, AbortSignal.abort()))).end).toEqual({ how: 'cancelled' })
  expect(runs).toBe(0)
})

test('a waiting call can be cancelled, and its place in the queue is free again', async () => {
  const run = withPlaces({ running: 1, waiting: 1 }, () => sleep(50, DONE))
  const first = run(request())
  const cancel = new AbortController()
  const second = run(request(5000, cancel.signal))
  cancel.abort()
  expect((await second).end).toEqual({ how: 'cancelled' })
  expect((await run(request())).end.how).toBe('exited')
  await first
})

test('calls beyond the queue are told OVERLOADED, with what to do', async () => {
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), 's/x.sh': 'sleep 0.3; echo ok' }), {
    concurrency: 1,
    queue: 1,
  })
  const results = await Promise.all(Array.from({ length: 4 }, () => runtime.call({ toolId: 's.x' })))
  expect(results.filter(({ ok }) => ok)).toHaveLength(2)
  expect(results.find(({ ok }) => !ok)).toMatchObject({
    error: {
      code: 'OVERLOADED',
      message: 'Too much runs at the same time: 1 programs run and 1 calls wait for a place.',
      nextAction: 'Try again in a moment.',
    },
  })
})

test.each([
  ['concurrency', 0],
  ['concurrency', 1.5],
  ['queue', -1],
])('%s: %s is refused when the runtime is made', async (name, value) => {
  await expect(makeRuntime(makeFolder(), { [name]: value })).rejects.toThrow(TypeError)
})
