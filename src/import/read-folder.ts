// A folder as entries. Links are told, never followed.
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { isInside } from '../files/inside.ts'
import { type Entry, isExecutable, NO_SPECIAL_FILES, specialType } from './entry.ts'
import { isLeftOut } from './entry-path.ts'
import { ImportError, quote, reasonOf } from './import-error.ts'

/** The entries of a folder, in a fixed order. Throws `SOURCE_UNREADABLE` on what may not be read. */
export async function* readFolder(root: string): AsyncGenerator<Entry> {
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = attempt(folder, () => readdirSync(join(root, folder!)))
    for (const name of names.sort()) {
      if (isLeftOut(name)) continue
      const path = folder === '' ? name : `${folder}/${name}`
      const place = join(root, path)
      const found = attempt(path, () => lstatSync(place))
      if (found.isDirectory()) {
        waiting.push(path)
        yield { type: 'folder', path }
      } else if (found.isSymbolicLink()) {
        yield { type: 'link', path, target: attempt(path, () => targetInside(root, place)) }
      } else if (found.isFile()) {
        yield { type: 'file', path, executable: isExecutable(found.mode), read: () => readPlainFile(place) }
      } else {
        yield { type: 'other', path, what: specialType(found.mode) ?? 'a special file', hint: NO_SPECIAL_FILES }
      }
    }
  }
}

/** An absolute link into the same folder means the same as a relative one. */
function targetInside(root: string, place: string): string {
  const target = readlinkSync(place)
  return isAbsolute(target) && isInside(root, target) ? relative(dirname(place), target) : target
}

/** Opened without following or waiting: the file may have been swapped since it was listed. */
async function* readPlainFile(place: string): AsyncGenerator<Uint8Array> {
  const file = attempt(place, () => openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  if (!fstatSync(file).isFile()) {
    closeSync(file)
    throw new ImportError('ENTRY_REFUSED', `${quote(place)} changed while it was read.`, 'Import it again.')
  }
  yield* createReadStream('', { fd: file })
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const hint = 'Make it readable, or import a folder without it.'
    throw new ImportError('SOURCE_UNREADABLE', `${quote(path)} cannot be read: ${reasonOf(error)}.`, hint)
  }
}
