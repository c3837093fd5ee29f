// Servers as child processes, written with the official SDK.
import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ToolResult } from '../../src/index.ts'
import { createServers } from '../../src/mcp/servers.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { isAlive, makeLog, runtimeOn, stdio, until } from './support.ts'

const dataOf = (result: ToolResult) => (result.ok ? result.data : result.error)

test('a server’s tools are in the catalogue with all it says of them', async () => {
  const runtime = await runtimeOn({ 'My Server': stdio('everything') })
  const tools = await runtime.tools()
  expect(tools.find(tool => tool.id === 'my-server.add')).toEqual({
    id: 'my-server.add',
    name: 'add',
    skill: 'my-server',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    resultSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    annotations: { title: 'Adder', readOnly: true, idempotent: true, destructive: false, openWorld: false },
    executor: { type: 'mcp', server: 'My Server', tool: 'add' },
    timeoutMs: 30_000,
    origin: 'mcp-server',
  })
  expect((await runtime.report()).diagnostics).toEqual([])
})

test('nothing is started before somebody asks for tools', async () => {
  const log = makeLog()
  const runtime = await runtimeOn({ s: stdio('everything', [], { LOG: log.path }) })
  await runtime.listSkills()
  expect(log.lines()).toEqual([])
  await runtime.tools()
  await runtime.tools()
  expect(log.lines()).toHaveLength(1)
})

describe('results', () => {
  test('structured content is the data, text stays text, a failure is worded by the server', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    expect(dataOf(await runtime.call({ toolId: 's.add', args: { a: 1, b: 2 } }))).toEqual({ sum: 3 })
    expect(dataOf(await runtime.call({ toolId: 's.echo', args: { text: '{"a": 1}' } }))).toBe('{"a": 1}')
    expect(dataOf(await runtime.call({ toolId: 's.echo', args: { text: '{"ok": true, "data": [1]}' } }))).toEqual([1])
    expect(await runtime.call({ toolId: 's.boom' })).toMatchObject({
      ok: false,
      error: { code: 'MCP_FAILED', message: 'boom of the MCP server s failed: no such file: a.txt' },
    })
  })

  test('arguments are validated before the server hears of them', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    expect(dataOf(await runtime.call({ toolId: 's.add', args: { a: 'x' } }))).toMatchObject({ code: 'INVALID_ARGS' })
  })

  test('pictures and resources are described, their bytes kept in a file', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    const data = dataOf(await runtime.call({ toolId: 's.picture' })) as { file: string }[]
    expect(data).toEqual([
      { type: 'text', text: 'a pixel' },
      { type: 'image', mimeType: 'image/png', bytes: 70, file: expect.stringMatching(/-2\.png$/) },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', uri: 'note://1', mimeType: 'text/plain', text: 'hello' },
    ])
    expect(statSync(data[1]!.file).size).toBe(70)
  })

  test('a long text is cut, the whole is in a file', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    const result = await runtime.call({ toolId: 's.long' })
    expect(String(dataOf(result)).length).toBeLessThan(110_000)
    expect(statSync(result.meta.outputFile!).size).toBe(300_000)
  })
})

describe('while a call runs', () => {
  test('progress reaches the caller', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    const updates: unknown[] = []
    const result = await runtime.call({ toolId: 's.slow', args: { steps: 2 }, onUpdate: one => updates.push(one) })
    expect(dataOf(result)).toBe('done')
    expect(updates).toEqual([
      { type: 'progress', progress: 1, total: 2, message: 'step 1' },
      { type: 'progress', progress: 2, total: 2, message: 'step 2' },
    ])
  })

  test.each(['everything', 'old'])('cancelling reaches the server (%s)', async name => {
    const log = makeLog()
    const runtime = await runtimeOn({ s: stdio(name, [], { LOG: log.path }) })
    await runtime.tools()
    const toolId = name === 'old' ? 's.wait' : 's.slow'
    const call = { toolId, args: name === 'old' ? {} : { steps: 1000 }, signal: AbortSignal.timeout(100) }
    expect(dataOf(await runtime.call(call))).toMatchObject({ code: 'CANCELLED' })
    await until(() => log.lines().includes('cancelled'))
  })

  test('the time limit ends the call, and the server is told', async () => {
    const log = makeLog()
    const runtime = await runtimeOn({ s: stdio('everything', [], { LOG: log.path }) })
    await runtime.tools()
    const result = await runtime.call({ toolId: 's.slow', args: { steps: 1000 }, timeoutMs: 100 })
    expect(dataOf(result)).toMatchObject({
      code: 'MCP_FAILED',
      message: 'slow of the MCP server s did not answer within 0.1 s and was cancelled.',
    })
    await until(() => log.lines().includes('cancelled'))
  })

  test('closing the runtime ends the call', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    await runtime.tools()
    const call = runtime.call({ toolId: 's.slow', args: { steps: 1000 } })
    await runtime.close()
    expect(dataOf(await call)).toMatchObject({ code: 'RUNTIME_CLOSED' })
  })
})

