// Everything from outside is hostile: what could harm is refused with a clear word, and nothing is left behind.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ImportError, importSkills } from '../../src/index.ts'
import {
  type ArchiveEntry,
  makeArchive,
  makeArchives,
  makeTarBomb,
  makeTarCrowd,
  makeZipBomb,
  skillEntries,
} from '../support/archives.ts'
import { makeFolder, skillMd } from '../support/folders.ts'

const good = skillEntries('good')

/** Imports and gives the error; the target must be as if nothing had happened. */
async function refusal(source: string, options: Parameters<typeof importSkills>[1] = {}): Promise<ImportError> {
  const parent = makeFolder()
  const into = join(parent, 'deep', 'skills')
  const error = await importSkills(source, { into, ...options }).catch(error => error)
  expect(error).toBeInstanceOf(ImportError)
  expect(error.hint).not.toBe('')
  expect(readdirSync(parent)).toEqual([])
  return error
}

const HOSTILE: readonly [what: string, entries: readonly ArchiveEntry[], code: string, says: string][] = [
  ['climbing paths', [{ name: 'good/../../evil', text: 'x' }], 'ENTRY_REFUSED', '".."'],
  ['absolute paths', [{ name: '/tmp/evil-skillwright', text: 'x' }], 'ENTRY_REFUSED', 'absolute'],
  ['drive letters', [{ name: 'C:/evil', text: 'x' }], 'ENTRY_REFUSED', 'drive letter'],
  ['backslashes', [{ name: 'good\\..\\..\\evil', text: 'x' }], 'ENTRY_REFUSED', 'backslash'],
  ['newlines in names', [{ name: 'good/a\nb', text: 'x' }], 'ENTRY_REFUSED', 'control characters'],
  ['escape sequences in names', [{ name: 'good/\u001b[2Jx', text: 'x' }], 'ENTRY_REFUSED', '\\u001b'],
  ['reversed writing in names', [{ name: 'good/\u202etxt.exe', text: 'x' }], 'ENTRY_REFUSED', '\\u202e'],
  [
    'relative links out',
    [{ name: 'good/l', type: 'link', target: '../../../etc/passwd' }],
    'ENTRY_REFUSED',
    'leads out',
  ],
  ['absolute links', [{ name: 'good/l', type: 'link', target: '/etc/passwd' }], 'ENTRY_REFUSED', 'leads out'],
  [
    'writing through a link',
    [
      { name: 'good/l', type: 'link', target: 'scripts' },
      { name: 'good/l/evil', text: 'x' },
    ],
    'ENTRY_REFUSED',
    'twice',
  ],
  ['FIFOs', [{ name: 'good/f', type: 'fifo' }], 'ENTRY_REFUSED', 'FIFO'],
  ['devices', [{ name: 'good/d', type: 'device' }], 'ENTRY_REFUSED', 'evice'],
  [
    'names that differ in case',
    [
      { name: 'good/Read.md', text: 'a' },
      { name: 'good/read.MD', text: 'b' },
    ],
    'ENTRY_REFUSED',
    'same file',
  ],
  [
    'folders that differ in case',
    [
      { name: 'good/A/x', text: 'a' },
      { name: 'good/a/y', text: 'b' },
    ],
    'ENTRY_REFUSED',
    'same file',
  ],
  [
    'the same name twice',
    [
      { name: 'good/x', text: 'a' },
      { name: 'good/x', text: 'b' },
    ],
    'ENTRY_REFUSED',
    'twice',
  ],
  ['names that are too long', [{ name: `good/${'x'.repeat(300)}`, text: 'a' }], 'ENTRY_REFUSED', '255'],
  ['paths that are too deep', [{ name: `good/${'x/'.repeat(60)}y`, text: 'a' }], 'ENTRY_REFUSED', 'nested'],
]

const archives = mkdtempSync(join(tmpdir(), 'skillwright-hostile-'))
afterAll(() => rmSync(archives, { recursive: true }))
const CASES = HOSTILE.flatMap(([what, entries, code, says], number) =>
  ['zip', 'tar.gz'].map(kind => ({ what, entries, code, says, kind, file: join(archives, `${number}.${kind}`) })),
)
beforeAll(() => makeArchives(CASES.map(({ file, entries }) => ({ file, entries: [...good, ...entries] }))))

test.each(CASES)('$what in a $kind are refused', async ({ code, says, file }) => {
  const error = await refusal(file)
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)])
  expect(error.message).not.toMatch(/[\u0000-\u001f\u202e]/)
  expect(existsSync('/tmp/evil-skillwright')).toBe(false)
})

