// One import at a time per target.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessLock, tryLock } from '../files/process-lock.ts'
import { checkCancelled, ImportError } from './import-error.ts'

type Waiting = { readonly signal: AbortSignal; readonly waitMs: number; readonly onWait: (holder: string) => void }

/** Takes the lock in `folder` (made when missing by `prepare`), waiting for its holder. Throws `BUSY` or `CANCELLED`. */
export async function lockTarget(folder: string, prepare: () => void, waiting: Waiting): Promise<ProcessLock> {
  const deadline = Date.now() + waiting.waitMs
  for (;;) {
    checkCancelled(waiting.signal)
    prepare()
    const lock = tryLock(folder, 'import')
    if (typeof lock !== 'string') return lock
    if (Date.now() >= deadline)
      throw new ImportError('BUSY', `Another import is running (${lock}).`, 'Wait for it to end, then try again.')
    waiting.onWait(lock)
    await sleep(POLL_MS, undefined, { signal: waiting.signal }).catch(() => {})
  }
}

const POLL_MS = 50
