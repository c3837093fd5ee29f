// Whether a skill has changed on disk: first by times and sizes, which is cheap, then by content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import type { Skill } from '../types.ts'

/** What a skill's tools depend on, with what `stat` says of each. */
export type Fingerprint = {
  readonly files: ReadonlyMap<string, string>
  /** The folders that were read for them. */
  readonly folders: ReadonlyMap<string, string>
  /** False when a folder changed so lately that another change could bear the same time. */
  readonly isSettled: boolean
}

const MAX_LEVELS = 6
const MAX_FILES = 5000
/** More than the step of any clock that file systems go by. */
const SETTLED_MS = 2000

/** All files that the tools of a skill depend on: those at its root and those under `scripts/`. Never throws. */
export function takeFingerprint({ folder, file }: Skill): Fingerprint {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  let changedAt = 0
  visit(folder, 0)
  // SKILL.md may be a link to elsewhere in the source.
  if (!files.has(file)) files.set(file, statOf(file))
  return { files, folders, isSettled: Date.now() - changedAt > SETTLED_MS }

  function visit(path: string, level: number): void {
    // Before it is read: what comes later shows as a change.
    const stat = statSync(path, { throwIfNoEntry: false })
    folders.set(path, statText(stat))
    changedAt = Math.max(changedAt, stat?.mtimeMs ?? 0)
    const entries = list(path)
    for (const entry of entries) {
      if (files.size > MAX_FILES) return
      const child = path + sep + entry.name
      if (entry.name.startsWith('dynamic_tools.')) continue
      if (!entry.isDirectory()) files.set(child, statOf(child))
      // Below the root only scripts/ holds tools.
      else if (level > 0 ? level < MAX_LEVELS : entry.name === 'scripts') visit(child, level + 1)
    }
  }
}

/** Whether a skill is still as it was, told without reading a folder: a file that comes or goes changes the time of its folder. */
export function isCurrent({ files, folders, isSettled }: Fingerprint): boolean {
  return isSettled && [...folders, ...files].every(([path, stat]) => statOf(path) === stat)
}

export function isSame({ files: a }: Fingerprint, { files: b }: Fingerprint): boolean {
  return a.size === b.size && [...a].every(([path, stat]) => b.get(path) === stat)
}

function statOf(path: string): string {
  try {
    return statText(statSync(path, { throwIfNoEntry: false }))
  } catch {
    return 'gone'
  }
}

/** A change of mode changes ctime. */
function statText(stat: Stats | undefined): string {
  return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : 'gone'
}

/** Hash over names, modes and contents. */
export function hashFiles(paths: Iterable<string>, base: string): string {
  const hash = createHash('sha256')
  for (const path of [...paths].sort()) hash.update(`${path.slice(base.length)}\0${hashFile(path)}\n`)
  return hash.digest('hex')
}

/** More than any script or declaration has; beyond it times and size must do. */
const MAX_BYTES = 16 * 1024 * 1024

/** `gone` for a file that cannot be read. What is no regular file is not opened: a pipe would never end. */
export function hashFile(path: string): string {
  try {
    const stat = statSync(path)
    const mode = stat.mode.toString(8)
    if (!stat.isFile()) return `no file ${mode}`
    if (stat.size > MAX_BYTES) return `${stat.size} ${stat.mtimeMs} ${mode}`
    return `${createHash('sha256').update(readFileSync(path)).digest('hex')} ${mode}`
  } catch {
    return 'gone'
  }
}

function list(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
