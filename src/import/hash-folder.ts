import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { createTimeSlice } from '../files/time-slice.ts'
import { isExecutable } from './entry.ts'
import { isLeftOut } from './entry-path.ts'

/**
 * `sha256:<hex>` over sorted paths, run bits and bytes of everything that an import would take. Throws as `fs` does.
 * With `sync` the files are also written through to the disk.
 */
export async function hashFolder(folder: string, { sync = false } = {}): Promise<string> {
  const hash = createHash('sha256')
  const slice = createTimeSlice()
  const buffer = Buffer.allocUnsafe(256 * 1024)
  for (const path of listFiles(folder, '').sort()) {
    const file = join(folder, path)
    const found = lstatSync(file)
    hash.update(`${isExecutable(found.mode) ? 'x' : '-'} ${path}\n${found.size}\n`)
    // An import has plain files only: anything else is an edit, and its name is enough to see that.
    if (!found.isFile()) continue
    const open = openSync(file, 'r')
    try {
      for (let count = readSync(open, buffer); count > 0; count = readSync(open, buffer)) {
        hash.update(buffer.subarray(0, count))
        if (slice.spent()) await slice.rest()
      }
      if (sync) fsyncSync(open)
    } finally {
      closeSync(open)
    }
    if (slice.spent()) await slice.rest()
  }
  return `sha256:${hash.digest('hex')}`
}

function listFiles(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap(entry => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (isLeftOut(entry.name)) return []
    return entry.isDirectory() ? listFiles(folder, path) : [path]
  })
}
