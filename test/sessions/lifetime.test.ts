import { join } from 'node:path'
import { afterEach, expect, vi } from 'vitest'
import type { SessionRecord, SessionStore } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

const source = () => makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/scripts/nap.sh': '# Naps.\nsleep 0.3; echo up\n' })
const content = skillMd(
  'pets',
  'tools:\n  - { name: cats, description: Cats., backend: { type: script, interpreter: bash, script: echo meow } }\n',
)

const RECORD = { id: 'mine', workspace: '/', ttlMs: 1000, expandBeforeCall: true, activeSkills: [], inlineSkills: [] }

afterEach(() => void vi.useRealTimers())

test('a session lives as long as it is used, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const runtime = await makeRuntime(source())
  const session = await runtime.sessions.open({ ttlMs: 1000 })
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(900)
    expect(await session.listActiveSkills()).toEqual([])
  }
  vi.advanceTimersByTime(900)
  expect(await runtime.sessions.get(session.id)).toBe(session)
  vi.advanceTimersByTime(1000)
  expect(await session.call({ toolId: 'a' })).toMatchObject({ error: { code: 'SESSION_CLOSED' } })
  expect(await session.discovery.list()).toMatchObject({ error: { code: 'SESSION_CLOSED' } })
  expect(await runtime.sessions.get(session.id)).toBeUndefined()
  expect((await runtime.sessions.open({ id: session.id })).id).toBe(session.id)
})

test('a running call keeps its session alive', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const runtime = await makeRuntime(source())
  const session = await runtime.sessions.open({ ttlMs: 1000 })
  await session.useSkill('a')
  const call = session.call({ toolId: 'a.nap' })
  await new Promise(resolve => setTimeout(resolve, 100))
  vi.advanceTimersByTime(5000)
  expect(await runtime.sessions.get(session.id)).toBe(session)
  expect(await call).toMatchObject({ ok: true, data: 'up' })
  expect(await session.listActiveSkills()).toEqual(['a'])
})

test('only so many are open at once; one that expired makes room', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const runtime = await makeRuntime(source(), { maxSessions: 2 })
  const first = await runtime.sessions.open({ ttlMs: 1000 })
  await runtime.sessions.open()
  await expect(runtime.sessions.open()).rejects.toMatchObject({ code: 'TOO_MANY_SESSIONS' })
  vi.advanceTimersByTime(1000)
  const third = await runtime.sessions.open()
  await expect(runtime.sessions.open()).rejects.toMatchObject({ code: 'TOO_MANY_SESSIONS' })
  await third.close()
  await runtime.sessions.open()
  expect(await runtime.sessions.get(first.id)).toBeUndefined()
})

test('no more are open when many ask at the same time', async () => {
  const runtime = await makeRuntime(source(), { maxSessions: 2 })
  const opened = await Promise.allSettled(Array.from({ length: 20 }, () => runtime.sessions.open()))
  expect(opened.filter(one => one.status === 'fulfilled')).toHaveLength(2)
})

test('a session that could not be stored takes no place', async () => {
  const kept = new Map<string, string>()
  const store = textStore(kept)
  let isDown = true
  const put: SessionStore['put'] = async (record, expiresAt) => {
    if (isDown) throw new Error('the store is down')
    await store.put(record, expiresAt)
  }
  const runtime = await makeRuntime(source(), { maxSessions: 1, sessionStore: { ...store, put } })
  for (let i = 0; i < 3; i++) await expect(runtime.sessions.open({ id: 'mine' })).rejects.toThrow('the store is down')
  isDown = false
  expect((await runtime.sessions.open({ id: 'mine' })).id).toBe('mine')
})

