import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bubblewrapArgs } from '../../src/sandbox/bubblewrap.ts'
import type { Confinement } from '../../src/sandbox/confinement.ts'
import { confinedMounts, inOrder, type Mount } from '../../src/sandbox/mounts.ts'
import { holdPlaces } from '../../src/sandbox/placeholders.ts'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import type { UsableSandbox } from '../../src/sandbox/sandbox-probe.ts'
import { wrap } from '../../src/sandbox/wrap.ts'
import { makeFolder } from '../support/folders.ts'

const probe = await probeSandbox()
const NONE: Confinement = { read: [], write: [], hide: [], protect: [], network: 'none', limits: {} }
const at = (mounts: readonly Mount[]) => mounts.map(({ at, how }) => `${how} ${at}`)

test('of two mounts that overlap the deeper is made later, of two at one place the later one wins', () => {
  const { mounts } = confinedMounts({ ...NONE, read: ['/a/b/c', '/a'], write: ['/a/b', '/a'] })
  expect(at(inOrder(mounts))).toEqual(['read /a', 'write /a', 'write /a/b', 'read /a/b/c'])
})

test('a protected path wins over what is writable at, above and below it', () => {
  const folder = makeFolder({ 'state/audit.jsonl': '', 'state/sub/x': '' })
  const state = join(folder, 'state')
  const { mounts } = confinedMounts({ ...NONE, write: [folder, state, join(state, 'sub')], protect: [state] })
  const ordered = at(inOrder(mounts))
  expect(ordered.at(-1)).toBe(`read ${join(state, 'sub')}`)
  expect(ordered.filter(line => line.endsWith(state)).at(-1)).toBe(`keep ${state}`)
})

test('folders above a protected file are mounts of their own, so that they cannot be renamed', () => {
  const folder = makeFolder({ 'a/b/policy.json': '{}' })
  const { mounts } = confinedMounts({ ...NONE, write: [folder], protect: [join(folder, 'a/b/policy.json')] })
  expect(at(mounts)).toEqual([
    `write ${folder}`,
    `write ${join(folder, 'a')}`,
    `write ${join(folder, 'a/b')}`,
    `keep ${join(folder, 'a/b/policy.json')}`,
  ])
})

test('what lies in a protected folder does not make the folder writable again', () => {
  const folder = makeFolder({ 'state/audit.jsonl': '' })
  const protect = [join(folder, 'state'), join(folder, 'state/audit.jsonl')]
  const { mounts } = confinedMounts({ ...NONE, write: [folder], protect })
  expect(at(mounts)).toEqual([`write ${folder}`, `keep ${join(folder, 'state')}`])
})

test('nothing is held for protected paths that cannot be written anyway', () => {
  const folder = makeFolder()
  const protect = [join(folder, 'later.json')]
  expect(confinedMounts({ ...NONE, read: [folder], protect })).toMatchObject({ missing: [] })
})

test('a protected path that is a link is refused, since no mount can hold it', () => {
  const folder = makeFolder({ real: '' })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  expect(() => confinedMounts({ ...NONE, write: [folder], protect: [join(folder, 'link')] })).toThrow('is a link')
})

test('a place for what does not exist yet stays while any run needs it, then it is gone', () => {
  const folder = makeFolder()
  const confinement = { ...NONE, write: [folder], protect: [join(folder, 'later.json'), join(folder, 'a/b.json')] }
  const first = confinedMounts(confinement)
  expect(first.missing).toEqual([
    { path: join(folder, 'later.json'), kind: 'file' },
    { path: join(folder, 'a'), kind: 'folder' },
  ])
  const release = holdPlaces(first.missing)
  expect(readdirSync(folder).sort()).toEqual(['a', 'later.json'])
  const releaseOther = holdPlaces(confinedMounts(confinement).missing)
  release()
  release()
  expect(readdirSync(folder).sort()).toEqual(['a', 'later.json'])
  releaseOther()
  expect(readdirSync(folder)).toEqual([])
})

test('a place that somebody has taken away is made again for the next run', () => {
  const folder = makeFolder()
  const { missing } = confinedMounts({ ...NONE, write: [folder], protect: [join(folder, 'later.json')] })
  const release = holdPlaces(missing)
  rmSync(join(folder, 'later.json'))
  const releaseOther = holdPlaces(missing)
  expect(readdirSync(folder)).toEqual(['later.json'])
  release()
  expect(readdirSync(folder)).toEqual(['later.json'])
  releaseOther()
  expect(readdirSync(folder)).toEqual([])
})

test('a place that the host has filled meanwhile is left alone', () => {
  const folder = makeFolder()
  const places = confinedMounts({ ...NONE, write: [folder], protect: [join(folder, 'a.json'), join(folder, 'state')] })
  const release = holdPlaces(places.missing)
  writeFileSync(join(folder, 'a.json'), '{}')
  mkdirSync(join(folder, 'state/sub'))
  release()
  expect(existsSync(join(folder, 'a.json')) && existsSync(join(folder, 'state/sub'))).toBe(true)
})

test('the root is made read-only after all mounts, and the network is shared only when asked', () => {
  const options = { mounts: [{ at: '/tmp', how: 'temp', size: 5 }] as const, cwd: '/x', copies: new Map() }
  const args = bubblewrapArgs({ ...options, shareNetwork: false })
  expect(args.join(' ')).toMatch(/--unshare-net --size 5 --tmpfs \/tmp --dir \/x --remount-ro \/ --chdir \/x --$/)
  expect(bubblewrapArgs({ ...options, shareNetwork: true })).not.toContain('--unshare-net')
})

test.runIf(probe.kind === 'bubblewrap').each(['/', '/etc'])(
  'where a policy lets write %s nothing of the system is made over it',
  place => {
    const program = { command: '/bin/sh', args: [], cwd: '/', env: {} }
    const { args, dispose } = wrap(probe as UsableSandbox, program, { ...NONE, write: [place] })
    dispose()
    const made = args.filter(
      (word, at) => ['--file', '--symlink'].includes(args[at - 2] ?? '') && word.startsWith(place),
    )
    expect(made).toEqual([])
  },
)
