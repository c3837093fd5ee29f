// Every kind of source, with real archives, repositories and servers.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importSkills } from '../../src/index.ts'
import { makeArchive, skillEntries } from '../support/archives.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { commitAll, git } from '../support/git.ts'

const readLock = (into: string) => JSON.parse(readFileSync(join(into, 'skills-lock.json'), 'utf8'))

test('a folder of skills becomes a folder of imports that a runtime loads', async () => {
  const source = makeFolder({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/run.sh': '#!/bin/sh\n# Runs.\necho ran\n',
    'a/inner/SKILL.md': skillMd('inner'),
    'group/b/SKILL.md': skillMd('named-otherwise'),
    'README.md': 'no skill',
    'readme.md': 'the same on some systems, but nobody imports it',
  })
  chmodSync(join(source, 'a/scripts/run.sh'), 0o755)
  const into = join(makeFolder(), 'skills')
  const result = await importSkills(source, { into })
  expect(result).toMatchObject({
    target: into,
    lockFile: join(into, 'skills-lock.json'),
    skills: [
      { name: 'a', kind: 'skill', status: 'added', folder: join(into, 'a'), ids: ['a', 'inner'] },
      { name: 'named-otherwise', status: 'added', ids: ['named-otherwise'] },
    ],
    notes: [],
  })
  expect(readdirSync(into).sort()).toEqual(['a', 'named-otherwise', 'skills-lock.json'])
  expect(statSync(join(into, 'a/scripts/run.sh')).mode & 0o777).toBe(0o755)
  expect(readLock(into)).toEqual({
    version: 1,
    skills: {
      a: {
        kind: 'skill',
        source,
        sourceType: 'folder',
        skillPath: 'a',
        hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        importedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      'named-otherwise': expect.objectContaining({ skillPath: 'group/b' }),
    },
  })
  const runtime = await makeRuntime(into, { policies: [{ source: into, policy: 'permissive' }] })
  expect(await runtime.call({ toolId: 'a.run' })).toMatchObject({ ok: true, data: 'ran' })
})

test.each(['x.zip', 'x.skill', 'x.tgz', 'x.tar.gz'])('%s gives the same skill with the same hash', async file => {
  const archive = makeArchive(join(makeFolder(), file), skillEntries('good'))
  const folder = makeFolder({
    'SKILL.md': skillMd('good'),
    'scripts/run.sh': '#!/bin/sh\n# Runs.\necho hi\n',
  })
  chmodSync(join(folder, 'scripts/run.sh'), 0o755)
  const into = makeFolder()
  const first = await importSkills(archive, { into })
  const second = await importSkills(folder, { into })
  expect(first.skills).toMatchObject([{ name: 'good', status: 'added' }])
  expect(second.skills).toMatchObject([{ name: 'good', status: 'unchanged', hash: first.skills[0]!.hash }])
  expect(readLock(into).skills.good.source).toBe(folder)
})

test('a skill without a name is called like its archive, and names can be chosen', async () => {
  const folder = makeFolder()
  const text = '---\ndescription: Does x.\n---\n'
  const one = makeArchive(join(folder, 'My Tool.skill'), [{ name: 'SKILL.md', text }])
  expect((await importSkills(one, { into: makeFolder() })).skills).toMatchObject([{ name: 'my-tool' }])

  const two = makeArchive(join(folder, 'two.zip'), [...skillEntries('left'), ...skillEntries('right')])
  const into = makeFolder()
  expect((await importSkills(two, { into, names: ['right'] })).skills).toMatchObject([{ name: 'right' }])
  expect(existsSync(join(into, 'left'))).toBe(false)
  expect((await importSkills(`${two}//left`, { into })).skills).toMatchObject([{ name: 'left' }])
  await expect(importSkills(two, { into, names: ['rigth'] })).rejects.toMatchObject({
    code: 'NAME_NOT_FOUND',
    hint: 'Did you mean right?',
  })
})

test('a source without a skill says what it has instead', async () => {
  const source = makeFolder({ 'tool.py': '', 'docs/x.md': '' })
  await expect(importSkills(source, { into: makeFolder() })).rejects.toMatchObject({
    code: 'NO_SKILL',
    message: expect.stringContaining('"docs/", "tool.py"'),
  })
})

test('a local repository gives its last commit, not what lies around in the work tree', async () => {
  const repository = makeFolder({ 'a/SKILL.md': skillMd('a', '', 'committed\n'), '.gitattributes': '* filter=evil\n' })
  const commit = commitAll(repository)
  const ran = join(makeFolder(), 'ran')
  git(repository, 'config', 'filter.evil.smudge', `touch ${ran}`)
  git(repository, 'config', 'filter.evil.clean', 'cat')
  git(repository, 'config', 'uploadpack.packObjectsHook', `touch ${ran}; exec`)
  appendFileSync(join(repository, 'a/SKILL.md'), 'not committed\n')
  writeFileSync(join(repository, 'a/new'), 'not committed')

  const into = makeFolder()
  expect((await importSkills(repository, { into })).skills).toMatchObject([{ name: 'a', commit }])
  expect(readFileSync(join(into, 'a/SKILL.md'), 'utf8')).toMatch(/committed\n$/)
  expect(readdirSync(join(into, 'a'))).toEqual(['SKILL.md'])
  expect(existsSync(ran)).toBe(false)
  expect(readLock(into).skills.a).toMatchObject({ source: repository, sourceType: 'git', commit })
})

test('git URLs take a ref and a folder; bare repositories and submodules are fine', async () => {
  const repository = makeFolder({ 'skills/a/SKILL.md': skillMd('a', '', 'one\n'), 'skills/b/SKILL.md': skillMd('b') })
  const first = commitAll(repository)
  git(repository, 'tag', 'v1')
  writeFileSync(join(repository, 'skills/a/SKILL.md'), skillMd('a', '', 'two\n'))
  const second = commitAll(repository)
  git(repository, 'update-index', '--add', '--cacheinfo', `160000,${first},skills/a/module`)
  git(repository, 'commit', '--quiet', '--message=module')
  const bare = join(makeFolder(), 'bare.git')
  git(repository, 'clone', '--quiet', '--bare', repository, bare)

  const into = makeFolder()
  const body = () => readFileSync(join(into, 'a/SKILL.md'), 'utf8').split('\n').at(-2)
  expect((await importSkills(`file://${bare}//skills#v1`, { into })).skills).toHaveLength(2)
  expect(body()).toBe('one')
  expect(readLock(into).skills.a).toMatchObject({ source: `file://${bare}//skills`, ref: 'v1', commit: first })
  expect((await importSkills(`${bare}//skills/a#${second}`, { into })).skills).toMatchObject([
    { name: 'a', status: 'replaced', commit: second },
  ])
  expect(body()).toBe('two')
  expect((await importSkills(bare, { into, names: ['a'] })).skills).toMatchObject([{ status: 'unchanged' }])

  const refused = (source: string) => importSkills(source, { into }).catch(error => [error.code, error.hint])
  expect(await refused(`file://${bare}#nope`)).toEqual(['GIT_FAILED', expect.stringContaining('existing branch')])
  expect(await refused(`${bare}//nowhere`)).toEqual(['SOURCE_NOT_FOUND', expect.stringContaining('folder')])
  expect(await refused('file:///nowhere/at/all')).toEqual(['GIT_FAILED', expect.any(String)])
  const empty = makeFolder()
  git(empty, 'init', '--quiet')
  expect(await refused(empty)).toEqual(['GIT_FAILED', expect.stringContaining('commit first')])
})

test('a hostile repository is refused like a hostile archive', async () => {
  const repository = makeFolder({ 'a/SKILL.md': skillMd('a') })
  commitAll(repository)
  const blob = git(repository, 'rev-parse', 'HEAD:a/SKILL.md')
  git(repository, 'update-index', '--add', '--cacheinfo', `120000,${blob},a/out`)
  git(repository, 'update-index', '--add', '--cacheinfo', `100644,${blob},A/skill.md`)
  git(repository, 'commit', '--quiet', '--message=evil')
  await expect(importSkills(repository, { into: makeFolder() })).rejects.toMatchObject({ code: 'ENTRY_REFUSED' })
  const large = makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/zeros': '\0'.repeat(3_000_000) })
  commitAll(large)
  await expect(importSkills(large, { into: makeFolder(), limits: { fileBytes: 1_000_000 } })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining('a/zeros'),
  })
})

