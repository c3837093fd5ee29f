import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCallGroup, findCgroups } from '../../src/sandbox/cgroup.ts'
import type { Confinement } from '../../src/sandbox/confinement.ts'
import { probeBubblewrap, probeSandbox, remedyFor } from '../../src/sandbox/probe-sandbox.ts'
import { programFiles } from '../../src/sandbox/program-files.ts'
import { seatbeltProfile } from '../../src/sandbox/seatbelt.ts'
import { openSeccompFilter, seccompFilter } from '../../src/sandbox/seccomp.ts'
import { makeFolder } from '../support/folders.ts'

const NONE: Confinement = { read: [], write: [], hide: [], protect: [], network: 'none', limits: {} }

test('the filter of system calls ends with allowing what it did not refuse, for both architectures', () => {
  for (const name of ['x64', 'arm64']) {
    const filter = seccompFilter(name)!
    expect(filter.length % 8).toBe(0)
    expect(filter.subarray(-8).toString('hex')).toBe('060000000000ff7f')
  }
  expect(seccompFilter('mips')).toBeUndefined()
})

test('two descriptors of the filter do not share a position', () => {
  const [first, second] = [openSeccompFilter()!, openSeccompFilter()!]
  expect(readFileSync(first)).toEqual(seccompFilter())
  expect(readFileSync(second)).toEqual(seccompFilter())
  for (const one of [first, second]) closeSync(one)
})

test('a missing bubblewrap is told with how to install it', async () => {
  expect(await probeBubblewrap(makeFolder())).toMatchObject({
    kind: 'none',
    remedy: expect.stringContaining('apt install'),
  })
})

test.each([
  ['kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1', 'AppArmor'],
])('a bubblewrap stopped by %s = %s is told with a remedy', (name, value, remedy) => {
  expect(remedyFor('No permissions', asked => (asked === name ? value : undefined))).toContain(remedy)
})

test('a bubblewrap that is too old is told so', () => {
  expect(remedyFor('bwrap: Unknown option --disable-userns')).toBe('Install bubblewrap 0.8 or newer.')
})

test('an installation in a home is readable in its parts, never the home itself', () => {
  const folder = makeFolder({ 'v1/bin/tool': '', 'v1/lib/x': '', 'v1/credentials': '' })
  expect(programFiles(`${folder}/v1/bin/tool`)).toEqual([
    `${folder}/v1/bin/tool`,
    `${folder}/v1/bin`,
    `${folder}/v1/lib`,
  ])
  expect(programFiles('/usr/bin/env')).toEqual([])
})

const cgroups = findCgroups()

test.skipIf(!cgroups?.pids)(
  'a group is gone after the call, also when its last process takes a moment to end',
  async () => {
    const group = createCallGroup(cgroups!, { processes: 5, memoryMb: 64 })
    const folder = group.joins[0]!.replace(/\/[^/]+$/, '')
    const child = spawn('/bin/sh', ['-c', `echo 0 >${group.joins[0]} && exec sleep 0.2`])
    await sleep(100)
    group.remove()
    expect(existsSync(folder)).toBe(true)
    await new Promise(done => child.once('exit', done))
    await sleep(100)
    expect(existsSync(folder)).toBe(false)
  },
)

test.skipIf(!cgroups?.pids)('groups and all in them are gone with the process that made them', async () => {
  const script = `const { createCallGroup, findCgroups } = await import('${import.meta.dirname}/../../dist/sandbox/cgroup.js')
    const { spawn } = await import('node:child_process')
    const group = createCallGroup(findCgroups(), { processes: 5 })
    spawn('/bin/sh', ['-c', 'echo 0 >' + group.joins[0] + ' && exec sleep 97531'], { detached: true })
    setTimeout(() => process.exit(0), 200)`
  const { pid } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
  expect(readdirSync(cgroups!.pids!).filter(name => name.startsWith(`skillwright-${pid}-`))).toEqual([])
  expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain('sleep 97531')
})

test('this machine is probed once', () => {
  expect(probeSandbox()).toBe(probeSandbox())
})

test('a Seatbelt profile denies by default, and a path cannot end its own string', () => {
  const profile = seatbeltProfile({ command: '/usr/bin/env' }, { ...NONE, read: ['/a"b\\c'], write: ['/w'] })
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)/)
  expect(profile).toContain('(allow file-read* (subpath "/a\\"b\\\\c"))')
  expect(profile).toContain('(deny network*)')
})

test('in a Seatbelt profile the deeper rule stands later, and protected paths last of all', () => {
  const lines = seatbeltProfile(
    { command: '/usr/bin/env' },
    { ...NONE, read: ['/w/skill'], write: ['/w'], hide: ['/w/skill/x'], protect: ['/w/state/audit.jsonl'] },
  ).split('\n')
  const at = (text: string) => lines.findIndex(line => line.includes(text))
  expect(at('file-write* (subpath "/w"))')).toBeLessThan(at('(deny file-write* (subpath "/w/skill"))'))
  expect(at('(subpath "/w/skill"))')).toBeLessThan(at('(deny file-read* file-write* (subpath "/w/skill/x"))'))
  expect(at('(deny file-write* (subpath "/w/state/audit.jsonl"))')).toBeGreaterThan(at('/w/skill/x'))
  expect(lines).toContain('(deny file-write-unlink (literal "/w/state"))')
})
