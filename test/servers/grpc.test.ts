import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSeedRuntime } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest } from '../support/sandbox.ts'
import { args, dial, errorOf, failure, fromEntry, plain } from './grpc-client.ts'
import { CALLERS, start, TOKENS } from './support.ts'

test('the messages of the seed have their fields and numbers', () => {
  const proto = readFileSync(join(import.meta.dirname, '../../proto/skillwright.proto'), 'utf8').replaceAll(/\s+/g, ' ')
  for (const message of [
    'message UseSkillRequest { string session_id = 1; string skill_name = 2; string skill_content = 3; // SKILL.md content }',
    'message UseSkillResponse { repeated string tool_names = 1; // Registered tools }',
    'message RemoveSkillRequest { string session_id = 1; string skill_name = 2; }',
    'message RemoveSkillResponse { repeated string removed_tools = 1; // Unregistered tools }',
  ])
    expect(proto).toContain(message)
})

test("the protocol's conversation gives the answers of the library", async () => {
  const { runtime } = await makeSeedRuntime()
  const peer = await dial((await start(runtime)).addresses.grpc!)
  const { discovery } = runtime
  const path = ['Coding', 'Refactoring']

  expect(same(await peer.ask('List'))).toEqual(await discovery.list())
  expect(same(await peer.ask('List', { path }))).toEqual(await discovery.list({ path }))
  const search = { query: 'rename symbol', category_path: path }
  expect(same(await peer.ask('SearchToolByCategory', search))).toEqual(await discovery.search_tool_by_category(search))
  const { next_cursor: _, ...nodes } = same(await peer.ask('SearchNodes', { query: 'oauth login', limit: 5 }))
  expect(nodes).toEqual(await discovery.search_nodes({ query: 'oauth login', limit: 5 }))

  const tool_id = 'refactor.rename_symbol'
  const { args_schema, result_schema, details, ...rest } = await peer.ask('ExpandTool', { tool_id })
  const { next_cursor: __, ...flat } = same(rest)
  const expanded = { ...flat, args_schema: plain(args_schema), result_schema: plain(result_schema), ...plain(details) }
  expect(expanded).toEqual(await discovery.expand_tool({ tool_id }))

  const given = { project_root: '.', symbol: 'a', new_name: 'b' }
  const own = await discovery.call_tool({ tool_id, args: given })
  const messages = await peer.stream('CallTool', { tool_id, args: args(given) })
  const { data, exit_code, meta } = messages.at(-1)!['result'] as {
    data: Parameters<typeof fromEntry>[0]
    exit_code: number
    meta: object
  }
  expect({ data: fromEntry(data), exit_code }).toEqual({ data: own.ok && own.data, exit_code: 0 })
  expect(meta).toMatchObject({ tool_id, attempts: 1, exit_code: 0 })
})

test('a failure has the status of its code, and the error of the library in its details', async () => {
  const { runtime } = await makeSeedRuntime()
  const peer = await dial((await start(runtime)).addresses.grpc!)
  const unknown = errorOf(await failure(peer.ask('List', { path: ['Storge'] })), peer.proto)
  const { error } = (await runtime.discovery.list({ path: ['Storge'] })) as { error: object }
  expect(unknown).toMatchObject({ status: 5, ...error })
  const tool_id = 'refactor.rename_symbol'
  const early = await failure(peer.stream('CallTool', { tool_id, args: args({}) }))
  expect(errorOf(early, peer.proto)).toMatchObject({ status: 9, code: 'NOT_EXPANDED', meta: { tool_id, attempts: 0 } })
  const wrong = await failure(peer.stream('Execute', { tool_name: tool_id, args: args({ symbol: 1 }) }))
  expect(errorOf(wrong, peer.proto)).toMatchObject({ status: 3, code: 'INVALID_ARGS' })
  expect(wrong.details).toMatch(/^INVALID_ARGS: /)
})

test('a failed script tells its exit code and what it wrote, cut to what trailers hold', async () => {
  const folder = makeFolder({
    'loud/SKILL.md': skillMd('loud'),
    'loud/scripts/fail.sh': '#!/bin/sh\n# Fails.\nyes no | head -c 60000 >&2\nexit 3\n',
    'loud/scripts/quiet.sh': '#!/bin/sh\n# Fails.\necho broken >&2\nexit 4\n',
  })
  const peer = await dial((await start(await makeRuntime(folder))).addresses.grpc!)
  const loud = errorOf(await failure(peer.stream('Execute', { tool_name: 'loud.fail' })), peer.proto)
  expect(loud).toMatchObject({ status: 10, code: 'SCRIPT_FAILED', meta: { exit_code: 3 } })
  const quiet = errorOf(await failure(peer.stream('Execute', { tool_name: 'loud.quiet' })), peer.proto)
  expect(quiet).toMatchObject({
    status: 10,
    meta: { exit_code: 4, ran_under: { policy: 'balanced' }, stderr: expect.stringContaining('broken') },
  })
})

