import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or lies below it. Both must be absolute; `skill-evil` is not inside `skill`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
