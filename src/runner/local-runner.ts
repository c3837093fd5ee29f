import { runProcess } from '../process/run-process.ts'
import type { Run } from '../process/run-request.ts'
import { spawnProgram } from '../process/spawn-program.ts'
import { createWorkers } from '../workers/create-workers.ts'

export type Runner = {
  readonly run: Run
  close(): Promise<void>
}

/** Runs programs from this process. */
export function createLocalRunner({ warmWorkers }: { readonly warmWorkers: boolean }): Runner {
  if (!warmWorkers) return { run: request => runProcess(request), close: async () => {} }
  const workers = createWorkers()
  return {
    run: request => runProcess(request, async one => (await workers.begin(one)) ?? spawnProgram(one)),
    close: workers.close,
  }
}
