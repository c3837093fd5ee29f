import { expect, test } from 'vitest'
import { mountServers } from '../../src/compile/mount-servers.ts'
import type { Snapshot, Tool } from '../../src/types.ts'

const hostTool: Tool = {
  id: 's.ok',
  name: 'ok',
  skill: 'host',
  description: 'Of the host.',
  inputSchema: {},
  executor: { type: 'host', name: 'ok' },
  timeoutMs: 1,
  origin: 'host',
}
const base: Snapshot = {
  id: 'base',
  skills: new Map(),
  tools: new Map([['s.ok', hostTool]]),
  report: {
    tools: [],
    leftOut: [],
    diagnostics: [],
    counts: { skills: 0, ok: 1, invalid: 0, shadowed: 0, leftOut: 0 },
  },
}
const served = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } })

test('a tool that is there already wins; the snapshot before stays as it was', () => {
  const listing = { server: 's', tools: [served('ok'), served('more')], refused: [], unknownKeys: [] }
  const mounted = mountServers(base, [listing], { timeoutMs: 5 })
  expect(mounted.tools.get('s.ok')).toBe(hostTool)
  expect(mounted.tools.get('s.more')?.executor).toEqual({ type: 'mcp', server: 's', tool: 'more' })
  expect(mounted.report.counts).toMatchObject({ ok: 2, shadowed: 1 })
  expect(mounted.id).not.toBe(base.id)
  expect([...base.tools.keys()]).toEqual(['s.ok'])
})

test('without servers the snapshot is the same', () => {
  expect(mountServers(base, [], { timeoutMs: 5 })).toBe(base)
})
