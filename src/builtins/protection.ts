// What no built-in changes, although it lies in a workspace: whatever steers this program, or others that find it there.
import { realpathSync } from 'node:fs'
import { basename, relative, sep } from 'node:path'
import { isInside } from '../files/inside.ts'
import { OBEYED_PATHS } from '../files/obeyed-paths.ts'

export type ProtectedPlaces = {
  /** State, audit and configuration of this runtime. */
  readonly own: readonly string[]
  /** Folders that skills come from, also such as do not exist yet. */
  readonly sources: readonly string[]
}

/** Why a path must not be changed; undefined when it may. `path` is real as far as it exists. */
export function createProtection({ own, sources }: ProtectedPlaces) {
  return (path: string, root: string): string | undefined => {
    if (/^skillwright\.ya?ml$/i.test(basename(path))) return 'it configures Skillwright'
    // The folder of a session may lie among our state; what is in it is the session's.
    const ours = own.filter(place => !isInside(realPath(place), root))
    if (holds(ours, path)) return 'Skillwright keeps its own state there'
    if (holds(sources, path)) return 'skills come from there'
    const obeyed = relative(root, path)
      .split(sep)
      .find(name => OBEYED_PATHS.includes(name.toLowerCase()))
    return obeyed === undefined ? undefined : `programs obey what is in ${obeyed}`
  }
}

/** Which of these are to be hidden from a workspace: not those that it lies in. */
export function hiddenFrom(root: string, places: readonly string[]): string[] {
  return places.map(realPath).filter(place => !isInside(place, root))
}

/** A place may be made, or become a link, after the runtime was. */
function holds(places: readonly string[], path: string): boolean {
  return places.some(place => isInside(place, path) || isInside(realPath(place), path))
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
