// Programs inside the sandbox: they work as outside, they end as outside, and nothing survives.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type ProgramOutcomeOptions, toOutcome } from '../../src/executors/program-outcome.ts'
import { runProcess } from '../../src/process/run-process.ts'
import type { RunOutcome, RunRequest } from '../../src/process/run-request.ts'
import type { Confinement } from '../../src/sandbox/confinement.ts'
import { needsSandbox } from '../attacks/report.ts'
import { makeFolder } from '../support/folders.ts'

const available = await needsSandbox()
const CAPTURE = { keep: 100_000 }

function run(command: string, args: readonly string[], more: Partial<RunRequest> & { readonly boxed?: boolean } = {}) {
  const workspace = makeFolder()
  const { boxed = true, confinement = boxOf(workspace), ...rest } = more
  return runProcess({
    ...{ command, args, cwd: workspace, env: { PATH: '/usr/bin:/bin', HOME: '/home/somebody' }, timeoutMs: 15_000 },
    ...{ signal: new AbortController().signal, callId: `test-${Math.random()}`, stdout: CAPTURE, stderr: CAPTURE },
    ...rest,
    ...(boxed && { confinement }),
  })
}

function boxOf(workspace: string, limits: Confinement['limits'] = {}): Confinement {
  const usual = { memoryMb: 512, processes: 64, fileMb: 64, tempMb: 64, writtenMb: 256 }
  return { read: [], write: [workspace], hide: [], protect: [], network: 'none', limits: { ...usual, ...limits } }
}

/** What a caller would be told. */
function told(run: RunOutcome, options: ProgramOutcomeOptions) {
  return toOutcome({ ok: true, run, ranUnder: { policy: 'own', sandbox: 'none', start: 'cold' }, hints: [] }, options)
}

const sh = (script: string, more = {}) => run('/bin/sh', ['-c', script], more)

