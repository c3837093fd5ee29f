// The files of a skill that may be scripts.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

export type FoundFile = {
  /** Relative to the skill's folder, with `/`. */
  readonly file: string
  readonly kind: 'file' | 'link' | 'too-deep'
}

const MAX_LEVELS = 5
const NEVER_ENTERED = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv'])

/** Every file under `scripts/`, nested skills aside, in a fixed order. */
export function listScriptsFolder(skillFolder: string): FoundFile[] {
  return below('scripts', 0)

  function below(folder: string, level: number): FoundFile[] {
    const entries = list(join(skillFolder, folder))
    if (level > 0 && entries.some(entry => /^skill\.md$/i.test(entry.name))) return []
    return entries.flatMap((entry): FoundFile[] => {
      const file = `${folder}/${entry.name}`
      if (entry.isDirectory()) return NEVER_ENTERED.has(entry.name) ? [] : below(file, level + 1)
      if (entry.isSymbolicLink()) return [{ file, kind: 'link' }]
      if (!entry.isFile()) return []
      return [{ file, kind: level > MAX_LEVELS ? 'too-deep' : 'file' }]
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

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // No such folder, or unreadable, which the walk over the source has said already.
    return []
  }
}
