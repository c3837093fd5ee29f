import { runProcess } from '../process/run-process.ts'
import type { Run } from '../process/run-request.ts'

export type Runner = {
  readonly run: Run
  close(): Promise<void>
}

/** Runs programs from this process. */
export function createLocalRunner(_: { readonly warmWorkers: boolean }): Runner {
  return { run: request => runProcess(request), close: async () => {} }
}
