import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostTool, RuntimeEvent, RuntimeOptions, Session } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const ada = { id: 'ada', roles: ['teacher'] }
const bob = { id: 'bob', roles: [] }
const today: HostTool = { name: 'today', description: 'Today.', run: () => 'today' }

async function makeSessions(options: RuntimeOptions = {}) {
  const folder = makeFolder({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/where.sh': '# Says where.\npwd\n',
    'b/SKILL.md': skillMd('b'),
    'b/scripts/wait.sh': '# Waits.\nsleep 30\n',
  })
  const runtime = await makeRuntime(folder, { tools: [today], ...options })
  return { runtime, folder }
}

const idsOf = async (session: Session) => (await session.tools()).map(tool => tool.id)

test('a session sees the static tools and those of its active skills', async () => {
  const { runtime } = await makeSessions()
  const session = await runtime.sessions.open()
  expect(await idsOf(session)).toEqual(['today'])
  expect(await session.useSkill('a')).toEqual(['a', 'a.where'])
  expect(await idsOf(session)).toEqual(['today', 'a', 'a.where'])
  expect(await session.listActiveSkills()).toEqual(['a'])
  expect(await session.removeSkill('a')).toEqual(['a', 'a.where'])
  expect(await idsOf(session)).toEqual(['today'])
  await expect(session.removeSkill('a')).rejects.toMatchObject({ code: 'SKILL_NOT_ACTIVE' })
  await expect(session.useSkill('aa')).rejects.toMatchObject({
    code: 'SKILL_NOT_FOUND',
    hints: ['Did you mean a?', 'Did you mean b?'],
  })
})

test('a tool of a skill that is not active is not there, and the answer says how to get it', async () => {
  const { runtime } = await makeSessions()
  const session = await runtime.sessions.open()
  expect(await session.call({ toolId: 'a.where' })).toMatchObject({
    ok: false,
    error: { code: 'TOOL_NOT_FOUND', hints: ['useSkill("a") activates it.'] },
  })
  await session.useSkill('a')
  expect(await session.call({ toolId: 'a.where' })).toMatchObject({ ok: true })
  expect(await session.call({ toolId: 'today' })).toMatchObject({ ok: true, data: 'today' })
})

test('each session works in its own workspace', async () => {
  const { runtime } = await makeSessions()
  const workspaces = [makeFolder(), makeFolder()]
  const places = await Promise.all(
    workspaces.map(async workspace => {
      const session = await runtime.sessions.open({ workspace })
      await session.useSkill('a')
      const result = await session.call({ toolId: 'a.where' })
      return result.ok && result.data
    }),
  )
  expect(places).toEqual(workspaces)
  const file = join(makeFolder({ f: '' }), 'f')
  await expect(runtime.sessions.open({ workspace: file })).rejects.toThrow(TypeError)
})

test('only its own caller finds a session again, and with the same roles', async () => {
  const { runtime } = await makeSessions()
  const session = await runtime.sessions.open({ caller: ada })
  expect(await runtime.sessions.get(session.id, { caller: ada })).toBe(session)
  expect(await runtime.sessions.get(session.id, { caller: bob })).toBeUndefined()
  expect(await runtime.sessions.get(session.id)).toBeUndefined()
  expect(await runtime.sessions.get(session.id, { caller: { ...ada, roles: [] } })).toBeUndefined()
  await session.close()
  expect(await runtime.sessions.get(session.id, { caller: ada })).toBeUndefined()
})

test('a caller without the role can neither activate nor call, and is not told that the skill exists', async () => {
  const { runtime } = await makeSessions({ dynamicToolRoles: ['teacher'] })
  const [of, other] = [await runtime.sessions.open({ caller: ada }), await runtime.sessions.open({ caller: bob })]
  expect(await of.useSkill('a')).toContain('a.where')
  await expect(other.useSkill('a')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', hints: [] })
  expect(await other.call({ toolId: 'a.where' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND', hints: [] } })
  await expect(other.useSkill('mine', { content: skillMd('mine') })).rejects.toMatchObject({ code: 'SKILL_REFUSED' })
})

test('events reach their own session alone, and the audit names it', async () => {
  const audit = join(makeFolder(), 'audit.jsonl')
  const { runtime } = await makeSessions({ audit })
  const [one, two] = [await runtime.sessions.open(), await runtime.sessions.open({ expandBeforeCall: false })]
  const heard: Record<string, RuntimeEvent[]> = { one: [], two: [] }
  one.on('*', event => heard['one']!.push(event))
  two.on('discovery.call_tool', event => heard['two']!.push(event))
  await one.useSkill('a')
  await one.call({ toolId: 'a.where' })
  await two.discovery.list()
  await two.discovery.call_tool({ tool_id: 'today' })
  await runtime.call({ toolId: 'today' })
  expect(heard['one']!.map(event => [event.type, event.sessionId])).toEqual([['dynamic_tool.call', one.id]])
  expect(heard['two']!.map(event => [event.type, event.sessionId])).toEqual([['discovery.call_tool', two.id]])
  const lines = readFileSync(audit, 'utf8').trim().split('\n')
  const ids = lines.map(line => JSON.parse(line).session_id)
  expect(ids).toEqual([null, one.id, two.id, two.id, two.id, null])
})

test('discovery reaches what is not active, and what one session expanded the other did not', async () => {
  const { runtime } = await makeSessions()
  const [one, two] = [await runtime.sessions.open(), await runtime.sessions.open()]
  expect(await one.discovery.expand_tool({ tool_id: 'a.where' })).toMatchObject({ tool_id: 'a.where' })
  expect(await one.discovery.call_tool({ tool_id: 'a.where' })).toMatchObject({ ok: true })
  expect(await two.discovery.call_tool({ tool_id: 'a.where' })).toMatchObject({ error: { code: 'NOT_EXPANDED' } })
})

test('closing ends the running calls of this session alone', async () => {
  const { runtime } = await makeSessions()
  const [one, two] = [await runtime.sessions.open(), await runtime.sessions.open()]
  await one.useSkill('b')
  await two.useSkill('a')
  const call = one.call({ toolId: 'b.wait' })
  await new Promise(resolve => setTimeout(resolve, 300))
  await one.close()
  expect(await call).toMatchObject({ ok: false, error: { code: 'SESSION_CLOSED' } })
  expect(await one.call({ toolId: 'today' })).toMatchObject({ error: { code: 'SESSION_CLOSED' } })
  expect(await one.discovery.list()).toMatchObject({ error: { code: 'SESSION_CLOSED' } })
  await expect(one.tools()).rejects.toMatchObject({ code: 'SESSION_CLOSED' })
  expect(await two.call({ toolId: 'a.where' })).toMatchObject({ ok: true })
})

test('a change of what it sees is told: by activation, removal, or on disk', async () => {
  const { runtime, folder } = await makeSessions()
  const [one, two] = [await runtime.sessions.open(), await runtime.sessions.open()]
  const told = { one: 0, two: 0 }
  const stop = one.onToolsChanged(() => void told.one++)
  two.onToolsChanged(() => void told.two++)
  await one.useSkill('a')
  expect(told).toEqual({ one: 1, two: 0 })
  await one.useSkill('a')
  expect(told.one).toBe(1)
  writeFileSync(join(folder, 'a/scripts/more.sh'), '# More.\necho more\n')
  await runtime.tools()
  await expect.poll(() => told).toEqual({ one: 2, two: 0 })
  await one.removeSkill('a')
  expect(told.one).toBe(3)
  stop()
  await one.useSkill('a')
  expect(told).toEqual({ one: 3, two: 0 })
})