test('hard links and unknown kinds of entries in a tar are refused', async () => {
  const file = join(makeFolder(), 'x.tgz')
  makeArchive(file, [...good, { name: 'good/h', type: 'hardlink', target: '/etc/passwd' }])
  expect((await refusal(file)).message).toContain('hard link')
  makeArchive(file, [...good, { name: 'good/u', type: 'unknown' }])
  expect((await refusal(file)).code).toBe('ENTRY_REFUSED')
})

test('100,000 entries are refused at the 10,001st, even those that would be left out', async () => {
  const error = await refusal(makeTarCrowd(join(makeFolder(), 'x.tar.gz'), '__pycache__', 100_000))
  expect([error.code, error.message]).toEqual(['TOO_LARGE', expect.stringContaining('10000')])
  const written = makeTarCrowd(join(makeFolder(), 'x.tar.gz'), 'good', 100_000)
  expect((await refusal(written, { limits: { entries: 500 } })).code).toBe('TOO_LARGE')
  const zip = makeArchive(join(makeFolder(), 'x.zip'), [{ name: 'good/%d', times: 1000 }])
  expect((await refusal(zip, { limits: { entries: 500 } })).code).toBe('TOO_LARGE')
})

test('10 GB of zeros end at the limit, whatever the headers say', async () => {
  const folder = makeFolder()
  const start = performance.now()
  const honest = await refusal(makeTarBomb(join(folder, 'a.tar.gz'), 10_240, 8 ** 11 - 1))
  expect([honest.code, honest.message]).toEqual(['TOO_LARGE', expect.stringContaining('50 MiB')])
  const afterTheEnd = await refusal(makeTarBomb(join(folder, 'b.tgz'), 10_240, 0))
  expect(afterTheEnd.code).toBe('TOO_LARGE')
  const big = await refusal(makeZipBomb(join(folder, 'c.zip'), 4000, 4000 * 1024 * 1024))
  expect([big.code, big.message]).toEqual(['TOO_LARGE', expect.stringContaining('50 MiB')])
  const lying = await refusal(makeZipBomb(join(folder, 'd.zip'), 10_240, 1000))
  expect(lying.code).toBe('SOURCE_UNREADABLE')
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('many files of a permitted size end at the total', async () => {
  const file = join(makeFolder(), 'x.zip')
  makeArchive(file, [...good, { name: 'good/%d', text: 'x'.repeat(100_000), times: 30 }])
  const error = await refusal(file, { limits: { totalBytes: 2_000_000 } })
  expect([error.code, error.message]).toEqual(['TOO_LARGE', expect.stringContaining('unpacks to more than')])
})

test('links to folders cannot multiply without end', async () => {
  const doubling = Array.from({ length: 20 }, (_, i) => [
    { name: `good/${i + 1}/a`, type: 'link' as const, target: `../${i}` },
    { name: `good/${i + 1}/b`, type: 'link' as const, target: `../${i}` },
  ]).flat()
  const file = makeArchive(join(makeFolder(), 'x.tar.gz'), [...good, { name: 'good/0/x', text: 'x' }, ...doubling])
  expect((await refusal(file, { limits: { entries: 500 } })).code).toBe('TOO_LARGE')
})

test('a broken archive is told apart from a hostile one', async () => {
  const folder = makeFolder({ 'x.rar': 'Rar!', 'empty.zip': '' })
  const whole = readFileSync(makeArchive(join(folder, 'w.tar.gz'), good))
  writeFileSync(join(folder, 'cut.tar.gz'), whole.subarray(0, whole.length - 40))
  expect((await refusal(join(folder, 'cut.tar.gz'))).code).toBe('SOURCE_UNREADABLE')
  const zip = readFileSync(makeArchive(join(folder, 'w.zip'), good))
  writeFileSync(join(folder, 'cut.zip'), zip.subarray(0, zip.length - 40))
  expect((await refusal(join(folder, 'cut.zip'))).code).toBe('SOURCE_UNREADABLE')
  const changed = Buffer.from(zip)
  changed[14] = changed[14]! ^ 0xff // in the local header, which nobody trusts
  changed[changed.indexOf('PK\x01\x02') + 16] = changed[changed.indexOf('PK\x01\x02') + 16]! ^ 0xff
  writeFileSync(join(folder, 'changed.zip'), changed)
  expect(await refusal(join(folder, 'changed.zip'))).toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringContaining('checksum'),
  })
  expect((await refusal(join(folder, 'x.rar'))).code).toBe('SOURCE_UNSUPPORTED')
  expect((await refusal(join(folder, 'empty.zip'))).code).toBe('SOURCE_UNSUPPORTED')
})

