// Killed at any moment, a target is in the old state or in the new one, and the next start finds it so.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importSkills, removeSkills, updateSkills } from '../../src/index.ts'
import { makeArchive, skillEntries } from '../support/archives.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHILD = join(import.meta.dirname, 'fixtures/killed-import.mjs')

function importAndDie(source: string, into: string, n: number): Promise<{ signal: string | null; changes: number }> {
  const child = spawn(process.execPath, [CHILD, join(ROOT, 'dist/import/import-skills.js'), source, into, String(n)])
  let stdout = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  return new Promise(resolve => child.on('close', (_, signal) => resolve({ signal, changes: Number(stdout) })))
}

const version = (text: string, names: readonly string[]) =>
  makeFolder(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, skillMd(name, '', `${text}\n`)])))

/** Everything that matters about a target: contents and lock. */
function stateOf(into: string) {
  const { skills } = JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8'))
  return {
    // The mark of a dead process may lie there until the next import.
    names: readdirSync(into)
      .filter(name => name !== '.skillwright')
      .sort(),
    bodies: readdirSync(into)
      .filter(name => existsSync(join(into, name, 'SKILL.md')))
      .map(name => readFileSync(join(into, name, 'SKILL.md'), 'utf8')),
    hashes: Object.entries<{ hash: string }>(skills).map(([name, { hash }]) => [name, hash]),
  }
}

test('kill -9 at any change of the file system leaves the old state or the new one', async () => {
  const before = makeFolder()
  await importSkills(version('old', ['a']), { into: before })
  const source = version('new', ['a', 'c'])
  const after = makeFolder()
  cpSync(before, after, { recursive: true })
  const { changes } = await importAndDie(source, after, 0)
  expect(changes).toBeGreaterThan(30)
  const [oldState, newState] = [stateOf(before), stateOf(after)]
  expect(newState.names).toEqual(['a', 'c', 'skills-lock.json'])

  // Every moment from the journal on, and some of those before it.
  const moments = Array.from({ length: changes }, (_, i) => i + 1).filter(n => n > changes - 24 || n % 9 === 0)
  const seen = new Set<string>()
  const tryMoment = async (n: number) => {
    const into = makeFolder()
    cpSync(before, into, { recursive: true })
    expect([n, (await importAndDie(source, into, n)).signal]).toEqual([n, 'SIGKILL'])
    const runtime = await makeRuntime(into)
    const ids = (await runtime.listSkills()).map(skill => skill.id)
    const state = stateOf(into)
    const which = ids.includes('c') ? 'new' : 'old'
    seen.add(which)
    expect([n, state]).toEqual([n, which === 'new' ? newState : oldState])
    expect((await importSkills(source, { into })).skills.map(one => one.status)).not.toContain('taken')
    expect(stateOf(into)).toEqual(newState)
    expect(existsSync(join(into, '.skillwright'))).toBe(false)
  }
  while (moments.length > 0) await Promise.all(moments.splice(0, 3).map(tryMoment))
  expect([...seen].sort()).toEqual(['new', 'old'])
})

test('a target without an earlier import is empty or complete after a kill', async () => {
  const source = makeArchive(join(makeFolder(), 'x.tar.gz'), skillEntries('good'))
  for (const n of [3, 9, 15]) {
    const into = join(makeFolder(), 'skills')
    expect((await importAndDie(source, into, n)).signal).toBe('SIGKILL')
    const runtime = await makeRuntime(into)
    expect([[], ['good']]).toContainEqual((await runtime.listSkills()).map(skill => skill.id))
    await importSkills(source, { into })
    expect(readdirSync(into).sort()).toEqual(['good', 'skills-lock.json'])
  }
})

test('imports at the same time wait for each other, across processes too', async () => {
  const into = join(makeFolder(), 'skills')
  const names = ['a', 'b', 'c', 'd']
  const own = names.map(name => importSkills(version('x', [name]), { into }))
  const other = importAndDie(version('x', ['e']), into, 0)
  await Promise.all([...own, other])
  const { skills } = JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8'))
  expect(Object.keys(skills)).toEqual([...names, 'e'])
  expect(readdirSync(into).sort()).toEqual([...names, 'e', 'skills-lock.json'])
})

