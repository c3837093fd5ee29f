import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file so that it is the old or the new one, whatever happens. One writer at a time. Throws as `fs` does. */
export function writeAtomically(file: string, text: string, mode = 0o644): void {
  const draft = `${file}.new`
  const open = openSync(draft, 'w', mode)
  try {
    writeSync(open, text)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  renameSync(draft, file)
  syncFolder(dirname(file))
}

/** Makes renames in a folder last. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}
