// What is where inside the sandbox: one list of mounts, of which the deeper counts where two overlap.
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../files/inside.ts'
import type { Confinement } from './confinement.ts'
import { isPlaceholder, type Missing } from './placeholders.ts'

export type Mount =
  /** `keep`: readable, and the sandbox does not start when it is gone by then; what else is gone is left out. */
  | { readonly at: string; readonly how: 'read' | 'write' | 'keep' | 'empty-folder' | 'empty-file' | 'proc' | 'dev' }
  /** Empty and writable. */
  | { readonly at: string; readonly how: 'temp'; readonly size?: number }
  | { readonly at: string; readonly how: 'link'; readonly to: string }
  /** A small file of the host as it is now: ten mounts cost more than a millisecond. */
  | { readonly at: string; readonly how: 'copy' }
  /** A device node of ours instead of the host's. */
  | { readonly at: string; readonly how: 'device'; readonly from: string }
  /** Something of the host at another place. */
  | { readonly at: string; readonly how: 'read-from'; readonly from: string }

export type ConfinedMounts = {
  readonly mounts: readonly Mount[]
  /** Protected paths that are not there yet: something must stand there before the sandbox starts. */
  readonly missing: readonly Missing[]
}

/** Shallow ones first; of two at the same place the later one wins. */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ at }: Mount) => (at === '/' ? 1 : at.split('/').length)
  const placed = mounts.map(mount => ({ mount, depth: depth(mount) }))
  return placed.sort((a, b) => a.depth - b.depth).map(({ mount }) => mount)
}

/** The mounts that a confinement asks for. Throws when a protected path is a link, which no mount can hold. */
export function confinedMounts(confinement: Confinement): ConfinedMounts {
  const { read, write, hide, protect } = confinement
  const isProtected = (path: string) => protect.some(folder => isInside(folder, path))
  // What lies in a protected folder is protected with it.
  const outermost = protect.filter(path => !protect.some(other => other !== path && isInside(other, path)))
  const kept = outermost.map(path => keep(path, confinement))
  return {
    mounts: [
      ...read.map((at): Mount => ({ at, how: 'read' })),
      ...write.map((at): Mount => ({ at, how: isProtected(at) ? 'read' : 'write' })),
      ...hide.flatMap(emptied),
      ...kept.flatMap(({ mounts }) => mounts),
    ],
    missing: kept.flatMap(({ missing }) => missing),
  }
}

function emptied(at: string): readonly Mount[] {
  const found = lstatSync(at, { throwIfNoEntry: false })
  if (!found) return []
  return [{ at, how: found.isDirectory() ? 'empty-folder' : 'empty-file' }]
}

function keep(path: string, confinement: Confinement): ConfinedMounts {
  const root = writableRootOf(path, confinement)
  if (root === undefined) return { mounts: [], missing: [] }
  const steps = stepsBetween(root, path)
  const gap = steps.findIndex(step => !exists(step))
  const there = gap < 0 ? steps : steps.slice(0, gap + 1)
  const last = there.at(-1) ?? path
  return {
    mounts: [
      // A folder on the way could be renamed and made anew with another content, unless it is a mount of its own.
      ...there.slice(0, -1).map((at): Mount => ({ at, how: 'write' })),
      { at: last, how: 'keep' },
    ],
    missing: gap < 0 ? [] : [{ path: last, kind: last === path && looksLikeFile(path) ? 'file' : 'folder' }],
  }
}

/** The writable folder through which a path could be written; undefined when it cannot. */
function writableRootOf(path: string, { read, write, hide }: Confinement): string | undefined {
  const root = deepestAbove(path, write)
  if (root === undefined) return undefined
  const closed = [...read.filter(folder => folder !== root), ...hide]
  return closed.some(folder => isInside(root, folder) && isInside(folder, path)) ? undefined : root
}

function deepestAbove(path: string, folders: readonly string[]): string | undefined {
  return folders.filter(folder => isInside(folder, path)).sort((a, b) => b.length - a.length)[0]
}

/** From the first folder below the root down to the path itself. */
function stepsBetween(root: string, path: string): string[] {
  const steps: string[] = []
  for (let step = path; step !== root; step = dirname(step)) steps.unshift(step)
  return steps
}

const looksLikeFile = (path: string): boolean => /[^/]\.[^./]+$/.test(path)

function exists(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && isPlaceholder(found)) return false
  if (found?.isSymbolicLink()) throw new Error(`${path} is a link and cannot be protected: its real path can.`)
  return found !== undefined
}
