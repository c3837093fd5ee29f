import { describe, expect, test, vi } from 'vitest'
import { syntheticTools } from '../../bench/context-cost.ts'
import type { HostTool, RuntimeEvent } from '../../src/index.ts'
import { until } from '../mcp/support.ts'
import { makeSeedRuntime, runtimeOf } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { processesWith } from '../support/processes.ts'
import { connectHttp, connectStdio, KINDS, mount, type Peer, textOf } from './mcp-support.ts'

const ADD: HostTool = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  resultSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  annotations: { title: 'Adder', readOnly: true, destructive: false, idempotent: true, openWorld: false },
  run: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
}

const flat = async (kind: (typeof KINDS)[number], tools: readonly HostTool[]): Promise<Peer> =>
  connectHttp(kind, await mount(await runtimeOf(tools), { mode: 'flat' }))

describe.each(KINDS)('for a client of %s', kind => {
  test('a tool keeps its annotations and schemas, and answers as text and as data', async () => {
    const client = await flat(kind, [ADD])
    const { tools } = await client.listTools()
    expect(tools.find(tool => tool.name === 'add')).toMatchObject({
      title: 'Adder',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'] },
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })
    const answer = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(answer.structuredContent).toEqual({ sum: 3 })
    expect(JSON.parse(textOf(answer))).toEqual({ sum: 3 })
  })

  test('wrong arguments are a result that says what to mend, not an error of the protocol', async () => {
    const client = await flat(kind, [ADD])
    await client.listTools()
    const answer = await client.callTool({ name: 'add', arguments: { a: 'one' } })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toMatch(/^INVALID_ARGS: /)
    expect(textOf(answer)).toContain('b')
    const { isError } = await client.callTool({ name: 'add' })
    expect(isError).toBe(true)
  })

  test('an answer that breaks its own schema is told, and not lost', async () => {
    const client = await flat(kind, [{ ...ADD, run: () => ({ total: 3 }) }])
    await client.listTools()
    const answer = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toContain('{"total":3}')
  })

  test('what a tool throws comes back as its message', async () => {
    const run = () => {
      throw new Error('The disk is full.')
    }
    const answer = await (await flat(kind, [{ ...ADD, run }])).callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toContain('The disk is full.')
  })

  test('a tool that is not listed is an error of the protocol', async () => {
    const client = await flat(kind, [ADD])
    await expect(client.callTool({ name: 'subtract', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    // In flat mode the operations are not listed, so that they are not there.
    await expect(client.callTool({ name: 'list', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  test('lists are in the same order each time, and names that are long, unusual or taken lead to their tools', async () => {
    const folder = makeFolder({
      'list/SKILL.md': skillMd('list'),
      'zebra/SKILL.md': skillMd('zebra'),
      'ant/SKILL.md': skillMd('ant'),
      [`ant/scripts/${'long'.repeat(20)}.sh`]: 'echo long\n',
    })
    const client = await connectHttp(kind, await mount(await makeRuntime(folder), { mode: 'flat' }))
    const names = (await client.listTools()).tools.map(tool => tool.name).filter(name => !name.includes('_skill'))
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(expect.arrayContaining(names))
    expect(names).toEqual(names.toSorted())
    expect(names).not.toContain('list')
    const taken = names.find(name => name.startsWith('list'))!
    expect(textOf(await client.callTool({ name: taken }))).toContain('# list')
    const long = names.find(name => name.startsWith('ant__long'))!
    expect(long.length).toBeLessThanOrEqual(64)
    expect(textOf(await client.callTool({ name: long }))).toBe('long')
  })

  test('pinned tools stand beside the operations and can be called at once', async () => {
    const { runtime } = await makeSeedRuntime()
    const client = await connectHttp(kind, await mount(runtime, { pinned: ['tables.query_table', 'no.such'] }))
    const names = (await client.listTools()).tools.map(tool => tool.name)
    expect(names).toContain('call_tool')
    expect(names.at(-1)).toBe('tables__query_table')
    expect(textOf(await client.callTool({ name: 'tables__query_table', arguments: {} }))).toBe('done')
    await expect(client.callTool({ name: 'storage__put_object' })).rejects.toThrow(/call_tool/)
  })

  test('progress reaches whoever asked for it', async () => {
    const folder = makeFolder({
      'steps/SKILL.md': skillMd('steps'),
      'steps/tool-manifest.yaml': `version: 1
tools:
  - { name: one, description: One., executor: { type: script, entry: scripts/one.sh } }
  - name: both
    description: Both.
    executor: { type: pipeline, steps: [{ id: first, tool: one }, { id: second, tool: one }] }
`,
      'steps/scripts/one.sh': 'echo 1\n',
    })
    const client = await connectHttp(kind, await mount(await makeRuntime(folder), { mode: 'flat' }))
    const heard: unknown[] = []
    await client.callTool({ name: 'steps__both' }, { onprogress: progress => heard.push(progress) })
    expect(heard).toMatchObject([
      { progress: 0, total: 2, message: 'first' },
      { progress: 1, message: 'second' },
    ])
  })

  test.each(['http', 'stdio'])('cancelling over %s ends the process', async transport => {
    const nap = `300.${Date.now()}`
    const folder = makeFolder({
      'slow/SKILL.md': skillMd('slow'),
      'slow/scripts/wait.sh': `exec sleep ${nap}\n`,
    })
    const workspace = makeFolder()
    const client =
      transport === 'http'
        ? await connectHttp(kind, await mount(await makeRuntime(folder, { workspace }), { mode: 'flat' }))
        : await connectStdio(kind, [
            ...['--source', folder, '--no-default-sources'],
            ...['--workspace', workspace, '--mode', 'flat'],
          ])
    const cancel = new AbortController()
    const call = client.callTool({ name: 'slow__wait' }, { signal: cancel.signal })
    await vi.waitFor(() => expect(processesWith(nap)).toHaveLength(1), { timeout: 15_000 })
    cancel.abort()
    await expect(call).rejects.toThrow()
    await until(() => processesWith(nap).length === 0)
  })

  test('the trace of the client goes on in the audit', async () => {
    const { runtime } = await makeSeedRuntime()
    const events: RuntimeEvent[] = []
    runtime.on('*', event => events.push(event))
    const client = await connectHttp(kind, await mount(runtime, { pinned: ['tables.query_table'] }))
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const _meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    await client.callTool({ name: 'search_nodes', arguments: { query: 'login' }, _meta })
    await client.callTool({ name: 'tables__query_table', arguments: {}, _meta })
    await client.callTool({ name: 'list', _meta: { traceparent: 'nonsense' } })
    const traces = events
      .filter(event => event.type.startsWith('discovery.') || event.type === 'dynamic_tool.call')
      .map(event => [event.type, event.traceId === traceId])
    expect(traces).toEqual([
      ['discovery.search_nodes', true],
      ['dynamic_tool.call', true],
      ['discovery.list', false],
    ])
  })
})

test('without a session a call says which version it was made for', async () => {
  const { runtime } = await makeSeedRuntime()
  const client = await connectHttp('2026-07-28', await mount(runtime))
  const { tools } = await client.listTools()
  expect(tools.find(tool => tool.name === 'call_tool')).toMatchObject({
    inputSchema: { required: ['tool_id', 'version'] },
  })
  const tool_id = 'tables.query_table'
  await client.callTool({ name: 'expand_tool', arguments: { tool_id } })
  const refused = await client.callTool({ name: 'call_tool', arguments: { tool_id } })
  expect(refused.isError).toBe(true)
  expect(JSON.parse(textOf(refused))).toMatchObject({ error: { code: 'NOT_EXPANDED' } })
  const stale = await client.callTool({ name: 'call_tool', arguments: { tool_id, version: 'old' } })
  const { version } = (JSON.parse(textOf(stale)) as { error: { tool: { version: string } } }).error.tool
  const called = await client.callTool({ name: 'call_tool', arguments: { tool_id, version } })
  expect(textOf(called)).toBe('done')
})

test('lists say how long they hold, and only what is the same for everybody is public', async () => {
  const runtime = await runtimeOf([ADD])
  const fixed = await connectHttp('2026-07-28', await mount(runtime))
  expect(await fixed.listTools()).toMatchObject({ cacheScope: 'public', ttlMs: 3_600_000 })
  const other = await connectHttp('2026-07-28', await mount(runtime, { pinned: ['add'] }))
  expect(await other.listTools()).toMatchObject({ cacheScope: 'private', ttlMs: 10_000 })
})

test('with 1,000 tools of the usual size, what a client of 2026-07-28 reads before its first call is at most 1 % of a flat list', async () => {
  const runtime = await runtimeOf(syntheticTools(1000))
  const bytes = async (mode: 'discovery' | 'flat') => {
    const client = await connectHttp('2026-07-28', await mount(runtime, { mode }))
    const { tools } = await client.listTools()
    return JSON.stringify([client.getInstructions(), tools]).length
  }
  expect((await bytes('discovery')) / (await bytes('flat'))).toBeLessThanOrEqual(0.01)
})
