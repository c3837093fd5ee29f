// A declaration that calls tools of others would borrow their rights; under strict it may not.
import { expect } from 'vitest'
import { extendPolicy, type HostTool, type RuntimeOptions } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

const shell: HostTool = { name: 'shell', description: 'Runs.', inputSchema: { type: 'object' }, run: () => 'ran' }

const step = (tool: string) => `executor: { type: pipeline, steps: [{ id: x, tool: ${tool} }] }`
const tools = `tools:
  - { name: to-host, ${step('shell')} }
  - { name: to-host-by-id, ${step('host.shell')} }
  - { name: to-friend, ${step('friend.write')} }
  - { name: to-itself, ${step('hello')} }
  - { name: to-itself-by-id, ${step('stranger.hello')} }
  - { name: to-server, executor: { type: mcp, server: files, tool: delete } }
`

async function makeStranger(options: RuntimeOptions) {
  const folder = makeFolder({
    'stranger/SKILL.md': skillMd('stranger'),
    'stranger/tool-manifest.yaml': tools,
    'stranger/scripts/hello.sh': 'echo hello',
    'friend/SKILL.md': skillMd('friend'),
    'friend/scripts/write.sh': 'echo written',
  })
  return makeRuntime(folder, { tools: [shell], ...options })
}

test('under strict a pipeline calls tools of its own skill, and no others', async () => {
  const runtime = await makeStranger({ policies: [{ skill: 'stranger', policy: 'strict' }] })
  const call = (name: string) => runtime.call({ toolId: `stranger.${name}` })
  expect(await call('to-itself')).toMatchObject({ ok: true, data: 'hello' })
  expect(await call('to-itself-by-id')).toMatchObject({ ok: true, data: 'hello' })
  for (const name of ['to-friend', 'to-server'])
    expect(await call(name)).toMatchObject({ ok: false, error: { code: 'POLICY_DENIED' }, meta: { attempts: 0 } })
  expect(await call('to-friend')).toMatchObject({
    error: { message: expect.stringContaining('not friend.write'), hints: [expect.stringContaining('calls: all')] },
  })
  for (const name of ['to-host', 'to-host-by-id']) expect(await call(name)).toMatchObject({ ok: false })
})

test('`calls: all` allows it, as balanced does', async () => {
  for (const policy of ['balanced' as const, extendPolicy({ extends: 'strict', calls: 'all' }, 'mine')]) {
    const runtime = await makeStranger({ policies: [{ skill: 'stranger', policy }] })
    expect(await runtime.call({ toolId: 'stranger.to-friend' })).toMatchObject({ ok: true, data: 'written' })
  }
})
