// Calls per second from a host that has grown: started directly, and through the lean helper.
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRunner } from '../src/runner/create-runner.ts'
import type { Runner } from '../src/runner/local-runner.ts'
import { median } from './measure.ts'
import { spawnBare } from './spawn-bare.ts'
import { printTable } from './table.ts'

const CALLS = 60
const AT_ONCE = 8
const SIZES_MB = [0, 50, 100, 200, 400, 1024]

export async function benchSpawn(): Promise<void> {
  const helper = createRunner({ spawnHelper: true, warmWorkers: false })
  const local = createRunner({ spawnHelper: false, warmWorkers: false })
  const ways = {
    spawn: () => spawnBare('/bin/true', []),
    local: () => call(local),
    helper: () => call(helper),
  }
  const ballast: Buffer[] = []
  const rows: string[][] = []
  let held = 0
  for (const size of SIZES_MB) {
    // Small pieces, as a real heap has them: what counts is the number of pages.
    for (; held < size; held++) ballast.push(Buffer.alloc(1024 * 1024, held))
    const rates: Record<string, { rate: number[]; delay: number[] }> = {}
    for (let round = 0; round < 5; round++)
      for (const [name, run] of Object.entries(ways)) {
        const { rate, delay } = await measure(run)
        rates[name] ??= { rate: [], delay: [] }
        rates[name].rate.push(rate)
        rates[name].delay.push(delay)
      }
    const of = (name: keyof typeof ways) => median(rates[name]!.rate)
    rows.push([
      `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB resident`,
      ...(['spawn', 'local', 'helper'] as const).map(name => of(name).toFixed(0)),
      `${(of('helper') / of('spawn')).toFixed(1)}×`,
      median(rates['local']!.delay).toFixed(0),
      median(rates['helper']!.delay).toFixed(0),
    ])
  }
  await Promise.all([helper.close(), local.close()])
  printTable(`Calls of /bin/true per second, ${AT_ONCE} at a time (target: helper ≥ 5× spawn at 1 GB)`, [
    ['', 'spawn', 'run here', 'helper', 'helper/spawn', 'loop p99 ms here', 'with helper'],
    ...rows,
  ])
  if (ballast.length === 0) throw new Error('The ballast is gone.')
}

async function measure(run: () => Promise<unknown>): Promise<{ rate: number; delay: number }> {
  const loop = monitorEventLoopDelay({ resolution: 2 })
  let next = 0
  const start = performance.now()
  loop.enable()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next++ < CALLS) await run()
    }),
  )
  loop.disable()
  return { rate: CALLS / ((performance.now() - start) / 1000), delay: loop.percentile(99) / 1e6 }
}

const call = ({ run }: Runner) =>
  run({
    command: '/bin/true',
    args: [],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    callId: randomUUID(),
    stdout: { keep: 1000 },
    stderr: { keep: 1000 },
  })