describe.runIf(available)('inside the sandbox', () => {
  test.each([
    [
      'threads and processes of Python',
      '/usr/bin/python3',
      [
        '-c',
        'import multiprocessing as m, threading as t\nx = t.Thread(target=print, args=("thread",), kwargs={"flush": True}); x.start(); x.join()\nwith m.Pool(2) as p: print(p.map(abs, [-1, -2]))',
      ],
    ],
    [
      'workers and children of Node',
      process.execPath,
      [
        '-e',
        'const w = new (require("worker_threads").Worker)("require(\'child_process\').execFile(process.execPath, [\'-p\', \'1+1\'], (e, out) => process.stdout.write(String(e ?? out)))", { eval: true }); w.on("exit", code => console.log(code))',
      ],
    ],
    [
      'bash, pipes and substitutions',
      '/bin/bash',
      ['-c', 'cat <(echo a | sed s/a/b/); echo $((2**10)); trap "echo bye" EXIT'],
    ],
    ['git', '/usr/bin/git', ['-c', 'init.defaultBranch=main', 'init', '-q', 'x']],
    ['perl', '/usr/bin/perl', ['-e', 'my $pid = fork(); if (!$pid) { exit 3 } wait(); print $? >> 8']],
    [
      'the time zone, the users and the environment',
      '/bin/sh',
      ['-c', 'readlink /etc/localtime; id; pwd | wc -l; env | grep -v "^_\\|^PWD\\|^OLDPWD\\|^SKILLWRIGHT" | sort'],
    ],
  ])(
    '%s: as outside',
    async (_, command, args) => {
      const inside = await run(command, args)
      const outside = await run(command, args, { boxed: false })
      expect({ ...inside, sandbox: '' }).toEqual({ ...outside, sandbox: '' })
      expect(inside).toMatchObject({ end: { how: 'exited', code: 0 }, sandbox: 'bubblewrap' })
    },
    30_000,
  )

  test.each(['exit 3', 'kill -9 $$', 'kill -TERM $$', 'kill -SEGV $$', 'echo out; echo err >&2; exit 1'])(
    '`%s` is told in the same words as outside',
    async script => {
      const options = { label: 'x.sh', timeoutMs: 1000 }
      const [inside, outside] = [await sh(script), await sh(script, { boxed: false })]
      expect(told(inside, options)).toEqual(told(outside, options))
    },
  )

  test('at the time limit a script hears SIGTERM and may clean up', async () => {
    const ran = await sh('trap "echo cleaned; exit 0" TERM; sleep 30 & wait', { timeoutMs: 1500 })
    expect(ran).toMatchObject({ end: { how: 'timeout' }, stdout: { text: 'cleaned\n' } })
  })

  test('a script that ignores SIGTERM is gone a moment later, with its daemons', async () => {
    const mark = `6${Date.now()}`
    const ran = await sh(`trap "" TERM; setsid sleep ${mark} & sleep ${mark}; sleep ${mark}`, { timeoutMs: 300 })
    expect(ran.end).toEqual({ how: 'timeout' })
    expect(processesWith(mark)).toEqual([])
  })

  test.each(['/etc', '/etc/ssl', '/'])('%s can be read when a policy says so', async place => {
    const box = boxOf(makeFolder())
    const ran = await sh('cat /etc/ssl/openssl.cnf', { confinement: { ...box, read: [place] }, cwd: box.write[0] })
    expect(ran).toMatchObject({ end: { how: 'exited', code: 0 } })
    expect(ran.stdout.text).toBe(readFileSync('/etc/ssl/openssl.cnf', 'utf8'))
  })

  test('sockets are for this machine and its network only: a virtual machine could talk to what is around it', async () => {
    const script = `import socket
def opens(family):
    for kind in (1, 2, 3, 5):
        try: return bool(socket.socket(family, kind))
        except OSError as error: refused = error
    return refused.errno != 97
print([family for family in range(1, 46) if opens(family)])`
    expect((await run('/usr/bin/python3', ['-c', script])).stdout.text).toBe('[1, 2, 10, 16]\n')
  })

  test('a program that is not there is not started', async () => {
    expect((await run('/nowhere/tool', [])).end).toMatchObject({ how: 'not-started' })
  })

  test('a sandbox that cannot be had means that nothing is started', async () => {
    const sandbox = { kind: 'none', why: 'No.', remedy: 'Do.' } as const
    expect((await sh('echo ran', { sandbox })).end).toMatchObject({ how: 'not-started' })
  })

  test('more memory than allowed ends in an error that names the limit', async () => {
    const workspace = makeFolder()
    const script = 'import mmap\nm = mmap.mmap(-1, 2_000_000_000)\nfor at in range(0, 2_000_000_000, 4096): m[at] = 1'
    const confinement = boxOf(workspace, { memoryMb: 100 })
    const ran = await run('/usr/bin/python3', ['-c', script], { confinement, cwd: workspace })
    expect(told(ran, { label: 'x.py', timeoutMs: 1000 })).toMatchObject({
      error: { code: 'LIMIT_EXCEEDED', message: 'x.py went over its limit of 100 MiB of memory and was stopped.' },
    })
  })

  test('a file larger than allowed ends in an error that names the limit', async () => {
    expect((await sh('head -c 100000000 /dev/zero > x')).end).toEqual({ how: 'limit', what: '64 MiB for one file' })
  })

  test('settings that do not exist yet cannot be made when another host, that held their place too, has ended', async () => {
    const workspace = makeFolder()
    const protect = ['skillwright.yaml', '.skillwright'].map(name => join(workspace, name))
    const confinement = { ...boxOf(workspace), protect }
    const startOther = (script: string) =>
      startHost({ command: '/bin/sh', args: ['-c', script], cwd: workspace, env: {}, callId: 'x' }, confinement)
    const maker = startOther('sleep 2')
    await until(() => existsSync(protect[0]!))
    const killed = startOther('touch second; sleep 60')
    await until(() => existsSync(join(workspace, 'second')))
    const script = `touch begun; for i in $(seq 60); do { echo evil > skillwright.yaml; mkdir .skillwright; } 2>/dev/null && echo made; sleep 0.05; done`
    const running = run('/bin/bash', ['-c', script], { confinement, cwd: workspace })
    await until(() => existsSync(join(workspace, 'begun')))
    killed.kill('SIGKILL')
    expect((await running).stdout.text).toBe('')
    expect(maker.exitCode).toBe(0)
    expect(readdirSync(workspace)).toEqual(['begun', 'second'])
  })

  test('nothing survives a host that is killed', async () => {
    const mark = `5${Date.now()}`
    const folder = makeFolder()
    const args = ['-c', `setsid sleep ${mark} & sleep ${mark}`]
    const host = startHost({ command: '/bin/sh', args, cwd: folder, env: {}, callId: 'x' }, boxOf(folder))
    await until(() => processesWith(mark).length >= 3)
    host.kill('SIGKILL')
    await until(() => processesWith(mark).filter(pid => Number(pid) !== host.pid).length === 0)
  })
})

/** A process of its own that runs one program. */
function startHost(program: Pick<RunRequest, 'command' | 'args' | 'cwd' | 'env' | 'callId'>, confinement: Confinement) {
  const script = `const { runProcess } = await import('${resolve(import.meta.dirname, '../../dist/process/run-process.js')}')
    const capture = { keep: 1 }
    await runProcess({ ...${JSON.stringify({ ...program, timeoutMs: 60_000, confinement })}, signal: new AbortController().signal, stdout: capture, stderr: capture })`
  return spawn(process.execPath, ['--input-type=module', '-e', script])
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 100 && !condition(); round++) await sleep(50)
  expect(condition()).toBe(true)
}

function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}
