// The attacks that every built-in has to stand. `bash` is held by the sandbox, not by paths, and is not among them.
import { execFileSync, fork } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BuiltinName, Json } from '../../src/index.ts'
import { makeFolder } from '../support/folders.ts'
import { makeWorkspace } from './support.ts'

type Attempt = { readonly name: BuiltinName; readonly args: (path: string) => Json }

const FILE_TOOLS: readonly Attempt[] = [
  { name: 'read', args: path => ({ path }) },
  { name: 'write', args: path => ({ path, content: 'evil' }) },
  { name: 'edit', args: path => ({ path, old_string: 'secret', new_string: 'evil' }) },
  { name: 'grep', args: path => ({ pattern: 'secret', path, output_mode: 'content' }) },
]
const FOLDER_TOOLS: readonly Attempt[] = [
  { name: 'ls', args: path => ({ path }) },
  { name: 'glob', args: path => ({ pattern: '**', path }) },
  { name: 'grep', args: path => ({ pattern: 'secret', path, output_mode: 'content' }) },
]
const ALL = [...FILE_TOOLS, ...FOLDER_TOOLS.slice(0, 2)]

const SECRET = 'secret of others\n'

async function makePrey() {
  const outside = makeFolder({ 'secret.txt': SECRET, 'inner/secret.txt': SECRET, foreign: SECRET })
  const prey = await makeWorkspace({ 'a/b.txt': 'fine\n' })
  return { ...prey, outside, unharmed }

  function unharmed(): void {
    expect(readdirSync(outside).toSorted()).toEqual(['foreign', 'inner', 'secret.txt'])
    expect(readdirSync(join(outside, 'inner'))).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(SECRET)
  }
}

describe.each(FILE_TOOLS)('$name', ({ name, args }) => {
  test.each<[string, (outside: string, workspace: string) => string]>([
    ['..', outside => `../${outside.split('/').at(-1)}/secret.txt`],
    ['.. behind a folder', outside => `a/../../${outside.split('/').at(-1)}/secret.txt`],
    ['an absolute path', outside => `${outside}/secret.txt`],
    ['a path that begins like the workspace', (_, workspace) => `${workspace}-evil/secret.txt`],
    ['/proc', () => '/proc/self/environ'],
    ['the folders of this process', () => '/proc/self/root/etc/hostname'],
    ['a device', () => '/dev/zero'],
    ['a link to a file', (outside, workspace) => link(`${outside}/secret.txt`, workspace)],
    ['a link to a folder', (outside, workspace) => `${link(outside, workspace)}/secret.txt`],
    ['a new name behind a link', (outside, workspace) => `${link(outside, workspace)}/new/secret.txt`],
    ['a link to a link', (outside, workspace) => link(join(workspace, link(outside, workspace)), workspace, 'l2')],
    ['a link up', (_, workspace) => `${link('../..', workspace)}/etc/hostname`],
  ])('does not go out by %s', async (_, makePath) => {
    const { run, outside, workspace, unharmed } = await makePrey()
    const path = makePath(outside, workspace)
    const result = await run(name, args(path))
    expect(result).toMatchObject({ ok: false, error: { code: 'PATH_OUTSIDE_WORKSPACE' } })
    expect(JSON.stringify(result)).not.toMatch(/of others|foreign/)
    unharmed()
  })

  test.each<[string, (workspace: string) => void]>([
    ['a pipe', workspace => void execFileSync('mkfifo', [join(workspace, 'x')])],
    ['a socket', workspace => void execFileSync('python3', ['-c', SOCKET, join(workspace, 'x')])],
    ['a link to nothing', workspace => symlinkSync('/nowhere/at/all', join(workspace, 'x'))],
    ['a link to itself', workspace => symlinkSync('x', join(workspace, 'x'))],
  ])('neither waits for nor replaces %s', async (_, make) => {
    const { run, workspace } = await makePrey()
    make(workspace)
    const result = await run(name, args('x'))
    expect(result).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^(NOT_A_FILE|FILE_FAILED|FILE_NOT_FOUND)$/) },
    })
    expect(existsSync('/nowhere')).toBe(false)
  })

  test('a hard link leaves the other name of the file as it was', async () => {
    const { run, workspace, outside, unharmed } = await makePrey()
    linkSync(join(outside, 'secret.txt'), join(workspace, 'x'))
    expect(await run(name, args('x'))).toMatchObject({ ok: true })
    unharmed()
  })
})

