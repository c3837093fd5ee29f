import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ImportError, quote } from './import-error.ts'

/**
 * Throws `ENTRY_REFUSED` when two names in one folder differ only in case or accents: on many systems they are one file.
 * Asked of what is imported only, since repositories have such names in corners that nobody imports.
 */
export function checkNames(folder: string, below = ''): void {
  const seen = new Map<string, string>()
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const key = entry.name.normalize('NFC').toLowerCase()
    const other = seen.get(key)
    if (other !== undefined) {
      const message = `${quote(other)} and ${quote(path)} are the same file on many systems.`
      throw new ImportError('ENTRY_REFUSED', message, 'Rename one of the two in the source.')
    }
    seen.set(key, path)
    if (entry.isDirectory()) checkNames(folder, path)
  }
}
