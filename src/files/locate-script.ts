import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, normalize, sep } from 'node:path'
import type { ErrorCode } from '../errors.ts'
import { isInside } from './inside.ts'

export type Located =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: RefusalCode; readonly message: string }

type RefusalCode = Extract<
  ErrorCode,
  'PATH_TRAVERSAL' | 'PATH_OUTSIDE_SKILL' | 'LINK_OUTSIDE_SKILL' | 'SETUID_SCRIPT' | 'SCRIPT_MISSING'
>

/**
 * The real path of a skill's file, or why it may not run. Asked again before every call, since the folder may have
 * changed since it was compiled. `folder` must be a real path.
 */
export function locateScript(folder: string, file: string): Located {
  if (isAbsolute(file) && !isInside(folder, normalize(file)))
    return refuse('PATH_OUTSIDE_SKILL', `${file} is outside the skill's folder ${folder}.`)
  if (!isAbsolute(file) && climbs(normalize(file)))
    return refuse('PATH_TRAVERSAL', `${file} climbs out of the skill's folder ${folder}.`)

  try {
    const path = realpathSync.native(isAbsolute(file) ? file : join(folder, file))
    if (!isInside(folder, path)) return refuse('LINK_OUTSIDE_SKILL', `${file} is a link to ${path}, outside the skill.`)
    const { mode } = statSync(path)
    if ((mode & FILE_TYPE) !== REGULAR_FILE) return refuse('SCRIPT_MISSING', `${file} is not a regular file.`)
    if (mode & SETUID_OR_SETGID) return refuse('SETUID_SCRIPT', `${file} has the setuid or setgid bit.`)
    return { ok: true, path }
  } catch (error) {
    return refuse('SCRIPT_MISSING', `${file} cannot be opened (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000
const SETUID_OR_SETGID = 0o6000

const climbs = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`)

const refuse = (code: RefusalCode, message: string): Located => ({ ok: false, code, message })
