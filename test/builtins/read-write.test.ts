import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from './support.ts'

test('read gives lines with their numbers', async () => {
  const { text } = await makeWorkspace({ 'a/b.txt': 'one\ntwo\r\nthrée\n' })
  expect(await text('read', { path: 'a/b.txt' })).toBe('     1\tone\n     2\ttwo\n     3\tthrée')
  expect(await text('read', { path: './a/../a/b.txt', offset: 2, limit: 1 })).toBe(
    '     2\ttwo\n(the file goes on; read it with offset 3)',
  )
})

test('read goes on where it stopped, to the end and not beyond', async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`)
  const { text, error } = await makeWorkspace({ long: lines.join('\n') })
  const seen: string[] = []
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const page = await text('read', { path: 'long', offset })
    const next = /\(the file goes on; read it with offset (\d+)\)$/.exec(page)
    seen.push(...page.split('\n').filter(line => !line.startsWith('(')))
    offset = next ? Number(next[1]) : undefined
  }
  expect(seen.map(line => line.slice(7))).toEqual(lines)
  expect(await error('read', { path: 'long', offset: 5001 })).toMatchObject({
    message: 'long has 5000 lines, so that there is no line 5001.',
  })
})

test('read keeps to 100 KB, and a file of one endless line stays readable', async () => {
  const { text } = await makeWorkspace({ wide: `${'x'.repeat(1500)}\n`.repeat(500), endless: 'y'.repeat(5_000_000) })
  const page = await text('read', { path: 'wide' })
  expect(page.length).toBeLessThan(105 * 1024)
  expect(page).toMatch(/goes on; read it with offset \d+\)$/)
  expect(await text('read', { path: 'endless' })).toBe(`     1\t${'y'.repeat(2000)}… (line cut)`)
})

test('read does not load what it does not show', async () => {
  const { workspace, text } = await makeWorkspace({ huge: 'first\n' })
  // Sparse: 8 GiB that take no room.
  const { truncateSync } = await import('node:fs')
  writeFileSync(join(workspace, 'huge'), 'first\n'.repeat(50_000))
  truncateSync(join(workspace, 'huge'), 8 * 1024 ** 3)
  const before = process.memoryUsage.rss()
  expect(await text('read', { path: 'huge', limit: 2 })).toContain('     2\tfirst')
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2)
})

test.each([
  ['binary', 'a\0b', 'x is a binary file, not text.'],
  ['images', '\x89PNG\r\n\x1a\n\0\0\0', 'x is a PNG image, not text.'],
])('read tells of %s what they are', async (_, content, message) => {
  const { workspace, error } = await makeWorkspace()
  writeFileSync(join(workspace, 'x'), content, 'latin1')
  expect(await error('read', { path: 'x' })).toMatchObject({ code: 'NOT_A_FILE', message })
})

test('read takes UTF-16 with a byte order mark, and a mark alone for an empty file', async () => {
  const { workspace, text } = await makeWorkspace({ mark: '\uFEFF' })
  const little = Buffer.from('\uFEFFone\nzw\u00f6lf\n', 'utf16le')
  writeFileSync(join(workspace, 'little'), little)
  writeFileSync(join(workspace, 'big'), Buffer.from(little).swap16())
  for (const path of ['little', 'big']) {
    expect(await text('read', { path })).toBe('     1\tone\n     2\tzwölf')
    expect(await text('grep', { pattern: '^zwölf$', path })).toBe(path)
  }
  expect(await text('read', { path: 'mark' })).toBe('(mark is empty)')
})

test('read says what to do with folders, empty files and wrong names', async () => {
  const { text, error } = await makeWorkspace({ 'src/main.ts': '' })
  expect(await error('read', { path: 'src' })).toMatchObject({ hints: ['Use ls to see what is in it.'] })
  expect(await text('read', { path: 'src/main.ts' })).toBe('(src/main.ts is empty)')
  expect(await error('read', { path: 'src/mian.ts' })).toMatchObject({
    code: 'FILE_NOT_FOUND',
    hints: ['Did you mean src/main.ts?'],
  })
})

test('write makes files and folders, replaces files and keeps their mode', async () => {
  const { workspace, text, error } = await makeWorkspace({ run: 'old' })
  chmodSync(join(workspace, 'run'), 0o755)
  expect(await text('write', { path: 'a/b/c.txt', content: 'é' })).toBe('Created a/b/c.txt (2 bytes).')
  expect(await text('write', { path: 'run', content: 'newer' })).toBe('Overwrote run (5 bytes, before 3).')
  expect(readFileSync(join(workspace, 'a/b/c.txt'), 'utf8')).toBe('é')
  expect(statSync(join(workspace, 'run')).mode & 0o7777).toBe(0o755)
  expect(await error('write', { path: 'a/b', content: '' })).toMatchObject({ code: 'NOT_A_FILE' })
  expect(await error('write', { path: 'run/x', content: '' })).toMatchObject({ code: 'NOT_A_FILE' })
  expect(readdirSync(workspace).toSorted()).toEqual(['a', 'run'])
})

test('edit replaces what stands there once', async () => {
  const { workspace, text } = await makeWorkspace({ f: 'a = 1\nb = 2\n' })
  expect(await text('edit', { path: 'f', old_string: 'b = 2', new_string: 'b = $& 3' })).toBe(
    'Replaced 1 place in f (line 2).',
  )
  expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe('a = 1\nb = $& 3\n')
})

test('edit refuses what it cannot find or tell apart, and says where to look', async () => {
  const content = 'let total = sum(items)\nx\nlet total = sum(items)\n'
  const { workspace, text, error } = await makeWorkspace({ f: content })
  expect(await error('edit', { path: 'f', old_string: 'x\ny', new_string: '' })).toMatchObject({
    code: 'EDIT_FAILED',
    hints: ['Line 2 is like it: x'],
  })
  expect(await error('edit', { path: 'f', old_string: 'let  total = sum(items)', new_string: '' })).toMatchObject({
    message: 'old_string is not in f.',
    hints: ['Line 1 is like it: let total = sum(items)', 'Line 3 is like it: let total = sum(items)'],
  })
  expect(await error('edit', { path: 'f', old_string: 'total', new_string: 'n' })).toMatchObject({
    message: 'old_string stands in f 2 times.',
    hints: ['It begins in lines 1, 3.', 'Give more of the text around the one you mean, or set replace_all.'],
  })
  expect(await error('edit', { path: 'f', old_string: 'x', new_string: 'x' })).toMatchObject({ code: 'INVALID_ARGS' })
  expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe(content)
  expect(await text('edit', { path: 'f', old_string: 'total', new_string: 'n', replace_all: true })).toBe(
    'Replaced 2 places in f (line 1, 3).',
  )
})

test('edit finds text whatever the ends of its lines, and keeps those of a file that has both', async () => {
  const { workspace, text, error } = await makeWorkspace({ f: 'a\r\nb\nc\r\nd\nx\ny\r\nx\r\ny\n' })
  const content = () => readFileSync(join(workspace, 'f'), 'utf8')
  await text('edit', { path: 'f', old_string: 'a\nb\nc', new_string: '1\n2\n3' })
  expect(content()).toBe('1\r\n2\r\n3\r\nd\nx\ny\r\nx\r\ny\n')
  await text('edit', { path: 'f', old_string: 'd', new_string: 'd\ne' })
  expect(content()).toBe('1\r\n2\r\n3\r\nd\ne\nx\ny\r\nx\r\ny\n')
  expect(await error('edit', { path: 'f', old_string: 'x\ny\n', new_string: '' })).toMatchObject({
    message: 'old_string stands in f 2 times.',
  })
  expect(await error('edit', { path: 'f', old_string: '1\r\n', new_string: '1\n' })).toMatchObject({
    message: 'The edit changes nothing.',
  })
  await text('edit', { path: 'f', old_string: 'x\ny', new_string: 'z', replace_all: true })
  expect(content()).toBe('1\r\n2\r\n3\r\nd\ne\nz\r\nz\n')
})

test('edit says when only the form of the characters differs', async () => {
  const { error } = await makeWorkspace({ f: 'cafe\u0301 = 1\n' })
  expect(await error('edit', { path: 'f', old_string: 'caf\u00e9', new_string: '' })).toMatchObject({
    hints: [expect.stringContaining('Unicode')],
  })
})

test('edit keeps byte order mark, Windows line ends and mode, and changes no other byte', async () => {
  const { workspace, text, error } = await makeWorkspace({ f: '\uFEFFone\r\ntwo\r\nthree\r\n', latin: '' })
  chmodSync(join(workspace, 'f'), 0o640)
  await text('edit', { path: 'f', old_string: 'one\ntwo', new_string: '1\n2' })
  expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe('\uFEFF1\r\n2\r\nthree\r\n')
  expect(statSync(join(workspace, 'f')).mode & 0o777).toBe(0o640)
  writeFileSync(join(workspace, 'latin'), Buffer.from([0x61, 0xe9, 0x0a]))
  expect(await error('edit', { path: 'latin', old_string: 'a', new_string: 'b' })).toMatchObject({
    message: 'latin is not UTF-8 text.',
  })
  expect(await error('edit', { path: 'none', old_string: 'a', new_string: 'b' })).toMatchObject({
    code: 'FILE_NOT_FOUND',
  })
})

test('edits at the same time are all made', async () => {
  const { workspace, text } = await makeWorkspace({ f: Array.from({ length: 40 }, (_, i) => `<${i}>`).join('\n') })
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => text('edit', { path: 'f', old_string: `<${i}>`, new_string: `[${i}]` })),
  )
  const expected = Array.from({ length: 40 }, (_, i) => `[${i}]`).join('\n')
  expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe(expected)
  expect(readdirSync(workspace)).toEqual(['f'])
})

test('a reader sees the old file or the new one, never half of it', async () => {
  const [a, b] = ['a'.repeat(300_000), 'b'.repeat(300_000)]
  const { workspace, text } = await makeWorkspace({ f: a })
  let isDone = false
  const writes = (async () => {
    for (let i = 0; i < 20; i++) await text('write', { path: 'f', content: i % 2 ? a : b })
    isDone = true
  })()
  while (!isDone) {
    const content = readFileSync(join(workspace, 'f'), 'utf8')
    expect(content === a || content === b).toBe(true)
    await new Promise(resolve => setImmediate(resolve))
  }
  await writes
})
