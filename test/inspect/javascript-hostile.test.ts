import { expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'

// Far above what they take, and far below what quadratic work would: the machine may be busy.
const SOON = 2_000

test('a script of 1 MB gives a free-form tool, at once', () => {
  const line = 'const value = process.argv[2] || "nothing";\n'
  const found = inspect(`// Says what it was given.\n${line.repeat(Math.ceil(1_048_576 / line.length))}`)
  expect(found).toMatchObject({ runs: true, confidence: 'none', commands: [], description: 'Says what it was given.' })
  expect(found.notes[0]?.message).toContain('too large')
})

test('a minified bundle gives a free-form tool, at once', () => {
  const found = inspect(`(()=>{${'var a=process.argv.slice(2);function b(c){return c+a[0]};'.repeat(900)}})();`)
  expect(found).toMatchObject({ confidence: 'none', commands: [] })
})

test('a binary file is no script', () => {
  const found = inspect(`\u007fELF\u0002\u0001\u0000\u0000${'\u0000\u0001ü'.repeat(2_000)}`)
  expect(found).toMatchObject({ runs: false, confidence: 'none', commands: [] })
})

test('bytes that are not UTF-8 do not keep the rest from being read', () => {
  const text = Buffer.concat([
    Buffer.from('// caf'),
    Buffer.from([0xe9, 0xff, 0xfe]),
    Buffer.from('\nconst name = process.argv[2]\nif (!name) process.exit(1)\nconsole.log(name)\n'),
  ]).toString('utf8')
  const found = inspect(text)
  expect(found.confidence).toBe('exact')
  expect(found.commands[0]?.convention.parameters.map(({ name, required }) => ({ name, required }))).toEqual([
    { name: 'name', required: true },
  ])
})

test('a syntax error gives a note with its line and a free-form tool', () => {
  const found = inspect('// Prints.\nconst name = process.argv[2]\nconsole.log(name\nif (')
  expect(found).toMatchObject({ confidence: 'none', commands: [], description: 'Prints.' })
  expect(found.notes[0]).toMatchObject({ message: 'the file has a syntax error' })
  expect(found.notes[0]?.line).toBeGreaterThan(2)
})

test.each([
  ['brackets', `console.log(${'['.repeat(20_000)}${']'.repeat(20_000)})`],
  ['blocks', `${'{'.repeat(20_000)}process.argv${'}'.repeat(20_000)}`],
  ['a chain of calls', `require("commander").program${'.option("--x <y>")'.repeat(3_000)}`],
  ['a sum', `const a = ${'process.argv[2] || '.repeat(4_000)}1`],
  ['functions', `${'(() => '.repeat(5_000)}process.argv${')()'.repeat(5_000)}`],
])('deep nesting of %s ends', (_, text) => {
  expect(inspect(text).confidence).toMatch(/^(?:exact|partial|none)$/)
})

test.each([
  ['names that stand for each other', 'const a = b, b = a; if (process.argv.includes(a)) console.log(b)'],
  ['constants that double', `const a0 = "xxxxxxxx";${doubling(60)}console.log(process.argv.indexOf(a60))`],
  [
    'functions that call each other',
    'function a(x) { return b(x) }\nfunction b(x) { return a(x) }\na(process.argv.slice(2))',
  ],
  [
    'objects that hold each other',
    'const a = {}, b = { a }; a.b = b; a.args = process.argv; console.log(b.a.b.args[2])',
  ],
  [
    'a command that adds itself',
    'import { Command } from "commander"\nconst c = new Command("c")\nc.addCommand(c).parse()',
  ],
  ['many flags', `const args = process.argv.slice(2)\n${flags(1_500)}`],
  ['many commands', `const c = process.argv[2]\nswitch (c) {${cases(1_500)}\ndefault: process.exit(1) }`],
  ['many options', `import { program } from 'commander'\nprogram\n${options(1_500)}\nprogram.parse()`],
])('%s are read in bounded time', (_, text) => {
  expect(inspect(text).confidence).toMatch(/^(?:exact|partial|none)$/)
})

function inspect(text: string): Inspection {
  const begin = performance.now()
  const found = inspectJavascript({ path: 'x.mjs', text, language: 'javascript', sibling: () => undefined })
  expect(performance.now() - begin).toBeLessThan(SOON)
  return found
}

function doubling(count: number): string {
  return Array.from({ length: count }, (_, i) => `const a${i + 1} = a${i} + a${i};`).join('\n')
}

function flags(count: number): string {
  return Array.from({ length: count }, (_, i) => `const f${i} = args.includes('--flag-${i}')`).join('\n')
}

function cases(count: number): string {
  return Array.from({ length: count }, (_, i) => `case 'w${i}': console.log(process.argv[3]); break;`).join('\n')
}

function options(count: number): string {
  return Array.from({ length: count }, (_, i) => `  .option('--option-${i} <value>', 'says something')`).join('\n')
}
