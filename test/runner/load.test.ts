// Many calls at the same time, and what is left of them.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, vi } from 'vitest'
import type { RunOutcome } from '../../src/process/run-request.ts'
import { createRunner } from '../../src/runner/create-runner.ts'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import { makeFolder } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'
import { childrenNow, prepare, requestOf } from '../workers/support.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const CALLS = 2000
const AT_ONCE = 64

test(`${CALLS} sandboxed calls, ${AT_ONCE} at a time, leave no process, descriptor, group, folder or memory behind`, async () => {
  // Of its own, since other programs use the usual one meanwhile.
  vi.stubEnv('TMPDIR', makeFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const scripts = {
    sh: prepare('sh', 'echo "$1"'),
    python: prepare('python', 'import sys\nprint(sys.argv[1])'),
    node: prepare('node', 'console.log(process.argv[2])'),
  }
  const runner = createRunner({ spawnHelper: false })
  const one = async (i: number): Promise<RunOutcome['start']> => {
    const script = i % 20 === 0 ? scripts.python : i % 20 === 1 ? scripts.node : scripts.sh
    const { end, stdout, start } = await runner.run(requestOf(script, { args: [script.script, `call-${i}`] }))
    expect({ end, text: stdout.text }).toEqual({ end: { how: 'exited', code: 0 }, text: `call-${i}\n` })
    return start
  }
  // The first calls make what stays for good: the pool of threads, the probe's knowledge, compiled code.
  await inTurn(200, one)
  const before = await traces()
  const starts = await inTurn(CALLS, one)
  await runner.close()

  expect(new Set(starts)).toEqual(new Set(['cold', 'warm']))
  await expect.poll(childrenNow, { timeout: 5000 }).toEqual([])
  await expect.poll(async () => (await traces()).groups, { timeout: 5000 }).toEqual([])
  const after = await traces()
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors)
  expect(after.folders).toEqual(before.folders)
  expect(after.heapMb - before.heapMb).toBeLessThan(30)
}, 120_000)

test('what neither runs nor waits is told that there is no place', async () => {
  const script = prepare('sh', 'sleep 0.2')
  const runner = createRunner({ spawnHelper: false, concurrency: 2, queue: 3 })
  const ends = await Promise.all(Array.from({ length: 10 }, () => runner.run(requestOf(script))))
  const counts = ends.map(({ end }) => end.how)
  expect(counts.filter(how => how === 'exited')).toHaveLength(5)
  expect(ends.find(({ end }) => end.how === 'overloaded')?.end).toEqual({ how: 'overloaded', running: 2, waiting: 3 })
  await runner.close()
})

/** Runs so many, always `AT_ONCE` of them. */
async function inTurn<T>(count: number, run: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const i = next++
      results[i] = await run(i)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return results
}

async function traces() {
  collectGarbage()
  const probe = await probeSandbox()
  const parents = probe.kind === 'bubblewrap' && probe.cgroup ? [probe.cgroup.pids, probe.cgroup.memory] : []
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    groups: parents.flatMap(parent =>
      parent === null ? [] : readdirSync(parent).filter(name => name.startsWith(`skillwright-${process.pid}-`)),
    ),
    folders: readdirSync(tmpdir()).toSorted(),
    heapMb: process.memoryUsage().heapUsed / 2 ** 20,
  }
}
