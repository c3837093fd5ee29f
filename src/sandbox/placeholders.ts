// Something empty where a protected path does not exist yet. A mount needs a place to stand on, and bubblewrap would make
// it on the host and leave it there. So we make it ourselves, and take it away when no sandbox needs it any more.
import { existsSync, lstatSync, mkdirSync, rmdirSync, type Stats, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { type Leases, withLeases } from './leases.ts'

export type Missing = { readonly path: string; readonly kind: 'file' | 'folder' }

type Held = { users: number; readonly inode: number }

/** The time of all placeholders, in seconds: nothing that somebody made has it, and whatever is put into a folder changes it. */
const MARK = 1

const held = new Map<string, Held>()
let watching = false

/** Makes the places; returns how to give them back. What somebody else has made meanwhile is left to them. */
export function holdPlaces(missing: readonly Missing[]): () => void {
  if (missing.length === 0) return () => {}
  watchExit()
  const added = missing.filter(({ path }) => !held.has(path) || !existsSync(path))
  if (added.length > 0) withLeases(leases => added.map(one => make(one, leases)))
  const mine = missing.map(({ path }) => path).filter(path => held.has(path))
  for (const path of mine) held.get(path)!.users++
  return () => release(mine.splice(0))
}

/** Whether something stands there only for sandboxes, of this process or of another one. */
export const isPlaceholder = (found: Stats): boolean =>
  found.mtimeMs === MARK * 1000 && (found.mode & 0o077) === 0 && (found.isDirectory() || found.size === 0)

function make({ path, kind }: Missing, leases: Leases): void {
  leases.take(path)
  try {
    if (kind === 'folder') mkdirSync(path, { mode: 0o700 })
    else writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    utimesSync(path, MARK, MARK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      leases.drop(path)
      throw error
    }
  }
  const found = lstatSync(path)
  if (isPlaceholder(found)) held.set(path, { users: held.get(path)?.users ?? 0, inode: found.ino })
  else leases.drop(path)
}

function release(paths: readonly string[]): void {
  const unused = paths.filter(path => {
    const place = held.get(path)
    return place && --place.users === 0
  })
  if (unused.length > 0) removeAll(unused)
}

/** What cannot be removed now is removed by whoever needs it next. */
function removeAll(paths: readonly string[]): void {
  try {
    withLeases(leases => {
      for (const path of paths) if (leases.drop(path)) remove(path, held.get(path)!)
    })
  } catch {
    // Another process keeps us from it for too long.
  } finally {
    for (const path of paths) held.delete(path)
  }
}

/** Only what is still empty and still ours: the host may have put a real file there. */
function remove(path: string, { inode }: Held): void {
  try {
    const now = lstatSync(path)
    if (now.ino !== inode || !isPlaceholder(now)) return
    if (now.isDirectory()) rmdirSync(path)
    else unlinkSync(path)
  } catch {
    // Gone, or in use by now.
  }
}

function watchExit(): void {
  if (watching) return
  watching = true
  process.once('exit', () => {
    if (held.size > 0) removeAll([...held.keys()])
  })
}