test('a folder with FIFOs or links out is refused, and huge files too', async () => {
  const source = makeFolder({ 'good/SKILL.md': skillMd('good') })
  execFileSync('mkfifo', [join(source, 'good/pipe')])
  expect((await refusal(source)).message).toContain('FIFO')
  const linked = makeFolder({ 'good/SKILL.md': skillMd('good') })
  symlinkSync('/etc/passwd', join(linked, 'good/out'))
  expect((await refusal(linked)).message).toContain('leads out')
  const large = makeFolder({ 'good/SKILL.md': skillMd('good') })
  execFileSync('truncate', ['-s', '51M', join(large, 'good/sparse')])
  expect((await refusal(large)).message).toContain('50 MiB')
})

test('modes are reduced to the run bit; history, caches and foreign artifacts are left out', async () => {
  const file = makeArchive(join(makeFolder(), 'x.tar.gz'), [
    ...good,
    { name: 'good/root.sh', text: 'x', mode: 0o6777 },
    { name: 'good/.git/hooks/post-checkout', text: 'evil' },
    { name: 'good/lib/.GIT/config', text: 'evil' },
    { name: 'good/scripts/__pycache__/run.pyc', text: 'evil' },
    { name: 'good/dynamic_tools.json', text: '{}' },
    { name: '__MACOSX/good/._SKILL.md', text: 'x' },
  ])
  const into = makeFolder()
  const { skills } = await importSkills(file, { into })
  expect(skills).toMatchObject([{ name: 'good', status: 'added' }])
  expect(statSync(join(into, 'good/root.sh')).mode & 0o7777).toBe(0o755)
  expect(readdirSync(join(into, 'good'), { recursive: true }).sort()).toEqual(
    ['SKILL.md', 'root.sh', 'scripts', 'scripts/run.sh'].sort(),
  )
})

test('links that stay inside become what they point to; broken and endless ones are left out with a note', async () => {
  const file = makeArchive(join(makeFolder(), 'x.tar.gz'), [
    ...good,
    { name: 'shared/lib.sh', text: 'echo shared\n' },
    { name: 'good/lib', type: 'link', target: '../shared' },
    { name: 'good/again.sh', type: 'link', target: 'lib/lib.sh' },
    { name: 'good/broken', type: 'link', target: 'nowhere' },
    { name: 'good/loop', type: 'link', target: 'loop' },
    { name: 'good/scripts/self', type: 'link', target: '..' },
  ])
  const into = makeFolder()
  const { notes } = await importSkills(file, { into })
  expect(readFileSync(join(into, 'good/lib/lib.sh'), 'utf8')).toBe('echo shared\n')
  expect(readFileSync(join(into, 'good/again.sh'), 'utf8')).toBe('echo shared\n')
  expect(notes.map(note => /"(.*?)"/.exec(note)![1])).toEqual(['good/broken', 'good/loop', 'good/scripts/self'])
})

test('a source that pretends to be an interrupted import cannot reach outside', async () => {
  const outside = makeFolder({ 'import/precious': 'x' })
  const into = makeFolder()
  symlinkSync(outside, join(into, '.skillwright'))
  const error = await importSkills(makeArchive(join(makeFolder(), 'x.zip'), good), { into }).catch(error => error)
  expect(error).toMatchObject({ code: 'TARGET_UNUSABLE' })
  expect(existsSync(join(outside, 'import/precious'))).toBe(true)
})

test.each([
  ['ext::sh -c "touch /tmp/evil"', 'SOURCE_NOT_FOUND'],
  ['--upload-pack=touch /tmp/evil', 'SOURCE_NOT_FOUND'],
  ['http://example.com/x.zip', 'SOURCE_UNSUPPORTED'],
  ['ftp://example.com/x.zip', 'SOURCE_UNSUPPORTED'],
  ['https://user:secret@example.com/x.git', 'SOURCE_UNSUPPORTED'],
  ['https://example.com/x.git#--upload-pack=evil', 'SOURCE_UNSUPPORTED'],
  ['https://example.com/x.git#a:refs/heads/b', 'SOURCE_UNSUPPORTED'],
  ['https://example.com/x.git//../../y', 'ENTRY_REFUSED'],
  ['git@-oProxyCommand=evil:x', 'SOURCE_NOT_FOUND'],
])('%s is no source', async (source, code) => {
  const error = await refusal(source)
  expect(error.code).toBe(code)
  expect(error.message).not.toContain('secret')
})