test('a marketplace offers plugins: by name, or all; also those that lie in another repository', async () => {
  const elsewhere = makeFolder({ 'deep/skills/far/SKILL.md': skillMd('far') })
  const commit = commitAll(elsewhere)
  const source = makeFolder({
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: 'm',
      metadata: { pluginRoot: './plugins' },
      plugins: [
        { name: 'Near Plugin', source: './plugins/near' },
        { name: 'listed', description: 'Two of three.', source: './', skills: ['./lib/x', './lib/y'] },
        { name: 'rooted', source: 'near' },
        { name: 'far', source: { source: 'git-subdir', url: `file://${elsewhere}`, path: 'deep', ref: 'main' } },
        { name: 'no-skill', source: './plugins/commands' },
        { name: 'npm', source: { source: 'npm', package: 'x' } },
        { name: 'climbing', source: '../..' },
        { name: 'path', source: { source: 'url', url: '/etc' } },
      ],
    }),
    'plugins/near/.claude-plugin/plugin.json': '{"name": "near-plugin"}',
    'plugins/near/skills/n/SKILL.md': skillMd('n'),
    'plugins/commands/commands/c.md': 'x',
    'lib/x/SKILL.md': skillMd('x'),
    'lib/y/SKILL.md': skillMd('y'),
    'lib/z/SKILL.md': skillMd('z'),
  })
  const into = makeFolder()
  await expect(importSkills(source, { into })).rejects.toMatchObject({
    code: 'CHOICE_NEEDED',
    message: expect.stringContaining('near-plugin, listed, rooted, far'),
  })
  const { skills } = await importSkills(source, { into, names: ['near-plugin', 'listed', 'rooted', 'far'] })
  expect(skills).toMatchObject([
    { name: 'near-plugin', kind: 'plugin', ids: ['near-plugin:n'] },
    { name: 'listed', ids: ['listed:x', 'listed:y'] },
    { name: 'rooted', ids: ['near-plugin:n'] },
    { name: 'far', ids: ['far:far'], commit },
  ])
  const runtime = await makeRuntime(into)
  expect((await runtime.listSkills()).map(skill => skill.id)).toEqual(expect.arrayContaining(['far:far', 'listed:y']))
  for (const [name, code] of [
    ['no-skill', 'NO_SKILL'],
    ['npm', 'SOURCE_UNSUPPORTED'],
    ['climbing', 'ENTRY_REFUSED'],
    ['path', 'SOURCE_UNSUPPORTED'],
  ])
    await expect(importSkills(source, { into, names: [name!] })).rejects.toMatchObject({ code })
  expect(readdirSync(into)).toHaveLength(5)
})

