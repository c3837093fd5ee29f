// Servers that cannot be reached: told of, and never in the way of the rest.
import { writeFileSync } from 'node:fs'

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRuntime, type McpServers } from '../../src/index.ts'
import { createServers } from '../../src/mcp/servers.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { isAlive, makeLog, runtimeOn, stdio, until } from './support.ts'

const HANGS = `echo start $$ >> "$LOG"; exec sleep 300`

test('one that hangs at its start is told of within the limit; it and the rest are there when they come', async () => {
  const log = makeLog()
  const release = `${makeFolder()}/go`
  const script = `echo start $$ >> "$LOG"; while [ ! -e "$GO" ]; do sleep 0.05; done; exec "$@"`
  const late = stdio('everything')
  const servers = createServers(
    {
      good: stdio('old'),
      hangs: { command: 'sh', args: ['-c', HANGS], env: { LOG: log.path } },
      late: {
        command: 'sh',
        args: ['-c', script, 'sh', late.command, ...(late.args ?? [])],
        env: { LOG: log.path, GO: release },
      },
    },
    { workspace: makeFolder(), hostEnv: process.env, patienceMs: 4000, onChanged: () => changes++ },
  )
  onTestFinished(() => servers.close())
  let changes = 0
  const start = performance.now()
  const listing = await servers.list()
  expect(performance.now() - start).toBeLessThan(6000)
  expect(listing.map(({ server, tools, failure }) => [server, tools.length > 0, failure?.message])).toEqual([
    ['good', true, undefined],
    ['hangs', false, 'The MCP server hangs did not answer within 4 s.'],
    ['late', false, 'The MCP server late did not answer within 4 s.'],
  ])
  // Nobody waits for it again.
  expect(await servers.list()).toBe(listing)

  writeFileSync(release, '')
  await until(() => changes === 1)
  const now = await servers.list()
  expect(now.map(({ tools }) => tools.length > 0)).toEqual([true, false, true])

  const pids = log.lines().map(line => Number(line.split(' ')[1]))
  await servers.close()
  expect(pids.some(isAlive)).toBe(false)
})

test('skills work beside a server that is not there', async () => {
  const source = makeFolder({
    'hello/SKILL.md': skillMd('hello'),
    'hello/scripts/hi.sh': '#!/bin/sh\necho hi\n',
  })
  const runtime = await makeRuntime(source, {
    mcpServers: {
      none: { command: '/no/such/program' },
      dies: { command: 'sh', args: ['-c', 'echo oh dear >&2; exit 1'] },
    },
  })
  expect(await runtime.call({ toolId: 'hello.hi' })).toMatchObject({ ok: true, data: 'hi' })
  const { diagnostics } = await runtime.report()
  expect(diagnostics.map(one => [one.code, one.message, one.hint])).toEqual([
    [
      'mcp-server-unreachable',
      'The MCP server none cannot be started: the program or its folder is missing.',
      'Install it, or mend the `command` of mcpServers.none.',
    ],
    [
      'mcp-server-unreachable',
      'The MCP server dies closed the connection.\nIt wrote: oh dear',
      'Check the `command` of mcpServers.dies, or try again later.',
    ],
  ])
})

test('a server that fails is not started again and again: calls are told when to come back', async () => {
  const log = makeLog()
  const config: McpServers = {
    s: { command: 'sh', args: ['-c', 'echo start >> "$LOG"; exit 1'], env: { LOG: log.path } },
  }
  const servers = createServers(config, { workspace: makeFolder(), hostEnv: process.env })
  onTestFinished(() => servers.close())
  const call = () => servers.call('s', { tool: 't', args: {}, signal: AbortSignal.timeout(5000) })
  const first = await call().catch(error => error)
  expect(first).toMatchObject({ name: 'McpFailure', again: {} })
  const starts = log.lines().length
  const errors = await Promise.all(Array.from({ length: 20 }, () => call().catch(error => error)))
  for (const error of errors) expect(error.again.afterMs).toBeGreaterThan(0)
  expect(log.lines()).toHaveLength(starts)
  await vi.waitFor(async () => {
    await call().catch(() => {})
    expect(log.lines().length).toBeGreaterThan(starts)
  }, 2000)
})

test('a network server that never answers does not hold up a call longer than the call’s limit', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  onTestFinished(() => void silent.close())
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`
  const servers = createServers({ s: { url } }, { workspace: makeFolder(), hostEnv: process.env, patienceMs: 200 })
  onTestFinished(() => servers.close())
  expect((await servers.list())[0]?.failure?.message).toBe('The MCP server s did not answer within 0.2 s.')
  const start = performance.now()
  await expect(servers.call('s', { tool: 't', args: {}, signal: AbortSignal.timeout(100) })).rejects.toThrow()
  expect(performance.now() - start).toBeLessThan(1000)
})

test('a network server that is not there is told of with the reason', async () => {
  const runtime = await runtimeOn({ s: { url: 'http://127.0.0.1:3/mcp' } })
  expect((await runtime.report()).diagnostics).toMatchObject([
    {
      message: 'The MCP server s cannot be reached (ECONNREFUSED).',
      hint: 'Check that it runs, and the `url` of mcpServers.s.',
    },
  ])
})

test('a variable that is not set is named, with its remedy', async () => {
  const runtime = await runtimeOn({ s: { url: 'http://127.0.0.1:1/${SKILLWRIGHT_TEST_UNSET}' } })
  const { diagnostics } = await runtime.report()
  expect(diagnostics[0]).toMatchObject({
    message: 'The MCP server s is not set up: SKILLWRIGHT_TEST_UNSET is needed and was not given.',
    hint: 'Set the variable, or give a default: `${NAME:-default}`.',
  })
})

test('a disabled server is not there; a key that means nothing is told of', async () => {
  const config = {
    off: { ...stdio('everything'), disabled: true },
    s: { ...stdio('old'), autoApprove: ['greet'] },
  }
  const runtime = await runtimeOn(config)
  expect((await runtime.tools()).map(tool => tool.id)).toEqual(['s.greet', 's.pid', 's.wait', 's.grow'])
  expect((await runtime.report()).diagnostics).toMatchObject([
    { code: 'mcp-setting-unknown', message: '`autoApprove` means nothing here and has no effect.' },
  ])
})

test.each([
  [{ command: 'x', url: 'http://x' }, 'needs either `command` or `url`'],
  [{}, 'needs either `command` or `url`'],
  ['x', 'is not an object'],
  [{ command: ['x'] }, '`command` is not a text'],
  [{ command: 'x', args: 'a b' }, '`args` is not a list of texts'],
  [{ command: 'x', env: { A: 1 } }, '`env` is not a map of texts'],
  [{ url: 'http://x', type: 'stdio' }, 'a `url` has the type'],
])('a configuration that cannot be meant is refused at once: %j', async (server, message) => {
  const options = { defaultSources: false, mcpServers: { s: server } as unknown as McpServers }
  await expect(createRuntime(options)).rejects.toThrow(TypeError)
  await expect(createRuntime(options)).rejects.toThrow(`mcpServers.s: ${message}`)
})
