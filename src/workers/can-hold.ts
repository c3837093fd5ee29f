// Whether a Python stops at our file before its script: one that does not would run the script before anybody called it.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runProcess } from '../process/run-process.ts'
import type { WorkerPlan } from './plan-worker.ts'

const HOOK = fileURLToPath(new URL('./python', import.meta.url))
const OLDEST = 0x03080000
const PROBE_MS = 10_000

const known = new Map<string, Promise<boolean>>()

/** Found out once per interpreter. Never throws. */
export function canHold(plan: WorkerPlan): Promise<boolean> {
  const found = known.get(plan.command) ?? probe(plan)
  known.set(plan.command, found)
  return found
}

async function probe({ command, cwd, env, confinement }: WorkerPlan): Promise<boolean> {
  const hook = realpathSync(HOOK)
  const { end, stdout } = await runProcess({
    command,
    args: ['-c', ''],
    cwd,
    env: { ...env, PYTHONPATH: hook, SKILLWRIGHT_WARM: 'probe' },
    timeoutMs: PROBE_MS,
    signal: new AbortController().signal,
    callId: 'probe',
    stdout: { keep: 1024 },
    stderr: { keep: 1024 },
    confinement: { ...confinement, read: [...confinement.read, hook] },
  })
  const [implementation, version] = stdout.text.split(' ')
  return end.how === 'exited' && implementation === 'cpython' && Number(version) >= OLDEST
}
