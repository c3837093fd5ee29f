import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { RuntimeOptions } from '../../src/index.ts'
import { createInlineSkills } from '../../src/sessions/inline-skills.ts'
import { bad, good } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

const tool = (name: string, script: string) =>
  `  - { name: ${name}, description: "Counts the ${name}.", backend: { type: script, interpreter: bash, script: '${script}' } }\n`
const content = skillMd('pets', `tools:\n${tool('cats', 'echo $SKILL_DIR')}`, '# Pets\nBe kind.\n')

async function makePlace(options: RuntimeOptions = {}) {
  const folder = makeFolder({ 'a/SKILL.md': skillMd('a') })
  const today = { name: 'today', description: 'Today.', run: () => 'today' }
  return { folder, runtime: await makeRuntime(folder, { tools: [today], ...options }) }
}

test('a skill that is handed over brings its tools and its prompt to this session alone', async () => {
  const { runtime } = await makePlace()
  const [one, two] = [await runtime.sessions.open(), await runtime.sessions.open()]
  expect(await one.useSkill('pets', { content })).toEqual(['pets', 'pets.cats'])
  expect(await one.listActiveSkills()).toEqual(['pets'])
  expect(await one.call({ toolId: 'pets.cats' })).toMatchObject({ ok: true })
  expect(await one.call({ toolId: 'pets' })).toMatchObject({ data: expect.stringContaining('Be kind.') })

  expect((await two.tools()).map(one => one.id)).toEqual(['today'])
  expect(await two.call({ toolId: 'pets.cats' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND', hints: [] } })
  await expect(two.useSkill('pets')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND', hints: [] })
  expect(await runtime.call({ toolId: 'pets.cats' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
  expect((await runtime.listSkills()).map(skill => skill.id)).toEqual(['a'])
})

test('two sessions at once hand over skills of one name and never meet', async () => {
  const { runtime } = await makePlace()
  const sessions = await Promise.all(
    [0, 1, 2, 3].map(async number => {
      const session = await runtime.sessions.open()
      await session.useSkill('same', { content: skillMd('same', `tools:\n${tool(`own${number}`, `echo ${number}`)}`) })
      return session
    }),
  )
  await Promise.all(
    sessions.map(async (session, number) => {
      for (let round = 0; round < 5; round++) {
        const found = good(await session.discovery.search_tool_by_category({ query: 'counts the own' }))
        const ids = found.results.map(one => one.tool_id).filter(id => id.startsWith('same.'))
        expect(ids).toEqual([`same.own${number}`])
        expect(await session.call({ toolId: `same.own${number}` })).toMatchObject({ data: String(number) })
        const other = `same.own${(number + 1) % 4}`
        expect(JSON.stringify(bad(await session.discovery.expand_tool({ tool_id: other })).hints)).not.toContain(other)
      }
    }),
  )
  const outside = good(await runtime.discovery.list())
  expect(JSON.stringify(outside)).not.toContain('same')
})

test('its files are private and go with the session or the skill', async () => {
  const { runtime } = await makePlace()
  const session = await runtime.sessions.open()
  await session.useSkill('pets', { content })
  const result = await session.call({ toolId: 'pets.cats' })
  const folder = String(result.ok && result.data)
  expect(statSync(dirname(folder)).mode & 0o777).toBe(0o700)
  expect(await session.removeSkill('pets')).toEqual(['pets', 'pets.cats'])
  expect(await session.tools()).toHaveLength(1)
  expect(existsSync(folder)).toBe(false)
  await session.useSkill('pets', { content })
  expect(existsSync(folder)).toBe(true)
  await session.close()
  expect(existsSync(dirname(folder))).toBe(false)
})

test('it can be handed over again, changed', async () => {
  const { runtime } = await makePlace()
  const session = await runtime.sessions.open()
  await session.useSkill('pets', { content })
  const changed = skillMd('pets', `tools:\n${tool('dogs', 'echo woof')}`)
  expect(await session.useSkill('pets', { content: changed })).toEqual(['pets', 'pets.dogs'])
  expect(await session.call({ toolId: 'pets.dogs' })).toMatchObject({ data: 'woof' })
  expect(await session.call({ toolId: 'pets.cats' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
})

test.each([
  ['a', content, 'SKILL_EXISTS'],
  ['today', content, 'SKILL_EXISTS'],
  ['pets', skillMd('pets', `tools:\n${tool('today', 'echo evil')}`), 'SKILL_EXISTS'],
  ['pets', `${content}${'x'.repeat(256 * 1024)}`, 'SKILL_REFUSED'],
  ['pets', 'no frontmatter', 'SKILL_REFUSED'],
  ['pets', '---\nname: pets\n---\n', 'SKILL_REFUSED'],
])('%s is refused with %#: nothing is overridden, and what is wrong is said', async (name, text, code) => {
  const { runtime } = await makePlace()
  const session = await runtime.sessions.open()
  await expect(session.useSkill(name, { content: text })).rejects.toMatchObject({
    code,
    nextAction: expect.any(String),
  })
  expect((await session.tools()).map(one => one.id)).toEqual(['today'])
  expect(await session.call({ toolId: 'today' })).toMatchObject({ data: 'today' })
})

test('a name cannot climb out of the private folder', async () => {
  const { runtime } = await makePlace()
  const session = await runtime.sessions.open()
  expect(await session.useSkill('../../etc/x', { content })).toEqual(['etc-x', 'etc-x.cats'])
  expect(await session.useSkill('p:q', { content })).toEqual(['p-q', 'p-q.cats'])
})

test('a skill that appears on disk later wins over one that was handed over', async () => {
  const { runtime, folder } = await makePlace()
  const session = await runtime.sessions.open()
  await session.useSkill('pets', { content })
  mkdirSync(join(folder, 'pets/scripts'), { recursive: true })
  writeFileSync(join(folder, 'pets/SKILL.md'), skillMd('pets'))
  writeFileSync(join(folder, 'pets/scripts/birds.sh'), '# Birds.\necho tweet\n')
  expect((await session.tools()).map(one => one.id)).toEqual(['today', 'pets', 'pets.birds'])
})

test('handing over can be switched off, and so it is where skills are', async () => {
  for (const options of [{ inlineSkills: false }, { dynamicTools: false }]) {
    const session = await (await makePlace(options)).runtime.sessions.open()
    await expect(session.useSkill('pets', { content })).rejects.toMatchObject({ code: 'SKILL_REFUSED' })
  }
})

test('policies can tell where it comes from', async () => {
  const inline = createInlineSkills({ timeoutMs: 1000, staticTools: [] })
  const report = {
    tools: [],
    leftOut: [],
    diagnostics: [],
    counts: { skills: 0, ok: 0, invalid: 0, shadowed: 0, leftOut: 0 },
  }
  const base = { id: 'base', skills: new Map(), tools: new Map(), report }
  const { skills } = await inline.over(base, [{ id: 'pets', content }])
  inline.dispose()
  expect(skills.get('pets')).toMatchObject({ source: 'inline' })
})

test('one bad tool does not keep its siblings out, and a call of it says what is wrong', async () => {
  const { runtime } = await makePlace()
  const session = await runtime.sessions.open()
  const mixed = skillMd(
    'pets',
    `tools:\n${tool('cats', 'echo meow')}  - { name: dogs, description: x, backend: { type: smoke } }\n`,
  )
  expect(await session.useSkill('pets', { content: mixed })).toEqual(['pets', 'pets.cats'])
  const result = await session.call({ toolId: 'pets.dogs' })
  expect(result).toMatchObject({ ok: false, error: { message: 'backend.type is not known.' } })
})