test('all of a marketplace leaves out what has no skill or is not there, and says so', async () => {
  const source = makeFolder({
    '.claude-plugin/marketplace.json': JSON.stringify({
      plugins: [
        { name: 'p', source: './p' },
        { name: 'q', source: './q' },
        { name: 'dead', source: { source: 'url', url: 'file:///nowhere/at/all' } },
      ],
    }),
    'p/skills/a/SKILL.md': skillMd('a'),
    'q/agents/x.md': '',
  })
  const { skills, notes } = await importSkills(source, { into: makeFolder(), all: true })
  expect(skills).toMatchObject([{ name: 'p', ids: ['p:a'] }])
  expect(notes).toEqual([
    expect.stringMatching(/"q" was left out: .*no SKILL.md.*"agents\/"/),
    expect.stringMatching(/"dead" was left out: git could not fetch/),
  ])
})

test('what a hostile listing says cannot speak to the terminal', async () => {
  const source = makeFolder({ '.claude-plugin/marketplace.json': '{"plugins": \u001b[2J\n}' })
  const error = await importSkills(source, { into: makeFolder() }).catch(error => error)
  expect(error.code).toBe('SOURCE_UNREADABLE')
  expect(error.message).not.toMatch(/[\u0000-\u001f]/)
})

/** A real server on loopback; counts what was asked for. */
async function serve(files: Readonly<Record<string, Buffer | string>>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const body = files[request.url!]
    if (body === undefined) response.writeHead(404).end()
    else response.end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const sha256 = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

test('a site’s index offers skills, and digests are checked', async () => {
  const archive = readFileSync(makeArchive(join(makeFolder(), 'x.tar.gz'), skillEntries('packed')))
  const plain = skillMd('plain')
  const { url } = await serve({
    '/.well-known/agent-skills/index.json': JSON.stringify({
      skills: [
        { name: 'plain', type: 'skill-md', description: '', url: '/plain/SKILL.md', digest: sha256(plain) },
        { name: 'packed', type: 'archive', description: '', url: 'packed.tar.gz', digest: sha256(archive) },
        { name: 'changed', type: 'skill-md', description: '', url: '/plain/SKILL.md', digest: sha256('other') },
        { name: 'unchecked', type: 'skill-md', description: '', url: '/plain/SKILL.md' },
        { name: 'local', type: 'skill-md', url: 'http://127.0.0.1:1/x', digest: sha256('') },
        { name: 'file', type: 'skill-md', url: 'file:///etc/passwd', digest: sha256('') },
      ],
    }),
    '/plain/SKILL.md': plain,
    '/.well-known/agent-skills/packed.tar.gz': archive,
  })
  const into = makeFolder()
  expect((await importSkills(url, { into, names: ['plain', 'packed'] })).skills).toMatchObject([
    { name: 'plain', ids: ['plain'] },
    { name: 'packed', ids: ['packed'] },
  ])
  expect(readLock(into).skills.packed).toMatchObject({
    source: `${url}/.well-known/agent-skills/index.json`,
    sourceType: 'index',
  })
  for (const [name, code] of [
    ['changed', 'DIGEST_MISMATCH'],
    ['unchecked', 'DIGEST_MISMATCH'],
    ['local', 'SOURCE_UNSUPPORTED'],
    ['file', 'SOURCE_UNSUPPORTED'],
  ])
    await expect(importSkills(url, { into, names: [name!] })).rejects.toMatchObject({ code })
  await expect(importSkills(url, { into })).rejects.toMatchObject({ code: 'CHOICE_NEEDED' })
  expect(readdirSync(into).sort()).toEqual(['packed', 'plain', 'skills-lock.json'])
})

test('archives are downloaded, through the fetch that the host gives, and up to the limit', async () => {
  const archive = readFileSync(makeArchive(join(makeFolder(), 'x.zip'), skillEntries('packed')))
  const { url, asked } = await serve({ '/x.zip': archive, '/big.zip': Buffer.alloc(2_000_000) })
  const into = makeFolder()
  const progress: string[] = []
  await importSkills(`${url}/x.zip`, { into, onProgress: one => progress.push(one.phase) })
  expect([...new Set(progress)]).toEqual(['fetching', 'unpacking', 'installing'])

  await expect(importSkills(`${url}/missing.zip`, { into })).rejects.toMatchObject({
    code: 'DOWNLOAD_FAILED',
    message: expect.stringContaining('404'),
  })
  await expect(importSkills(`${url}/big.zip`, { into, limits: { totalBytes: 1_000_000 } })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  })
  const before = asked.length
  const guarded = importSkills(`${url}/x.zip`, { into, fetch: async () => Promise.reject(new Error('not allowed')) })
  await expect(guarded).rejects.toMatchObject({ message: expect.stringContaining('not allowed') })
  expect(asked).toHaveLength(before)
})

