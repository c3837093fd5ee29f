// Which processes need a place that was made on the host for their sandboxes. The kernel takes a mount away, in every sandbox,
// when what it stands on is removed: so only the last one that needs a place may remove it.
import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { startOf, tryLock } from '../files/process-lock.ts'

export type Leases = {
  /** This process needs the path from now on. */
  take(path: string): void
  /** It does not need it any more. True when no other living process does. */
  drop(path: string): boolean
}

const WAIT_MS = 2000
let mine: string | undefined
let known: string | undefined

/** Works alone among all processes of this user. Throws when it cannot. */
export function withLeases<T>(work: (leases: Leases) => T): T {
  known ??= ownFolder()
  const folder = known
  const lock = takeLock(folder)
  try {
    return work({
      take: path => writeFileSync(join(folder, leaseOf(path)), '', { mode: 0o600 }),
      drop(path) {
        const own = leaseOf(path)
        rmSync(join(folder, own), { force: true })
        const others = readdirSync(folder).filter(name => name.startsWith(`${hashOf(path)}.`))
        for (const name of others) if (!isAlive(name)) rmSync(join(folder, name), { force: true })
        return !others.some(isAlive)
      },
    })
  } finally {
    lock.release()
  }
}

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 32)

function leaseOf(path: string): string {
  mine ??= `${process.pid}.${startOf(process.pid)}.${threadId}`
  return `${hashOf(path)}.${mine}`
}

function isAlive(name: string): boolean {
  const [, pid, started] = name.split('.')
  return startOf(Number(pid)) === started
}

function takeLock(folder: string) {
  for (const end = Date.now() + WAIT_MS; ; ) {
    const lock = tryLock(folder, 'places')
    if (typeof lock !== 'string') return lock
    if (Date.now() > end) throw new Error(`${folder} is in use by ${lock}.`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
}

/** In memory where possible: no sandbox shows that folder of the host. */
function ownFolder(): string {
  const folder = join(isWritable('/dev/shm') ? '/dev/shm' : tmpdir(), `skillwright-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return folder
  throw new Error(`${folder} must be a folder that is yours alone: remove it.`)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