test('the lock of a dead process is taken over, that of a living one is waited for', async () => {
  const source = version('x', ['a'])
  const into = makeFolder()
  const lock = (holder: object) => {
    mkdirSync(join(into, '.skillwright/import'), { recursive: true })
    writeFileSync(join(into, '.skillwright/import.7.lock'), JSON.stringify(holder))
    writeFileSync(join(into, '.skillwright/import/leftover'), 'x')
  }
  lock({ pid: 2 ** 22 + 1, started: '1', host: hostname() })
  expect((await importSkills(source, { into })).skills).toMatchObject([{ status: 'added' }])
  expect(existsSync(join(into, '.skillwright'))).toBe(false)

  // The same number, but another process: it was reused.
  lock({ pid: process.pid, started: '1', host: hostname() })
  expect((await importSkills(source, { into })).skills).toMatchObject([{ status: 'unchanged' }])

  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'latin1')
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  lock({ pid: process.ppid, started, host: hostname() })
  const stop = new AbortController()
  const waiting = importSkills(source, {
    into,
    signal: stop.signal,
    onProgress: ({ phase }) => phase === 'waiting' && stop.abort(),
  })
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(existsSync(join(into, '.skillwright/import/leftover'))).toBe(true)
})

test('cancelling leaves nothing behind', async () => {
  const source = makeArchive(join(makeFolder(), 'x.tar.gz'), [...skillEntries('good'), { name: 'good/%d', times: 200 }])
  const parent = makeFolder()
  const stop = new AbortController()
  const importing = importSkills(source, {
    into: join(parent, 'skills'),
    signal: stop.signal,
    onProgress: ({ entries }) => entries > 100 && stop.abort(),
  })
  await expect(importing).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(readdirSync(parent)).toEqual([])
})

test('update replaces what changed at its source, and says what did', async () => {
  const [one, two, three] = [version('1', ['a', 'b', 'c']), version('1', ['d']), version('1', ['e'])]
  const into = makeFolder()
  for (const source of [one, two, three]) await importSkills(source, { into })
  const lockBefore = readFileSync(join(into, 'skills-lock.json'), 'utf8')
  expect((await updateSkills({ into })).skills.map(skill => skill.status)).toEqual(Array(5).fill('unchanged'))
  expect(readFileSync(join(into, 'skills-lock.json'), 'utf8')).toBe(lockBefore)

  for (const name of ['a', 'b']) writeFileSync(join(one, name, 'SKILL.md'), skillMd(name, '', '2\n'))
  writeFileSync(join(into, 'b/SKILL.md'), skillMd('b', '', 'mine\n'))
  rmSync(join(one, 'c'), { recursive: true })
  rmSync(two, { recursive: true })
  const { skills } = await updateSkills({ into })
  expect(skills.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'a replaced',
    'b edited',
    'c gone',
    'd failed',
    'e unchanged',
  ])
  expect(skills[0]!.to!.hash).not.toBe(skills[0]!.from.hash)
  expect(skills.slice(1, 4).every(skill => skill.message && skill.hint)).toBe(true)
  const body = (name: string) =>
    readFileSync(join(into, name, 'SKILL.md'), 'utf8')
      .split('\n')
      .at(-2)
  expect(['a', 'b', 'c', 'd', 'e'].map(body)).toEqual(['2', 'mine', '1', '1', '1'])

  expect((await updateSkills({ into, names: ['b'], force: true })).skills).toMatchObject([{ status: 'replaced' }])
  expect(body('b')).toBe('2')
  await expect(updateSkills({ into, names: ['zzz'] })).rejects.toMatchObject({ code: 'NOT_IMPORTED' })
})

test('remove deletes folders and lock entries: all that were named, or none', async () => {
  const into = makeFolder({ 'own/SKILL.md': skillMd('own') })
  await importSkills(version('x', ['a', 'b', 'c']), { into })
  await expect(removeSkills(['a', 'own'], { into })).rejects.toMatchObject({ code: 'NOT_IMPORTED' })
  expect(existsSync(join(into, 'a'))).toBe(true)
  expect(await removeSkills(['a', 'b'], { into })).toEqual({ target: into, removed: ['a', 'b'] })
  expect(readdirSync(into).sort()).toEqual(['c', 'own', 'skills-lock.json'])
  expect(Object.keys(JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8')).skills)).toEqual(['c'])
})

test('a lock file that is not ours is not overwritten', async () => {
  const into = makeFolder({ 'skills-lock.json': '{"version": 9, "skills": {}}' })
  await expect(importSkills(version('x', ['a']), { into })).rejects.toMatchObject({ code: 'TARGET_UNUSABLE' })
  expect(readdirSync(into)).toEqual(['skills-lock.json'])
})
