// The files of a skill that may be scripts.
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../files/inside.ts'

export type FoundFile = {
  /** Relative to the skill's folder, with `/`. */
  readonly file: string
  /** A folder that is not entered stands for all that is in it. */
  readonly kind: 'file' | 'link' | 'too-deep' | 'vendored'
}

const MAX_LEVELS = 5
const NEVER_ENTERED = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv'])

/** Every file under `scripts/`, nested skills aside, in a fixed order. Links are followed inside the skill only. */
export function listScriptsFolder(skillFolder: string): FoundFile[] {
  const seen = new Set<string>()
  return enter('scripts', 0)

  function enter(folder: string, level: number): FoundFile[] {
    const real = realFolder(join(skillFolder, folder))
    if (real === undefined || seen.has(real)) return []
    if (!isInside(skillFolder, real)) return [{ file: folder, kind: 'link' }]
    if (level > MAX_LEVELS) return [{ file: folder, kind: 'too-deep' }]
    seen.add(real)
    const entries = list(real)
    if (level > 0 && entries.some(entry => /^skill\.md$/i.test(entry.name))) return []
    return entries.flatMap((entry): FoundFile[] => {
      const file = `${folder}/${entry.name}`
      if (NEVER_ENTERED.has(entry.name)) return [{ file, kind: 'vendored' }]
      if (entry.isDirectory()) return enter(file, level + 1)
      if (entry.isFile()) return [{ file, kind: 'file' }]
      if (!entry.isSymbolicLink()) return []
      return realFolder(join(skillFolder, file)) === undefined ? [{ file, kind: 'link' }] : enter(file, level + 1)
    })
  }
}

/** The files at the skill's root, SKILL.md aside. */
export function listRoot(skillFolder: string): FoundFile[] {
  return list(skillFolder).flatMap((entry): FoundFile[] => {
    if (/^skill\.md$/i.test(entry.name)) return []
    if (entry.isSymbolicLink()) return [{ file: entry.name, kind: 'link' }]
    return entry.isFile() ? [{ file: entry.name, kind: 'file' }] : []
  })
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // Unreadable, which the walk over the source has said already.
    return []
  }
}
