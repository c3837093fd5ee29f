import { constants, realpathSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside } from './inside.ts'

export type OpenedFile = { readonly path: string; readonly size: number; readonly handle: FileHandle }

/**
 * Opens a file that lies in a folder by its real path, so that no link leads out of it. Throws an `Error` with a reason
 * otherwise. The caller closes the handle.
 */
export async function openInside(folder: string, file: string): Promise<OpenedFile> {
  const path = realPath(resolve(folder, file), file)
  if (!isInside(realpathSync.native(folder), path)) throw new Error(`${file} is not in the workspace`)
  // Neither follow a link put there just now, nor wait for the other end of a pipe.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { ino, dev, size, isRegular } = await handle.stat().then(stat => ({ ...stat, isRegular: stat.isFile() }))
    if (!isRegular) throw new Error(`${file} is not a regular file`)
    // A folder on the way may have become a link since: what was opened must still be what stands there.
    const now = statSync(realPath(path, file))
    if (realPath(path, file) !== path || now.ino !== ino || now.dev !== dev)
      throw new Error(`${file} was just replaced`)
    return { path, size, handle }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function realPath(path: string, shown: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    throw new Error(`${shown} cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
}
