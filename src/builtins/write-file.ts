// Replaces a file in one step: nobody ever sees half of it, and what failed leaves the old one.
import { randomBytes } from 'node:crypto'
import { constants, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { BuiltinError } from './builtin.ts'
import type { Place } from './workspace.ts'

const DRAFT = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Writes the file at a place. `known` is what was read before: when it is something else by now nothing is written. */
export async function writeFile(place: Place, content: string | Buffer, known?: Stats): Promise<Stats | undefined> {
  const { folder, name, shown } = place
  const before = statAt(place)
  if (before && !before.isFile()) throw new BuiltinError('NOT_A_FILE', `${shown} is not a regular file.`)
  const draft = folder.at(`.skillwright-${randomBytes(8).toString('hex')}.tmp`)
  try {
    const handle = await open(draft, DRAFT, 0o666)
    try {
      await handle.writeFile(content)
      if (before) await keepOwner(handle, before)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (known && !isSame(known, statAt(place)))
      throw new BuiltinError('EDIT_FAILED', `${shown} was changed by somebody else meanwhile.`)
    renameSync(draft, folder.at(name))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  return before
}

function statAt({ folder, name }: Place): Stats | undefined {
  return lstatSync(folder.at(name), { throwIfNoEntry: false })
}

/** Who may read and run it stays as it was; special bits do not. */
async function keepOwner(handle: Awaited<ReturnType<typeof open>>, { mode, uid, gid }: Stats): Promise<void> {
  await handle.chmod(mode & 0o777)
  const now = await handle.stat()
  if (now.uid !== uid || now.gid !== gid) await handle.chown(uid, gid).catch(() => {})
}

function isSame(a: Stats, b: Stats | undefined): boolean {
  return b !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}
