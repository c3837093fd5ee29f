// The helper's program is compiled: these tests need `npm run build`, as `npm test` does it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { RunRequest } from '../../src/process/run-request.ts'
import type { Runner } from '../../src/runner/local-runner.ts'
import { createSpawnHelper } from '../../src/runner/spawn-helper.ts'
import { makeFolder } from '../support/folders.ts'

const HELPER = resolve(import.meta.dirname, '../../dist/runner/helper-main.js')

test('output, exit code, environment, input and long output come through as they do without it', async () => {
  const file = join(makeFolder(), 'outputs', 'long')
  const run = await make().run(
    sh('read line; echo "$line $GIVEN $0"; echo err >&2; yes | head -c 5000; exit 3', {
      stdin: 'from stdin\n',
      env: { PATH: process.env['PATH']!, GIVEN: 'given' },
      stdout: { keep: 1000, file: { path: file, bytes: 2000 } },
    }),
  )
  expect(run).toMatchObject({ end: { how: 'exited', code: 3 }, stderr: { text: 'err\n' }, stdout: { file } })
  expect(run.stdout.text).toMatch(/^from stdin given .*sh\ny\n/)
  expect(readFileSync(file)).toHaveLength(2000)
})

test('a program that cannot be started says why', async () => {
  const { end } = await make().run(sh('', { command: '/no/such/program' }))
  expect(end).toEqual({ how: 'not-started', code: 'ENOENT' })
})

test('values are masked before they leave the helper, and pieces of output arrive while it runs', async () => {
  const pieces: string[] = []
  const { stdout } = await make().run(
    sh('echo one hunter22; sleep 0.3; echo two', { mask: ['hunter22'], onText: (_, text) => pieces.push(text) }),
  )
  expect(stdout.text).toBe('one ***\ntwo\n')
  expect(pieces).toEqual(['one ***\n', 'two\n'])
})

test('a timeout and a cancelled call end the program in time', async () => {
  const helper = make()
  const cancel = new AbortController()
  const start = performance.now()
  const late = helper.run(sh('sleep 30', { timeoutMs: 300 }))
  const cancelled = helper.run(sh('sleep 30', { signal: cancel.signal }))
  setTimeout(() => cancel.abort(), 300)
  expect((await late).end).toEqual({ how: 'timeout' })
  expect((await cancelled).end).toEqual({ how: 'cancelled' })
  expect(performance.now() - start).toBeLessThan(5000)
})

test('when the helper crashes its calls fail, nothing of theirs survives, and the next call gets a new helper', async () => {
  const helper = make()
  const mark = `6${Date.now()}`
  const running = helper.run(sh(`setsid sleep ${mark} & sleep ${mark}`))
  await expect.poll(() => processesWith(mark).length).toBeGreaterThan(1)
  process.kill(Number(helpers()[0]), 'SIGKILL')
  expect((await running).end).toEqual({ how: 'not-started', code: 'the process that runs programs ended' })
  await expect.poll(() => processesWith(mark)).toEqual([])
  expect((await helper.run(sh('echo again'))).stdout.text).toBe('again\n')
})

test('closing ends the helper and all that it runs', async () => {
  const helper = make()
  const mark = `5${Date.now()}`
  void helper.run(sh(`sleep ${mark}`))
  await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0)
  await helper.close()
  expect(helpers()).toEqual([])
  await expect.poll(() => processesWith(mark)).toEqual([])
})

test.each([true, false])('what has left its group ends with the host too; with a helper: %s', async spawnHelper => {
  const mark = `4${Date.now()}`
  const { signal: _, ...request } = sh(`(setsid sleep ${mark} &); sleep ${mark}`)
  const host = `
    const { createRunner } = await import(${JSON.stringify(resolve(HELPER, '../create-runner.js'))})
    const signal = new AbortController().signal
    void createRunner({ spawnHelper: ${spawnHelper} }).run({ ...${JSON.stringify(request)}, signal })
    process.stdin.on('end', () => process.exit()).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', host], { stdio: ['pipe', 'inherit', 'inherit'] })
  await expect.poll(() => sleeping(mark), { timeout: 5000 }).toHaveLength(2)
  child.stdin.end()
  await expect.poll(() => sleeping(mark), { timeout: 5000 }).toEqual([])
})

test('a helper with nothing to do ends after a while', async () => {
  const helper = make({ idleMs: 100 })
  await helper.run(sh('true'))
  await expect.poll(helpers).toEqual([])
  expect((await helper.run(sh('echo again'))).stdout.text).toBe('again\n')
})

test('a flood of output does not keep this process from its own work', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const helper = make()
  await helper.run(sh('true'))
  delay.enable()
  const { stdout } = await helper.run(sh('head -c 1000000000 /dev/zero; echo end'))
  delay.disable()
  expect(stdout.text).toMatch(/end\n$/)
  expect(delay.percentile(99) / 1e6).toBeLessThan(50)
})

function make(options: { idleMs?: number } = {}): Runner {
  expect(existsSync(HELPER), `${HELPER} is missing: run npm run build`).toBe(true)
  const helper = createSpawnHelper({ warmWorkers: false, file: HELPER, ...options })
  onTestFinished(() => helper.close())
  return helper
}

function sh(script: string, more: Partial<RunRequest> = {}): RunRequest {
  return {
    command: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    env: { PATH: process.env['PATH']! },
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    callId: randomUUID(),
    stdout: { keep: 100_000 },
    stderr: { keep: 100_000 },
    ...more,
  }
}

/** Helpers that this process has started. */
const helpers = () => processesWith(HELPER).filter(pid => statOf(pid)[1] === String(process.pid))

const sleeping = (seconds: string) => processesWith(`sleep\0${seconds}`)

function processesWith(text: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) && statOf(pid)[0] !== 'Z'
    } catch {
      return false
    }
  })
}

/** State, parent … of a process. */
function statOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
