// Whether a skill has changed on disk: first by times and sizes, which is cheap, then by content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import type { Skill } from '../types.ts'

/** Files that count, with what `stat` says of each. */
export type Fingerprint = ReadonlyMap<string, string>

const MAX_LEVELS = 6
const MAX_FILES = 5000

/** All files that the tools of a skill depend on: those at its root and those under `scripts/`. Never throws. */
export function takeFingerprint({ folder, file }: Skill): Fingerprint {
  const found = new Map<string, string>()
  visit(folder, 0)
  // SKILL.md may be a link to elsewhere in the source.
  if (!found.has(file)) note(file)
  return found

  function visit(path: string, level: number): void {
    const entries = list(path)
    for (const entry of entries) {
      if (found.size > MAX_FILES) return
      const child = path + sep + entry.name
      if (entry.name.startsWith('dynamic_tools.')) continue
      if (!entry.isDirectory()) note(child)
      // Below the root only scripts/ holds tools.
      else if (level > 0 ? level < MAX_LEVELS : entry.name === 'scripts') visit(child, level + 1)
    }
  }

  function note(path: string): void {
    try {
      const { mtimeMs, ctimeMs, size, ino } = statSync(path)
      // A change of mode changes ctime.
      found.set(path, `${mtimeMs} ${ctimeMs} ${size} ${ino}`)
    } catch {
      found.set(path, 'gone')
    }
  }
}

export function isSame(a: Fingerprint, b: Fingerprint): boolean {
  return a.size === b.size && [...a].every(([path, stat]) => b.get(path) === stat)
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
