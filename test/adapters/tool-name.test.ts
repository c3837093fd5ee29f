import { expect, test } from 'vitest'
import { createNameTable, fromSafeName, toSafeName } from '../../src/adapters/tool-name.ts'

const SAFE = /^[a-zA-Z0-9_-]{1,64}$/

test.each([
  ['pdf-extractor', 'pdf-extractor'],
  ['pdf-extractor.extract', 'pdf-extractor__extract'],
  ['pdf-extractor.utils-parse', 'pdf-extractor__utils-parse'],
  ['data-tools:csv', 'data-tools_csv'],
  ['data-tools:csv.my_script', 'data-tools_csv__my_script'],
])('%s is called %s', (id, name) => {
  expect(toSafeName(id)).toBe(name)
})

test('names are safe, never meet and lead back, also for long and unusual identities', () => {
  const parts = ['a', 'b', 'a-b', 'a--b', 'x'.repeat(64)]
  const tools = [
    '',
    '.a',
    '.b',
    '.a_b',
    '._a',
    '.__a',
    '.a__b',
    '.a-b',
    `.${'y'.repeat(60)}`,
    `.${'y'.repeat(61)}`,
    '.ü',
    '.a.b',
    '.a b',
    '.a/b',
  ]
  const skills = [...parts, ...parts.flatMap(plugin => parts.map(skill => `${plugin}:${skill}`))]
  const ids = skills.flatMap(skill => tools.map(tool => skill + tool))
  const table = createNameTable(ids)
  expect(table.size).toBe(ids.length)
  for (const id of ids) {
    expect(toSafeName(id)).toMatch(SAFE)
    expect(table.get(toSafeName(id))).toBe(id)
    expect([id, undefined]).toContain(fromSafeName(toSafeName(id)))
  }
})

test.each(['pdf', 'pdf.extract', 'data-tools:csv', 'data-tools:csv.my_script', 'pdf._a__b'])(
  'the name of %s leads back without a table',
  id => {
    expect(fromSafeName(toSafeName(id))).toBe(id)
  },
)

test('a name that is taken is left to its holder', () => {
  const taken = new Set(['list'])
  expect(toSafeName('list', taken)).toMatch(/^list_-[0-9a-f]{12}$/)
  expect(toSafeName('lists', taken)).toBe('lists')
})
