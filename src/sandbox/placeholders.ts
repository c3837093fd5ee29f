// Something empty where a protected path does not exist yet. A mount needs a place to stand on, and bubblewrap would make
// it on the host and leave it there. So we make it ourselves, and take it away when no sandbox needs it any more.
import { existsSync, lstatSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'

export type Missing = { readonly path: string; readonly kind: 'file' | 'folder' }

type Held = { users: number; readonly kind: Missing['kind']; readonly inode: number }

const held = new Map<string, Held>()
let watching = false

/** Makes the places; returns how to give them back. What somebody else has made meanwhile is left to them. */
export function holdPlaces(missing: readonly Missing[]): () => void {
  if (missing.length === 0) return () => {}
  watchExit()
  const mine = missing.flatMap(one => (hold(one) ? [one.path] : []))
  return () => {
    for (const path of mine.splice(0)) release(path)
  }
}

/** Whether a path stands there only for running sandboxes. */
export const isHeld = (path: string): boolean => held.has(path)

function hold({ path, kind }: Missing): boolean {
  const known = held.get(path)
  // Somebody may have taken it away meanwhile, `git clean` for instance.
  if (known && existsSync(path)) {
    known.users++
    return true
  }
  try {
    if (kind === 'folder') mkdirSync(path, { mode: 0o700 })
    else writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  held.set(path, { users: (known?.users ?? 0) + 1, kind, inode: lstatSync(path).ino })
  return true
}

function release(path: string): void {
  const place = held.get(path)
  if (!place || --place.users > 0) return
  held.delete(path)
  remove(path, place)
}

/** Only what is still empty and still ours: the host may have put a real file there. */
function remove(path: string, { kind, inode }: Held): void {
  try {
    const now = lstatSync(path)
    if (now.ino !== inode) return
    if (kind === 'folder') rmdirSync(path)
    else if (now.size === 0) unlinkSync(path)
  } catch {
    // Gone, or in use by now.
  }
}

function watchExit(): void {
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const [path, place] of held) remove(path, place)
  })
}