test('a folder that was not imported, or was edited since, is only replaced by force', async () => {
  const source = makeFolder({ 'a/SKILL.md': skillMd('a', '', 'new\n') })
  const into = makeFolder({ 'a/SKILL.md': skillMd('a', '', 'mine\n') })
  const mine = () => readFileSync(join(into, 'a/SKILL.md'), 'utf8')
  await expect(importSkills(source, { into })).rejects.toMatchObject({ code: 'TARGET_TAKEN' })
  expect(mine()).toContain('mine')
  expect((await importSkills(source, { into, force: true })).skills).toMatchObject([{ status: 'replaced' }])
  expect(mine()).toContain('new')
  appendFileSync(join(into, 'a/SKILL.md'), 'edited\n')
  writeFileSync(join(source, 'a/SKILL.md'), skillMd('a', '', 'newer\n'))
  await expect(importSkills(source, { into })).rejects.toMatchObject({
    code: 'TARGET_TAKEN',
    message: expect.stringContaining('edited'),
  })
  rmSync(join(into, 'a'), { recursive: true })
  expect((await importSkills(source, { into })).skills).toMatchObject([{ status: 'added' }])
  await expect(importSkills(source, { into: join(source, 'x') })).rejects.toMatchObject({ code: 'SOURCE_UNSUPPORTED' })
  expect(readdirSync(source)).toEqual(['a'])
})