test.each([
  ['no record', { expiresAt: 9e15 }],
  ['a text', 'garbage'],
  ['a record without skills', { record: { id: 'mine', workspace: '/', ttlMs: 1000 }, expiresAt: 9e15 }],
  ['a name that climbs', { record: { ...RECORD, inlineSkills: [{ id: '../../x', content }] }, expiresAt: 9e15 }],
  ['the record of another', { record: { ...RECORD, id: 'other' }, expiresAt: 9e15 }],
])('a store that gives %s is said to, and nothing is made of it', async (_, garbage) => {
  const kept = new Map<string, string>()
  const store: SessionStore = { ...textStore(kept), get: async () => garbage as never }
  const runtime = await makeRuntime(source(), { sessionStore: store })
  await expect(runtime.sessions.get('mine')).rejects.toThrow('The session store gave something that is no session')
  const later = await makeRuntime(source(), {
    sessionStore: { ...textStore(kept), get: async id => (kept.has(id) ? (garbage as never) : undefined) },
  })
  const session = await later.sessions.open({ id: 'mine' })
  expect(await session.call({ toolId: 'a' })).toMatchObject({ ok: false, error: { code: 'INTERNAL' } })
})

test('an id is taken once, also by two at the same time', async () => {
  const runtime = await makeRuntime(source())
  const opened = await Promise.allSettled([1, 2, 3].map(() => runtime.sessions.open({ id: 'mine' })))
  expect(opened.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  await expect(runtime.sessions.open({ id: 'mine' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
})

test.each([
  [{ id: '' }, 'id'],
  [{ id: '../x' }, 'id'],
  [{ ttlMs: 0 }, 'ttlMs'],
  [{ ttlMs: Number.NaN }, 'ttlMs'],
  [{ workspace: '/nowhere/at/all' }, 'workspace'],
  [{ caller: { id: 'x' } as never }, 'caller'],
])('%o is a mistake', async (options, named) => {
  const runtime = await makeRuntime(source())
  await expect(runtime.sessions.open(options)).rejects.toThrow(new RegExp(`^${named}: `))
})

test('what the store keeps is plain data, and another process takes the session up with it', async () => {
  const kept = new Map<string, string>()
  const workspace = makeFolder()
  const folder = source()
  const one = await makeRuntime(folder, { sessionStore: textStore(kept) })
  const session = await one.sessions.open({ workspace, caller: { id: 'ada', roles: ['x'] } })
  await session.useSkill('a')
  await session.useSkill('pets', { content })
  await one.close()

  const two = await makeRuntime(folder, { sessionStore: textStore(kept) })
  expect(await two.sessions.get(session.id)).toBeUndefined()
  const again = await two.sessions.get(session.id, { caller: { id: 'ada', roles: ['x'] } })
  expect(again?.workspace).toBe(workspace)
  expect(await again?.listActiveSkills()).toEqual(['a', 'pets'])
  expect(await again?.call({ toolId: 'pets.cats' })).toMatchObject({ data: 'meow' })
  await again?.close()
  expect(kept.size).toBe(0)
})

test('two processes on one store see what the other changed', async () => {
  const kept = new Map<string, string>()
  const folder = source()
  const [one, two] = await Promise.all(
    [1, 2].map(() => makeRuntime(folder, { sessionStore: textStore(kept), workspace: makeFolder(), audit: false })),
  )
  const here = await one!.sessions.open()
  const there = (await two!.sessions.get(here.id))!
  await here.useSkill('a')
  expect((await there.tools()).map(tool => tool.id)).toEqual(['a', 'a.nap'])
  await there.close()
  await expect(here.tools()).rejects.toMatchObject({ code: 'SESSION_CLOSED' })
})

test('changes at the same time are all made', async () => {
  const files = Array.from({ length: 10 }, (_, i) => [join(`s${i}`, 'SKILL.md'), skillMd(`s${i}`)])
  const runtime = await makeRuntime(makeFolder(Object.fromEntries(files)))
  const session = await runtime.sessions.open()
  await Promise.all(files.map((_, i) => session.useSkill(`s${i}`)))
  expect(await session.listActiveSkills()).toHaveLength(10)
})

/** Keeps texts, as a store in another process would. */
function textStore(kept: Map<string, string>): SessionStore {
  return {
    async get(id) {
      const text = kept.get(id)
      return text === undefined ? undefined : (JSON.parse(text) as { record: SessionRecord; expiresAt: number })
    },
    async put(record, expiresAt) {
      kept.set(record.id, JSON.stringify({ record, expiresAt }))
    },
    async touch(id, expiresAt) {
      const text = kept.get(id)
      if (text !== undefined) kept.set(id, JSON.stringify({ ...JSON.parse(text), expiresAt }))
    },
    async delete(id) {
      kept.delete(id)
    },
  }
}
