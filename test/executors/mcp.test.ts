import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMcpExecutor } from '../../src/executors/mcp.ts'
import type { McpServers } from '../../src/index.ts'
import { createServers } from '../../src/mcp/servers.ts'
import { POLICIES } from '../../src/policy/policies.ts'
import type { ExecuteRequest, Json, McpSpec, Tool } from '../../src/types.ts'
import { stdio } from '../mcp/support.ts'
import { makeFolder } from '../support/folders.ts'

function executorOn(config: McpServers) {
  const folder = makeFolder()
  const servers = createServers(config, { workspace: folder, hostEnv: process.env })
  onTestFinished(() => servers.close())
  return createMcpExecutor({ servers, outputFile: name => join(folder, name) })
}

/** A call of a tool that a manifest declares, with a schema of its own. */
function declared(spec: Omit<McpSpec, 'type'>, args: { readonly [name: string]: Json } = {}): ExecuteRequest<McpSpec> {
  const tool: Tool = {
    id: 'skill.sum',
    name: 'sum',
    skill: 'skill',
    description: 'Adds.',
    inputSchema: { type: 'object' },
    executor: { type: 'mcp', ...spec },
    timeoutMs: 5000,
    origin: 'tool-manifest',
  }
  return {
    tool,
    spec: { type: 'mcp', ...spec },
    skill: undefined,
    args,
    policy: POLICIES.balanced,
    skills: new Map(),
    timeoutMs: 5000,
    ending: new AbortController(),
    callId: 'call-1',
    workspace: '/',
    callOther: () => Promise.reject(new Error('no other tools here')),
    variable: name => name,
    environment: {},
  }
}

test('a tool that a manifest declares reaches the server without a listing', async () => {
  const { execute } = executorOn({ s: stdio('everything') })
  expect(await execute(declared({ server: 's', tool: 'add' }, { a: 1, b: 2 }))).toEqual({ ok: true, data: { sum: 3 } })
})

test('a server that nobody configured is named, with those that are', async () => {
  const { execute } = executorOn({ s: stdio('everything') })
  expect(await execute(declared({ server: 'other', tool: 'add' }))).toMatchObject({
    ok: false,
    error: {
      code: 'MCP_FAILED',
      message: 'There is no MCP server "other".',
      hints: ['Add it to `mcpServers`; configured: s.'],
    },
  })
})

test('a tool that the server does not have is its refusal, not to be repeated', async () => {
  const { execute } = executorOn({ s: stdio('everything') })
  const outcome = await execute(declared({ server: 's', tool: 'none' }))
  expect(outcome).toMatchObject({ ok: false, error: { code: 'MCP_FAILED' } })
  expect(outcome).not.toHaveProperty('again')
})

test('what may go well later says so: a lost connection at once, a server that fails after a pause', async () => {
  const { execute } = executorOn({ s: stdio('everything'), gone: { command: 'false' } })
  expect(await execute(declared({ server: 's', tool: 'die' }))).toMatchObject({ ok: false, again: {} })
  expect(await execute(declared({ server: 'gone', tool: 'x' }))).toMatchObject({ ok: false, again: {} })
  expect(await execute(declared({ server: 'gone', tool: 'x' }))).toMatchObject({
    ok: false,
    again: { afterMs: expect.any(Number) },
  })
})