describe.each(FOLDER_TOOLS)('$name', ({ name, args }) => {
  test('neither lists nor enters what is outside', async () => {
    const { run, workspace, outside } = await makePrey()
    link(outside, workspace)
    for (const path of ['..', outside, 'link', 'link/inner', '/', '/proc/self/fd', 'a/../..'])
      expect(await run(name, args(path)), path).toMatchObject({ error: { code: 'PATH_OUTSIDE_WORKSPACE' } })
    expect(JSON.stringify(await run(name, args('.')))).not.toMatch(/of others|foreign/)
  })
})

describe.each(ALL)('$name', ({ name, args }) => {
  test.each([
    ['a NUL character', 'a\0b', 'INVALID_ARGS'],
    ['a name that is too long', 'x'.repeat(5000), 'FILE_FAILED'],
    ['a very deep path', 'x/'.repeat(3000), 'FILE_FAILED'],
    ['a home folder', '~/.ssh/id_rsa', 'FILE_NOT_FOUND'],
  ])('answers to %s', async (_, path, code) => {
    const { run } = await makePrey()
    const result = await run(name, args(path))
    // To `write`, `~` is a name like any other.
    if (name === 'write' && code === 'FILE_NOT_FOUND') expect(result.ok).toBe(true)
    else expect(result).toMatchObject({ ok: false, error: { code } })
  })

  test('a path may have any letters', async () => {
    const { run, workspace } = await makePrey()
    const odd = 'ü \u202E\n"$(id)`;é'
    mkdirSync(join(workspace, odd))
    writeFileSync(join(workspace, odd, 'f'), 'secret\n')
    const isFolderTool = name === 'ls' || name === 'glob'
    expect(await run(name, args(isFolderTool ? odd : `${odd}/f`))).toMatchObject({ ok: true })
  })

  test('a folder that is swapped for a link and back never leads out', { timeout: 30_000 }, async () => {
    const { run, workspace, outside, unharmed } = await makePrey()
    mkdirSync(join(workspace, 'd/inner'), { recursive: true })
    writeFileSync(join(workspace, 'd/secret.txt'), 'secret-own\n')
    writeFileSync(join(workspace, 'd/inner/secret.txt'), 'secret-own\n')
    const swapper = fork(join(import.meta.dirname, 'fixtures/swap.mjs'), [join(workspace, 'd'), outside])
    onTestFinished(() => void swapper.kill('SIGKILL'))
    await new Promise(resolve => swapper.once('message', resolve))
    const isFolderTool = name === 'ls' || name === 'glob'
    const paths = isFolderTool ? ['.', 'd', 'd/inner'] : ['d/secret.txt', 'd/inner/secret.txt', ...NEW_PATHS[name]!]
    const outcomes = new Set<string>()
    // An edit finds its text once, and from then on not.
    const wasInside = () => outcomes.has('ok') || outcomes.has('EDIT_FAILED')
    const isShown = () => wasInside() && outcomes.has('PATH_OUTSIDE_WORKSPACE')
    const start = performance.now()
    const passed = (ms: number) => performance.now() - start > ms
    while (!passed(1500) || !(isShown() || passed(20_000)))
      for (const path of paths) {
        const result = await run(name, args(path))
        expect(JSON.stringify(result)).not.toMatch(/of others|foreign/)
        outcomes.add(result.ok ? 'ok' : result.error.code)
      }
    swapper.kill('SIGKILL')
    await new Promise(resolve => swapper.once('exit', resolve))
    unharmed()
    // Both states were met, or the test has shown nothing.
    expect([wasInside(), ...outcomes]).toEqual(expect.arrayContaining([true, 'PATH_OUTSIDE_WORKSPACE']))
  })
})

const NEW_PATHS: { readonly [Name in BuiltinName]?: readonly string[] } = {
  read: [],
  write: ['d/new.txt', 'd/new/deep/er.txt'],
  edit: [],
  grep: ['.', 'd'],
}

const SOCKET = 'import socket, sys\nsocket.socket(socket.AF_UNIX).bind(sys.argv[1])'

function link(target: string, workspace: string, name = 'link'): string {
  symlinkSync(target, join(workspace, name))
  return name
}
