// Bubblewrap shows the device nodes of the host themselves. Root owns those, also inside: a script could take `/dev/null` away
// from everybody with `chmod`. So root's scripts get other nodes, which belong to nobody.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../files/process-lock.ts'
import type { Mount } from './mounts.ts'

/** Name → number, as Linux has them. */
const NODES = { null: '1 3', zero: '1 5', full: '1 7', random: '1 8', urandom: '1 9', tty: '5 0' }
const NOBODY = 65534
const FOLDER = '/dev'
const PREFIX = 'skillwright-'

let made: string | null | undefined

/** Whether scripts can be kept from changing the device nodes of the host. */
export const canKeepDevices = (): boolean => !isRoot() || folder() !== null

/** Nodes to be shown instead of the host's. */
export function deviceMounts(): readonly Mount[] {
  const from = isRoot() ? folder() : null
  if (from === null) return []
  return Object.keys(NODES).map(name => ({ at: `/dev/${name}`, how: 'device', from: join(from, name) }))
}

const isRoot = (): boolean => process.getuid?.() === 0

/** Made once per process, where nodes work: folders for temporary files are often mounted without. */
function folder(): string | null {
  if (made === undefined || (made !== null && !existsSync(made))) made = make()
  return made
}

function make(): string | null {
  let path: string | undefined
  try {
    sweepOld()
    path = mkdtempSync(join(FOLDER, `${PREFIX}${process.pid}-`))
    const script = Object.entries(NODES).map(([name, number]) => `mknod -m 666 ${name} c ${number}`)
    if (spawnSync('/bin/sh', ['-c', script.join(' && ')], { cwd: path }).status !== 0) throw new Error('mknod')
    for (const name of Object.keys(NODES)) chownSync(join(path, name), NOBODY, NOBODY)
    const own = path
    process.once('exit', () => remove(own))
    return path
  } catch {
    // A container may not make nodes.
    if (path !== undefined) remove(path)
    return null
  }
}

/** What processes left that were killed. */
function sweepOld(): void {
  for (const name of readdirSync(FOLDER)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN)
    if (!Number.isNaN(pid) && !isAlive(pid)) remove(join(FOLDER, name))
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Somebody else's mount stands on it; the next process looks again.
  }
}
