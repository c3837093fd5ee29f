// Where programs run: from this process, or from the lean helper when that pays; a bounded number at a time.
import { availableParallelism } from 'node:os'
import { createLocalRunner, type Runner } from './local-runner.ts'
import { withPlaces } from './places.ts'
import { createSpawnHelper, hasHelper } from './spawn-helper.ts'

export type RunnerOptions = {
  /** Whether programs are started from a small process of their own. Default: `auto`, when this one has grown big. */
  readonly spawnHelper?: 'auto' | boolean
  /** Whether interpreters of sandboxed scripts that are called again and again are started ahead. Default: true. */
  readonly warmWorkers?: boolean
  /** How many programs run at the same time. Default: eight per core, at least 32: most of them wait for something. */
  readonly concurrency?: number
  /** How many calls may wait for their turn; more are told `OVERLOADED`. Default: 256. */
  readonly queue?: number
}

/** Resident size from which the way through the helper is shorter; `npm run bench -- spawn` shows it. */
const BIG_BYTES = 100 * 1024 * 1024

/** Throws `TypeError` on impossible options. */
export function createRunner(options: RunnerOptions = {}): Runner {
  const { warmWorkers = true, spawnHelper = 'auto' } = options
  const concurrency = count('concurrency', options.concurrency ?? Math.max(32, 8 * availableParallelism()), 1)
  const queue = count('queue', options.queue ?? 256, 0)
  const local = createLocalRunner({ warmWorkers })
  const helper = spawnHelper !== false && hasHelper() ? createSpawnHelper({ warmWorkers }) : undefined
  const pays = () => spawnHelper === true || process.memoryUsage.rss() > BIG_BYTES

  return {
    run: withPlaces({ running: concurrency, waiting: queue }, request =>
      helper && pays() ? helper.run(request) : local.run(request),
    ),
    async close() {
      await Promise.all([helper?.close(), local.close()])
    },
  }
}

function count(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`${name}: ${value} is no whole number from ${least} on`)
}
