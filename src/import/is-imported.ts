import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../files/inside.ts'
import { importedFolder } from '../skills/sources.ts'
import { lockFileOf } from './lock-file.ts'

/** Whether a skill was brought by an import: it lies in the usual folder for that, or below a lock file of one. */
export function isImported(folder: string, source: string): boolean {
  if (isInside(importedFolder(), folder)) return true
  for (let place = folder; isInside(source, place); place = dirname(place)) {
    if (existsSync(lockFileOf(place))) return true
    if (dirname(place) === place) return false
  }
  return false
}
