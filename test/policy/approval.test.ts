// Somebody is asked before calls that need it; whoever does not say yes has said no.
import { afterEach, expect, test, vi } from 'vitest'
import type { ApprovalRequest, HostTool, OnApproval } from '../../src/index.ts'
import { extendPolicy } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

afterEach(() => void vi.useRealTimers())

const wipe: HostTool = {
  name: 'wipe',
  description: 'Wipes.',
  inputSchema: { type: 'object' },
  annotations: { destructive: true },
  run: () => 'wiped',
}
const look: HostTool = { name: 'look', description: 'Looks.', run: () => 'seen' }

async function callWipe(onApproval?: OnApproval, args = {}) {
  const runtime = await makeRuntime(makeFolder(), { tools: [wipe, look], ...(onApproval && { onApproval }) })
  return runtime.call({ toolId: 'wipe', args })
}

test('a destructive tool that nobody can approve is refused, others run', async () => {
  expect(await callWipe()).toMatchObject({ ok: false, error: { code: 'APPROVAL_REQUIRED' }, meta: { attempts: 0 } })
  const runtime = await makeRuntime(makeFolder(), { tools: [look] })
  expect(await runtime.call({ toolId: 'look' })).toMatchObject({ ok: true, meta: { ranUnder: { policy: 'balanced' } } })
})

test('the hook is told what is to be done, with secrets masked, and its yes lets it run', async () => {
  const asked: ApprovalRequest[] = []
  const answer = await callWipe(request => asked.push(request) > 0, { password: 'hush', where: 'here' })
  expect(answer).toMatchObject({ ok: true, data: 'wiped' })
  expect(asked).toEqual([
    {
      kind: 'destructive',
      tool: 'wipe',
      skill: 'host',
      args: { password: '[secret]', where: 'here' },
      policy: 'balanced',
      rights: expect.arrayContaining(['scripts run in a sandbox']),
    },
  ])
})

test.each<[string, OnApproval, string]>([
  ['says no', () => false, 'was not approved.'],
  ['says why not', async () => ({ approved: false, reason: 'not on a Friday' }), 'not approved: not on a Friday.'],
  ['throws', () => Promise.reject(new Error('the line is dead')), 'not approved: the line is dead.'],
  ['answers nonsense', (() => 'yes') as unknown as OnApproval, 'was not approved.'],
])('a hook that %s has denied it', async (_, onApproval, message) => {
  expect(await callWipe(onApproval)).toMatchObject({
    ok: false,
    error: { code: 'NOT_APPROVED', message: expect.stringContaining(message) },
  })
})

test('a hook that never answers has denied it after five minutes', async () => {
  const runtime = await makeRuntime(makeFolder(), { tools: [wipe], onApproval: () => new Promise(() => {}) })
  await runtime.tools()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const call = runtime.call({ toolId: 'wipe' })
  for (let i = 0; i < 40; i++) await new Promise(resolve => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(300_000)
  expect(await call).toMatchObject({ error: { code: 'NOT_APPROVED', message: expect.stringContaining('5 minutes') } })
})

test('cancelling ends the question', async () => {
  const stop = new AbortController()
  const runtime = await makeRuntime(makeFolder(), {
    tools: [wipe],
    onApproval: (_, { signal }) => {
      setTimeout(() => stop.abort(), 5)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  expect(await runtime.call({ toolId: 'wipe', signal: stop.signal })).toMatchObject({ error: { code: 'CANCELLED' } })
})

test('one call is asked for once, however often it is tried, and wrong arguments are not asked for', async () => {
  let asked = 0
  let tries = 0
  const flaky: HostTool = {
    name: 'flaky',
    description: 'Fails twice.',
    annotations: { destructive: true, idempotent: true },
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
    run: () => {
      if (++tries < 3) throw new Error('not yet')
      return tries
    },
  }
  const runtime = await makeRuntime(makeFolder(), { tools: [flaky], onApproval: () => ++asked > 0 })
  expect(await runtime.call({ toolId: 'flaky', args: { n: 'x' } })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
  expect(await runtime.call({ toolId: 'flaky' })).toMatchObject({ ok: true, data: 3 })
  expect(asked).toBe(1)
})

test('steps of a pipeline are calls of their own: each is asked for', async () => {
  const manifest = `tools:
  - { name: gone, annotations: { destructiveHint: true }, executor: { type: binary, path: echo, args_template: gone } }
  - { name: both, executor: { type: pipeline, steps: [{ id: a, tool: gone }, { id: b, tool: gone }] } }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const asked: string[] = []
  const runtime = await makeRuntime(folder, { onApproval: ({ tool }) => asked.push(tool) < 2 })
  expect(await runtime.call({ toolId: 's.both' })).toMatchObject({
    error: { code: 'STEP_FAILED', message: expect.stringContaining('NOT_APPROVED') },
  })
  expect(asked).toEqual(['s.gone', 's.gone'])
})

test('`approval: always` asks about everything, `never` about nothing', async () => {
  const kinds: string[] = []
  for (const approval of ['always', 'never'] as const) {
    const policy = extendPolicy({ extends: 'balanced', approval })
    const runtime = await makeRuntime(makeFolder(), {
      tools: [look, wipe],
      policy,
      onApproval: ({ kind }) => kinds.push(kind) > 0,
    })
    for (const toolId of ['look', 'wipe']) expect(await runtime.call({ toolId })).toMatchObject({ ok: true })
  }
  expect(kinds).toEqual(['always', 'always'])
})
