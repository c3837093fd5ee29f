import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readAllowedTools } from '../../src/skills/allowed-tools.ts'
import { readFrontmatter } from '../../src/skills/frontmatter.ts'
import { parseSimpleYaml } from '../../src/skills/parse-simple-yaml.ts'

const at = { file: 'SKILL.md', firstLine: 2 }

test('the fast reader agrees with the full parser wherever it answers', () => {
  const keys = ['name', 'a-b', '_x', 'key']
  const values = [
    'text',
    'two words',
    'a: b',
    'a #b',
    'a#b',
    'ends:',
    'true',
    'Null',
    '12',
    '1e3',
    '"quoted"',
    "'single'",
    '"a \\n"',
    "'it''s'",
    '[a, b]',
    '{a: b}',
    '&x',
    '*x',
    '!t',
    '|',
    '>',
    '- a',
    '~',
    '',
    '  padded  ',
    'x\ty',
    'ünïcode — “ok”',
    'http://x.y',
    'v1.0',
    'yes',
    '.5',
    'a, b [c] {d}',
    '"a" b',
    'null value',
    '@at',
    '`tick`',
    '%p',
    '?q',
    'a\u2028b',
  ]
  let answered = 0
  for (const key of keys)
    for (const first of values)
      for (const second of values)
        for (const yaml of [
          `${key}: ${first}\nother: ${second}`,
          `map:\n  ${key}: ${first}\n  z: ${second}`,
          `${key}:\n  ${first}`,
        ]) {
          const fast = parseSimpleYaml(yaml)
          if (!fast) continue
          answered++
          expect(fast, yaml).toEqual(parse(yaml))
        }
  expect(answered).toBeGreaterThan(1000)
})

test.each([
  ['description: Use when: x', 'Use when: x'],
  ['description: Extract text: tables\n  and more: things', 'Extract text: tables and more: things'],
  ['description: [draft] do it', '[draft] do it'],
  ['description: @mention people', '@mention people'],
])('%s is mended by quoting', (yaml, description) => {
  const { fields, diagnostics } = readFrontmatter(`name: x\n${yaml}\nlicense: MIT`, at)
  expect(fields).toEqual({ name: 'x', description, license: 'MIT' })
  expect(diagnostics).toMatchObject([{ code: 'frontmatter-repaired', line: 3 }])
})

test('block scalars keep their colons while another value is mended', () => {
  const { fields } = readFrontmatter('description: |\n  Use: this\nnote: a: b', at)
  expect(fields).toEqual({ description: 'Use: this\n', note: 'a: b' })
})

test('mending takes linear time on hostile input', () => {
  const start = performance.now()
  readFrontmatter(`a: b: ${' '.repeat(200_000)}x\n${'k: v: w\n'.repeat(2000)}`, at)
  expect(performance.now() - start).toBeLessThan(5000)
})

test.each([
  ['Bash Read', [{ tool: 'Bash' }, { tool: 'Read' }]],
  ['Bash, Read', [{ tool: 'Bash' }, { tool: 'Read' }]],
  [
    ['Bash', 'Read'],
    [{ tool: 'Bash' }, { tool: 'Read' }],
  ],
  [
    'Bash(git *), Bash(npm run *) Read',
    [{ tool: 'Bash', pattern: 'git *' }, { tool: 'Bash', pattern: 'npm run *' }, { tool: 'Read' }],
  ],
  ['', []],
  [{ a: 1 }, undefined],
])('allowed-tools %j', (value, expected) => {
  expect(readAllowedTools(value)).toEqual(expected)
})
