import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The real path of a folder. Throws `TypeError` that names the option when there is none. */
export function realFolder(path: string, option: string): string {
  const folder = resolve(path)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`${option}: ${folder} is not a folder`)
  return realpathSync.native(folder)
}
