import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../src/skills/load-skills.ts'
import { makeFolder, skillMd } from '../support/folders.ts'

const load = (...paths: string[]) => loadSkills(paths.map((path, i) => ({ name: `source-${i}`, path })))
const codes = (loaded: Awaited<ReturnType<typeof load>>) => loaded.diagnostics.map(one => one.code)

test('a folder with ten skills, six of them faulty, loads all that can be and names each problem once', async () => {
  const folder = makeFolder({
    'good-one/SKILL.md': skillMd('good-one'),
    'good-two/SKILL.md': skillMd('good-two'),
    'good-three/SKILL.md': skillMd('good-three'),
    'good-four/skill.md': skillMd('good-four'),
    'bare/SKILL.md': '# No frontmatter\n',
    'bom/SKILL.md': `\uFEFF${skillMd('bom')}`,
    'crlf/SKILL.md': skillMd('crlf').replaceAll('\n', '\r\n'),
    'colon/SKILL.md': '---\nname: colon\ndescription: Use when: the user asks\n---\nBody\n',
    'wrong/SKILL.md': skillMd('Wrong Name!'),
    'linked/SKILL.md': skillMd('linked'),
  })
  symlinkSync('nowhere.py', join(folder, 'linked', 'gone.py'))

  const loaded = await load(folder)

  expect([...loaded.skills.keys()].sort()).toEqual(
    ['bom', 'colon', 'crlf', 'good-four', 'good-one', 'good-three', 'good-two', 'linked', 'wrong-name'].sort(),
  )
  expect(loaded.skills.get('colon')?.description).toBe('Use when: the user asks')
  expect(codes(loaded).sort()).toEqual(
    [
      'byte-order-mark',
      'crlf-line-ends',
      'frontmatter-missing',
      'frontmatter-repaired',
      'link-broken',
      'name-invalid',
    ].sort(),
  )
  for (const diagnostic of loaded.diagnostics) expect(diagnostic.hint).not.toBe('')
  expect(loaded.diagnostics.find(one => one.code === 'frontmatter-repaired')).toMatchObject({
    file: join(folder, 'colon', 'SKILL.md'),
    line: 3,
  })
})

test('on a name clash the later source wins and the loser is reported', async () => {
  const low = makeFolder({ 'same/SKILL.md': skillMd('same', 'version: low\n') })
  const high = makeFolder({ 'same/SKILL.md': skillMd('same', 'version: high\n') })
  const loaded = await load(low, high)
  expect(loaded.skills.get('same')?.frontmatter['version']).toBe('high')
  expect(loaded.diagnostics).toMatchObject([{ code: 'name-taken', file: join(low, 'same', 'SKILL.md') }])
})

test('two skills of one source with the same name are told apart by their folders', async () => {
  const loaded = await load(makeFolder({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('a') }))
  expect([...loaded.skills.keys()]).toEqual(['a', 'b'])
  expect(codes(loaded)).toContain('name-taken')
})

test('plugins and marketplaces qualify the names of their skills', async () => {
  const loaded = await load(
    makeFolder({
      'one/.claude-plugin/plugin.json': '{"name": "data-tools"}',
      'one/skills/csv/SKILL.md': skillMd('csv'),
      'market/.claude-plugin/marketplace.json':
        '{"plugins": [{"name": "office", "source": "./", "skills": ["./skills/pdf"]}, {"name": "far", "source": {"source": "github"}}]}',
      'market/skills/pdf/SKILL.md': skillMd('pdf'),
      'market/skills/free/SKILL.md': skillMd('free'),
      'bad/.claude-plugin/plugin.json': '{',
      'bad/SKILL.md': skillMd('bad'),
    }),
  )
  expect([...loaded.skills.keys()].sort()).toEqual(['bad', 'data-tools:csv', 'free', 'office:pdf'])
  expect(codes(loaded)).toEqual(['plugin-unreadable'])
})

test('the walk enters dot-folders and nested skills, stops at depth 6 and never enters node_modules', async () => {
  const loaded = await load(
    makeFolder({
      '.curated/a/SKILL.md': skillMd('a'),
      '.curated/a/inner/b/SKILL.md': skillMd('b'),
      '1/2/3/4/5/c/SKILL.md': skillMd('c'),
      '1/2/3/4/5/6/d/SKILL.md': skillMd('d'),
      'node_modules/e/SKILL.md': skillMd('e'),
      '__pycache__/f/SKILL.md': skillMd('f'),
    }),
  )
  expect([...loaded.skills.keys()].sort()).toEqual(['a', 'b', 'c'])
})

test('links are followed inside the source only, and loops end', async () => {
  const outside = makeFolder({ 'far/SKILL.md': skillMd('far') })
  const folder = makeFolder({ 'pool/near/SKILL.md': skillMd('near') })
  symlinkSync(join(outside, 'far'), join(folder, 'far'))
  symlinkSync('pool/near', join(folder, 'again'))
  symlinkSync('.', join(folder, 'loop'))
  const loaded = await load(folder)
  expect([...loaded.skills.keys()]).toEqual(['near'])
  expect(loaded.diagnostics).toMatchObject([{ code: 'link-outside', file: join(folder, 'far') }])
})

test('only a missing description or unreadable YAML makes a skill unusable', async () => {
  const loaded = await load(
    makeFolder({
      'a/SKILL.md': '---\nname: a\n---\n',
      'b/SKILL.md': '---\nname: b\ndescription: x\nlist: [1, 2\n<<<<<<< HEAD\n---\n',
      'c/SKILL.md': '---\nname: c\ndescription: never closed\n',
      'd/SKILL.md': `---\ndescription: ${'long '.repeat(300)}\nmetadata:\n  a:\n    b: 1\n---\n`,
      'e/SKILL.md': '---\nname: e\nname: e\ndescription: twice\nallowed-tools: 7\n---\n',
    }),
  )
  expect([...loaded.skills.keys()]).toEqual(['d', 'e'])
  expect(codes(loaded)).toEqual([
    'description-missing',
    'frontmatter-unreadable',
    'frontmatter-unreadable',
    'description-too-long',
    'name-missing',
    'metadata-nested',
    'key-repeated',
    'allowed-tools-unreadable',
  ])
  expect(loaded.skills.get('e')?.allowedTools).toEqual([])
})

test('a YAML alias bomb is a diagnostic', async () => {
  const bomb = Array.from({ length: 30 }, (_, i) =>
    `k${i + 1}: [${Array(9).fill(`*a${i}`).join(', ')}]`.replace(':', `: &a${i + 1}`),
  )
  const loaded = await load(makeFolder({ 'x/SKILL.md': `---\ndescription: x\nk0: &a0 [1]\n${bomb.join('\n')}\n---\n` }))
  expect(codes(loaded)).toEqual(['frontmatter-unreadable'])
})

test('a source that is not there is a warning', async () => {
  expect(codes(await load('/nowhere/at/all'))).toEqual(['source-missing'])
})
