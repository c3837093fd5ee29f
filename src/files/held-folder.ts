// A folder held open, so that what is done in it is done in this very folder, whatever its path leads to meanwhile.
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type HeldFolder = {
  /** Its real path when it was opened. */
  readonly path: string
  /** How to name an entry of it to the system. The folder itself without a name. */
  at(name?: string): string
  close(): void
}

// Linux resolves these to the open folder itself, which is what `openat` does elsewhere and Node does not offer.
const DESCRIPTORS = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Holds a folder by its real path. Throws as `fs` does, and when the path leads elsewhere by now. */
export function holdFolder(path: string): HeldFolder {
  return hold(path, path)
}

/** Holds a folder in a folder that is held; a link is not followed. Throws as `fs` does. */
export function holdChild(parent: HeldFolder, name: string): HeldFolder {
  return hold(parent.at(name), join(parent.path, name))
}

function hold(spelling: string, path: string): HeldFolder {
  const descriptor = openSync(spelling, FOLDER)
  const own = DESCRIPTORS === undefined ? path : `${DESCRIPTORS}/${descriptor}`
  const close = () => closeSync(descriptor)
  try {
    if (!leadsTo(descriptor, path)) throw replaced(path)
  } catch (error) {
    close()
    throw error
  }
  return { path, at: name => (name === undefined ? own : `${own}/${name}`), close }
}

function leadsTo(descriptor: number, path: string): boolean {
  if (DESCRIPTORS !== undefined) return readlinkSync(`${DESCRIPTORS}/${descriptor}`) === path
  const [held, named] = [fstatSync(descriptor), statSync(path)]
  return realpathSync.native(path) === path && held.ino === named.ino && held.dev === named.dev
}

function replaced(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} was just replaced`), { code: 'ESTALE' })
}