describe('a server that ends', () => {
  test('between two calls is started again for the next one', async () => {
    const runtime = await runtimeOn({ s: stdio('everything') })
    const first = Number(dataOf(await runtime.call({ toolId: 's.pid' })))
    process.kill(first, 'SIGKILL')
    await until(() => !existsSync(`/proc/${first}`))
    const second = dataOf(await runtime.call({ toolId: 's.pid' }))
    expect(second).toEqual(expect.stringMatching(/^\d+$/))
    expect(second).not.toBe(String(first))
  })

  test('during a call fails that call with what it wrote, without the secrets it was given', async () => {
    const runtime = await runtimeOn({ s: stdio('everything', [], { API_TOKEN: 'canary-4711' }) })
    const result = await runtime.call({ toolId: 's.die' })
    expect(dataOf(result)).toMatchObject({
      code: 'MCP_FAILED',
      message: 'The MCP server s closed the connection.\nIt wrote: dying with ***',
    })
    expect(JSON.stringify(result)).not.toContain('canary')
    expect(dataOf(await runtime.call({ toolId: 's.boom' }))).toMatchObject({
      message: 'boom of the MCP server s failed: no such file: a.txt ***',
    })
    expect(dataOf(await runtime.call({ toolId: 's.echo', args: { text: 'back' } }))).toBe('back')
  })
})

test.each(['everything', 'old'])('a tool that comes later is there at the next request (%s)', async name => {
  const runtime = await runtimeOn({ s: stdio(name) })
  const ids = async () => (await runtime.tools()).map(tool => tool.id)
  expect(await ids()).not.toContain('s.late')
  await runtime.call({ toolId: 's.grow' })
  await until(async () => (await ids()).includes('s.late'))
  expect(await runtime.call({ toolId: 's.late' })).toMatchObject({ ok: true })
})

test('a server that tells of changes without end is listened to once a second', async () => {
  let changes = 0
  const options = { workspace: makeFolder(), hostEnv: process.env, onChanged: () => changes++ }
  const servers = createServers({ s: stdio('everything') }, options)
  onTestFinished(() => servers.close())
  await servers.list()
  await servers.call('s', { tool: 'churn', args: {}, signal: AbortSignal.timeout(5000) })
  await sleep(1500)
  expect(changes).toBe(2)
})

test('a server gets a minimal environment, what is configured, and variables of the host that the configuration names', async () => {
  process.env['SKILLWRIGHT_TEST_SECRET'] = 'from the host'
  const env = {
    PLAIN: 'as written',
    FILLED: '<${SKILLWRIGHT_TEST_SECRET}>',
    OTHER: '${env:SKILLWRIGHT_TEST_NONE:-default}',
    API_TOKEN: '${SKILLWRIGHT_TEST_SECRET}!',
  }
  const runtime = await runtimeOn({ s: stdio('everything', [], env) })
  const data = dataOf(await runtime.call({ toolId: 's.env' }))
  delete process.env['SKILLWRIGHT_TEST_SECRET']
  expect(data).toMatchObject({ PLAIN: 'as written', FILLED: '<from the host>', OTHER: 'default', API_TOKEN: '***' })
  expect(data).not.toHaveProperty('SKILLWRIGHT_TEST_SECRET')
  expect(data).not.toHaveProperty('VITEST')
})

describe('closing', () => {
  test.each(['attached', 'detached'])(
    'leaves no process behind, not even one that a server started (%s)',
    async kind => {
      const log = makeLog()
      const runtime = await runtimeOn({ s: stdio('everything', [], { LOG: log.path, GRANDCHILD: kind }) })
      await runtime.tools()
      const pids = log.lines().map(line => Number(line.split(' ')[1]))
      expect(pids).toHaveLength(2)
      expect(pids.every(isAlive)).toBe(true)
      await runtime.close()
      expect(pids.some(isAlive)).toBe(false)
    },
  )

  test('ends a server that ignores a closed stdin and SIGTERM', async () => {
    const log = makeLog()
    const script = `trap '' TERM; echo start $$ >> "$LOG"; while true; do sleep 1; done`
    const runtime = await runtimeOn({ s: { command: 'sh', args: ['-c', script], env: { LOG: log.path } } })
    void runtime.tools()
    await until(() => log.lines().length === 1)
    const pid = Number(log.lines()[0]!.split(' ')[1])
    await runtime.close()
    expect(isAlive(pid)).toBe(false)
  })
})

describe('older servers', () => {
  test('one of the first SDK', async () => {
    const runtime = await runtimeOn({ old: stdio('old') })
    expect(dataOf(await runtime.call({ toolId: 'old.greet', args: { name: 'Ada', at: [1, 2] } }))).toBe('Hello Ada')
    expect(dataOf(await runtime.call({ toolId: 'old.greet', args: { name: 'Ada', at: ['x', 2] } }))).toMatchObject({
      code: 'INVALID_ARGS',
    })
  })

  test('one that ends at any question before `initialize`, and prints a greeting', async () => {
    const log = makeLog()
    const runtime = await runtimeOn({ strict: stdio('strict', [], { LOG: log.path }) })
    expect(dataOf(await runtime.call({ toolId: 'strict.hi' }))).toBe('hi')
    expect(log.lines()).toHaveLength(2)
  })

  test('one that does not answer questions before `initialize`', async () => {
    const runtime = await runtimeOn({ strict: stdio('strict', ['silent']) })
    expect(dataOf(await runtime.call({ toolId: 'strict.hi' }))).toBe('hi')
  }, 20_000)
})

test('a skill keeps its name; the server that has the same is called otherwise', async () => {
  const source = makeFolder({ 'old/SKILL.md': skillMd('old') })
  const runtime = await makeRuntime(source, { mcpServers: { old: stdio('old'), Old: stdio('old') } })
  const ids = (await runtime.tools()).map(tool => tool.id)
  expect(ids).toEqual(expect.arrayContaining(['old', 'old-mcp.greet', 'old-mcp-2.greet']))
  const { diagnostics } = await runtime.report()
  expect(diagnostics.filter(one => one.code === 'name-taken')).toHaveLength(2)
  expect(await runtime.getSkillTools('old')).toEqual([])
})
