import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
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

test('a name never looks like another line', async () => {
  const { text, error } = await makeWorkspace({ 'a\nb': 'hit\n', 'red\u001B[31m': 'hit\n', 'x\u202Etxt.exe': 'hit\n' })
  const names = ['a\\nb', 'red\\u001b[31m', 'x\\u202etxt.exe']
  expect(lines(await text('ls', {}))).toEqual(names.map(name => `${name}  4`))
  expect(lines(await text('glob', { pattern: '*' })).toSorted()).toEqual(names)
  expect(lines(await text('grep', { pattern: 'hit' }))).toEqual(names)
  expect((await error('read', { path: 'a\nc' })).hints).toEqual(['Did you mean a\\nb?'])
})

test('glob takes an absolute pattern in the workspace, and refuses one that leads out', async () => {
  const { workspace, text, error } = await makeWorkspace(FILES)
  expect(await text('glob', { pattern: `${workspace}/src/*.ts` })).toBe('src/a.ts')
  expect(await text('glob', { pattern: `${workspace}/src/*.ts`, path: 'src' })).toBe('src/a.ts')
  for (const pattern of ['/etc/*', '../*', 'src/../../*'])
    expect(await error('glob', { pattern })).toMatchObject({ code: 'PATH_OUTSIDE_WORKSPACE' })
})

test('grep leaves out files with a glob that begins with !', async () => {
  const { text } = await makeWorkspace(FILES)
  expect(await text('grep', { pattern: 'alpha', glob: '!*.{ts,tsx}' })).toBe('src/deep/.hidden\nsrc/keep.log')
})

test('grep says what it could not search, and what cannot match', async () => {
  const { workspace, text, error } = await makeWorkspace({ f: 'a\nb\n' })
  writeFileSync(join(workspace, 'bin'), 'aaaa\0b')
  expect(await error('grep', { pattern: 'a', path: 'bin' })).toMatchObject({
    message: 'bin is a binary file, not text.',
  })
  expect(await text('grep', { pattern: 'a\\nb' })).toBe(
    'Nothing matches. (Lines are looked at one by one, so that \\n never matches.)',
  )
  expect(await text('grep', { pattern: 'a\\\\nb' })).toBe('Nothing matches.')
})

test('grep leaves room for others, whatever it is given, and can be cancelled', async () => {
  const { workspace, runtime, text } = await makeWorkspace()
  writeFileSync(join(workspace, 'wide'), noise(1_000_000))
  writeFileSync(join(workspace, 'long'), noise(2_000_000).replaceAll(/.{1000}/g, '$&\n'))
  const args = { pattern: 'x[xy]{200}[zw]' }
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  expect(await text('grep', { ...args, path: 'wide' })).toBe(
    'Nothing matches.\n(1 line too long for such a pattern: only the beginning was searched)',
  )
  const before = performance.now()
  const result = await runtime.call({ toolId: 'grep', args: { ...args, path: 'long' }, timeoutMs: 500 })
  expect(result).toMatchObject({ ok: true, data: expect.stringContaining('(the time was over before') })
  const stopped = runtime.call({ toolId: 'grep', args: { ...args, path: 'long' }, signal: AbortSignal.timeout(300) })
  expect(await stopped).toMatchObject({ error: { code: 'CANCELLED' } })
  expect(performance.now() - before).toBeLessThan(5000)
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan(2000)
})

/** Letters that give an engine ever new states to be in. */
function noise(length: number): string {
  let seed = 1
  const next = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0)
  return Array.from({ length }, () => ((next() >> 16) % 2 ? 'x' : 'y')).join('')
}
