import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from './support.ts'

const FILES = {
  'src/a.ts': 'import x\nexport const Alpha = 1\n// alpha\n',
  'src/b.tsx': 'const alpha = 2\r\n',
  'docs/c.md': 'no\n',
  'dist/out.js': 'alpha\n',
  'src/deep/.hidden': 'alpha\n',
  '.git/config': 'alpha\n',
  '.gitignore': 'dist/\n*.log\n',
  'x.log': 'alpha\n',
  'src/.gitignore': '!keep.log\n',
  'src/keep.log': 'alpha\n',
}

const lines = (text: string) => text.split('\n')

test('glob finds by pattern, newest first, without what is ignored', async () => {
  const { workspace, text } = await makeWorkspace(FILES)
  utimesSync(join(workspace, 'src/a.ts'), 1000, 1000)
  utimesSync(join(workspace, 'src/b.tsx'), 2000, 2000)
  expect(await text('glob', { pattern: 'src/**/*.{ts,tsx}' })).toBe('src/b.tsx\nsrc/a.ts')
  expect(await text('glob', { pattern: '*.ts', path: 'src' })).toBe('src/a.ts')
  expect(lines(await text('glob', { pattern: '**' })).toSorted()).toEqual([
    '.gitignore',
    'docs/c.md',
    'src/.gitignore',
    'src/a.ts',
    'src/b.tsx',
    'src/deep/.hidden',
    'src/keep.log',
  ])
  expect(await text('glob', { pattern: '[!s]*/*.m?' })).toBe('docs/c.md')
  expect(await text('glob', { pattern: '*.rs' })).toBe('No file fits *.rs.')
})

test('glob stays short and refuses a pattern that explodes', async () => {
  const { text, error } = await makeWorkspace(
    Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`f${i}.txt`, ''])),
  )
  const found = lines(await text('glob', { pattern: '*.txt' }))
  expect(found).toHaveLength(201)
  expect(found.at(-1)).toBe('(50 more; use a narrower pattern)')
  expect(await error('glob', { pattern: '{a,b}'.repeat(20) })).toMatchObject({ code: 'INVALID_ARGS' })
})

test('grep gives files, lines or counts', async () => {
  const { text } = await makeWorkspace(FILES)
  expect(await text('grep', { pattern: 'alpha' })).toBe('src/a.ts\nsrc/b.tsx\nsrc/deep/.hidden\nsrc/keep.log')
  expect(await text('grep', { pattern: 'alpha', output_mode: 'content', glob: '*.{ts,tsx}' })).toBe(
    'src/a.ts:3:// alpha\nsrc/b.tsx:1:const alpha = 2',
  )
  expect(await text('grep', { pattern: 'ALPHA', case_insensitive: true, output_mode: 'count', path: 'src/a.ts' })).toBe(
    'src/a.ts:2',
  )
  expect(await text('grep', { pattern: '^const alpha = \\d$', output_mode: 'content', path: 'src' })).toBe(
    'src/b.tsx:1:const alpha = 2',
  )
  expect(await text('grep', { pattern: 'alpha', path: 'dist/out.js' })).toBe('dist/out.js')
  expect(await text('grep', { pattern: 'beta' })).toBe('Nothing matches.')
})

test('grep shows lines around a match once', async () => {
  const { text } = await makeWorkspace({ f: 'a\nhit 1\nb\nhit 2\nc\nd\ne\nhit 3\n' })
  expect(lines(await text('grep', { pattern: 'hit', output_mode: 'content', context: 1 }))).toEqual([
    ...['f-1-a', 'f:2:hit 1', 'f-3-b', 'f:4:hit 2', 'f-5-c', '--', 'f-7-e', 'f:8:hit 3'],
  ])
})

test('grep stops at its limits and says so', async () => {
  const { text } = await makeWorkspace({ f: 'hit\n'.repeat(1000), wide: `hit ${'x'.repeat(10_000)}\n` })
  const found = lines(await text('grep', { pattern: 'hit', output_mode: 'content', head_limit: 5 }))
  expect(found).toEqual([...[1, 2, 3, 4, 5].map(n => `f:${n}:hit`), '(there is more; narrow it down)'])
  expect((await text('grep', { pattern: 'hit', output_mode: 'content', path: 'wide' })).length).toBeLessThan(600)
})

test('grep takes no longer for a pattern that others choke on, and explains what it cannot read', async () => {
  const { workspace, text, error } = await makeWorkspace({ f: `${'a'.repeat(50_000)}\n` })
  writeFileSync(join(workspace, 'bin'), 'aaaa\0b')
  const before = process.cpuUsage()
  expect(await text('grep', { pattern: '^(a+)+$|(a|a)*b', output_mode: 'count' })).toBe('f:1')
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
  expect(await error('grep', { pattern: '(?<!a)b' })).toMatchObject({ code: 'INVALID_ARGS' })
  expect(await error('grep', { pattern: '(' })).toMatchObject({ code: 'INVALID_ARGS' })
})

test('ls shows folders, files with sizes, links, and on request not what is ignored', async () => {
  const { workspace, text, error } = await makeWorkspace(FILES)
  symlinkSync('/etc', join(workspace, 'link'))
  expect(lines(await text('ls', {}))).toEqual([
    ...['.git/', 'dist/', 'docs/', 'src/', '.gitignore  12', 'link  (link)', 'x.log  6'],
  ])
  expect(lines(await text('ls', { ignore: true }))).toEqual(['docs/', 'src/', '.gitignore  12', 'link  (link)'])
  expect(lines(await text('ls', { path: 'src', ignore: true }))).toContain('keep.log  6')
  mkdirSync(join(workspace, 'empty'))
  expect(await text('ls', { path: 'empty' })).toBe('(empty)')
  expect(await error('ls', { path: 'x.log' })).toMatchObject({ message: 'x.log is a file, not a folder.' })
})