const SLOW = {
  'slow/SKILL.md': skillMd('slow'),
  'slow/scripts/wait.sh': '#!/bin/sh\n# Waits.\necho begun | tee begun\nsleep 20\n',
}

test.each([
  ['cancelling', 'CANCELLED', 1],
  ['a deadline', 'CANCELLED', 4],
])('%s reaches the process', async (kind, code, status) => {
  const workspace = makeFolder()
  const runtime = await makeRuntime(makeFolder(SLOW), { workspace })
  const ended = new Promise<string | null>(resolve =>
    runtime.on('dynamic_tool.call', event => resolve(event.errorCode)),
  )
  const peer = await dial((await start(runtime)).addresses.grpc!)
  const cancel = new AbortController()
  const options = kind === 'cancelling' ? { signal: cancel.signal } : { deadlineMs: 1500 }
  const failed = failure(peer.stream('Execute', { tool_name: 'slow.wait' }, options))
  if (kind === 'cancelling') setTimeout(() => cancel.abort(), 1000)
  expect((await failed).code).toBe(status)
  expect(await ended).toBe(code)
})

sandboxedTest(
  'sessions activate skills, also one that is handed over, and define and execute their tools',
  async () => {
    const folder = makeFolder({
      'greeter/SKILL.md': skillMd('greeter'),
      'greeter/scripts/greet.sh': '#!/bin/sh\n# Greets.\necho "hello $1"\n',
    })
    const peer = await dial((await start(await makeRuntime(folder))).addresses.grpc!)
    const { session_id } = await peer.ask('OpenSession', { ttl_sec: 60 })
    const names = async () =>
      ((await peer.ask('Definitions', { session_id }))['tools'] as { name: string }[]).map(tool => tool.name)
    expect(await names()).not.toContain('greeter.greet')
    const used = await peer.ask('UseSkill', { session_id, skill_name: 'greeter' })
    expect(used['tool_names']).toContain('greeter.greet')
    const skill_content = `---
name: shout
description: Shouts.
tools:
  - name: up
    description: In capitals.
    backend: { type: script, interpreter: bash, script: 'echo "\${TOOL_ARG_TEXT^^}"' }
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
---
`
    const handed = await peer.ask('UseSkill', { session_id, skill_name: 'shout', skill_content })
    expect(handed['tool_names']).toContain('shout.up')
    expect(await peer.ask('ListActiveSkills', { session_id })).toEqual({ skills: ['greeter', 'shout'] })
    expect(await names()).toEqual(expect.arrayContaining(['greeter.greet', 'shout.up']))
    const request = { session_id, tool_name: 'shout.up', args: args({ text: 'hey' }) }
    const messages = await peer.stream('Execute', request)
    expect(messages[0]).toMatchObject({ output: { stream: 'stdout', text: 'HEY\n' } })
    expect(messages.at(-1)).toMatchObject({ result: { exit_code: 0, output: 'HEY' } })
    const removed = await peer.ask('RemoveSkill', { session_id, skill_name: 'greeter' })
    expect(removed['removed_tools']).toContain('greeter.greet')
    await peer.ask('CloseSession', { session_id })
    const gone = errorOf(await failure(peer.ask('ListActiveSkills', { session_id })), peer.proto)
    expect(gone).toMatchObject({ status: 5, code: 'SESSION_NOT_FOUND' })
  },
)

test('without a token, with a wrong one, or by another name nobody comes in', async () => {
  const { runtime } = await makeSeedRuntime()
  const address = (await start(runtime, { tokens: CALLERS })).addresses.grpc!
  expect((await failure(dial(address))).code).toBe(16)
  expect((await failure(dial(address, { token: 'x'.repeat(20) }))).code).toBe(16)
  expect((await failure(dial(address, { token: TOKENS.ada, host: 'evil.example' }))).code).toBe(7)
  const peer = await dial(address, { token: TOKENS.ada })
  expect((await peer.ask('List'))['nodes']).not.toHaveLength(0)
})

/** As the library answers: `null` where there is no next page, and no names of optional fields. */
function same(answer: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(answer).filter(([name]) => !name.startsWith('_'))
  return { next_cursor: null, ...Object.fromEntries(fields) }
}
