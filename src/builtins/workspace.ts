// The files of a workspace, reached by real path only. Folders are held open while something is done in them, so that a link that is put in
// the way meanwhile leads nowhere.
import { constants, type Dirent, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type HeldFolder, holdChild, holdFolder } from '../files/held-folder.ts'
import { isInside } from '../files/inside.ts'
import { escapeUnseen } from '../text/clean-text.ts'
import { nearest } from '../text/nearest.ts'
import { BuiltinError } from './builtin.ts'

/** Somewhere in the workspace: a name in a folder that is held open. */
export type Place = {
  /** Real path, but for the name of what does not exist yet. */
  readonly path: string
  /** As it is shown: relative to the workspace, with `/`. */
  readonly shown: string
  readonly folder: HeldFolder
  readonly name: string
}

export type Workspace = {
  /** Real path. */
  readonly root: string
  /** Whether something must not be changed, and why. */
  readonly protection: (path: string) => string | undefined
  /** Real paths of what is not shown, since it tells of other callers. */
  readonly hidden: readonly string[]
  /** Where output too long to be returned is kept: whoever was told of a file there may read it. */
  readonly outputs: string
}

/** Folders whose files are not files. */
const NOT_FILES = ['/proc', '/sys', '/dev']
const MAX_PATH = 4000
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Does something with an existing place. Throws `BuiltinError` when there is none, or it is not in the workspace. */
export async function withPlace<Answer>(
  workspace: Workspace,
  path: string,
  work: (place: Place) => Promise<Answer>,
): Promise<Answer> {
  const wanted = within(workspace, path)
  const real = realPath(wanted)
  if (real === undefined) throw missing(workspace, wanted, path)
  // Names there cannot be guessed.
  if (dirname(real) !== workspace.outputs) admit(workspace, real, path)
  return holding(
    () => holdFolder(dirname(real)),
    shownAs(workspace, real),
    folder => work({ path: real, shown: shownAs(workspace, real), folder, name: basename(real) }),
  )
}

/** Does something with a folder. */
export async function withFolder<Answer>(
  workspace: Workspace,
  path: string,
  work: (folder: HeldFolder) => Promise<Answer>,
): Promise<Answer> {
  const wanted = within(workspace, path)
  const real = realPath(wanted)
  if (real === undefined) throw missing(workspace, wanted, path)
  admit(workspace, real, path)
  return holding(() => holdFolder(real), shownAs(workspace, real), work)
}

/**
 * Does something with a place that is to be written: it may not exist yet, and folders on the way are made when `work` asks for the place.
 * Throws `BuiltinError` when it is outside or protected.
 */
export async function withTarget<Answer>(
  workspace: Workspace,
  path: string,
  work: (place: Place) => Promise<Answer>,
): Promise<Answer> {
  const wanted = within(workspace, path)
  const { existing, rest } = nearestExisting(wanted, path)
  admit(workspace, existing, path)
  const target = join(existing, ...rest)
  const reason = workspace.protection(target)
  const shown = shownAs(workspace, target)
  if (reason !== undefined) throw new BuiltinError('PATH_PROTECTED', `${shown} cannot be changed: ${reason}.`)
  if (target === workspace.root) throw new BuiltinError('NOT_A_FILE', 'The path is the workspace itself.')

  const [start, names] = rest.length === 0 ? [dirname(existing), []] : [existing, rest.slice(0, -1)]
  return holding(
    () => makeFolders(holdFolder(start), names),
    shown,
    folder => work({ path: target, shown, folder, name: basename(target) }),
  )
}

/** Opens a regular file for reading; links are not followed and pipes not waited for. */
export async function openFile({ folder, name, shown }: Pick<Place, 'folder' | 'name' | 'shown'>): Promise<FileHandle> {
  if (!lstatSync(folder.at(name)).isFile()) throw notAFile(shown)
  const handle = await open(folder.at(name), READ)
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw notAFile(shown)
}

export function listFolder(folder: HeldFolder): Dirent[] {
  return readdirSync(folder.at(), { withFileTypes: true })
}

/** The path of something in the workspace as models and people write it. */
export function shownAs({ root }: Workspace, path: string): string {
  return escapeUnseen(namesBelow(root, path).join('/')) || '.'
}

export function namesBelow(root: string, path: string): string[] {
  return relative(root, path).split(sep).filter(Boolean)
}

function within(workspace: Workspace, path: string): string {
  if (path.includes('\0')) throw new BuiltinError('INVALID_ARGS', 'The path contains a NUL character.')
  const wanted = resolve(workspace.root, path)
  if (Buffer.byteLength(wanted) > MAX_PATH) throw new BuiltinError('FILE_FAILED', 'The path is too long.')
  return wanted
}

function admit({ root, hidden }: Workspace, real: string, path: string): void {
  if (!isInside(root, real) || NOT_FILES.some(folder => isInside(folder, real)))
    throw new BuiltinError('PATH_OUTSIDE_WORKSPACE', `${path} is outside the workspace.`, [`The workspace is ${root}.`])
  if (hidden.some(place => isInside(place, real)))
    throw new BuiltinError('PATH_PROTECTED', `${path} is not shown: Skillwright keeps state of all its callers there.`)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    const shown = basename(path).slice(0, 80)
    throw code === 'ELOOP'
      ? new BuiltinError('NOT_A_FILE', `${shown} is a link that leads back to itself.`)
      : new BuiltinError('FILE_FAILED', `${shown} cannot be used (${code}).`)
  }
}

/** The real path of what exists of a path, and the names that do not. A link that leads to nothing exists. */
function nearestExisting(wanted: string, path: string): { existing: string; rest: string[] } {
  const rest: string[] = []
  for (let at = wanted; ; at = dirname(at)) {
    const existing = realPath(at)
    if (existing !== undefined) {
      if (rest.length > 0 && !lstatSync(existing).isDirectory())
        throw new BuiltinError('NOT_A_FILE', `${path} leads through a file, not a folder.`)
      return { existing, rest }
    }
    if (isLink(at)) throw new BuiltinError('NOT_A_FILE', `${path} leads through a link to nothing.`)
    rest.unshift(basename(at))
  }
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path)
    return true
  } catch {
    return false
  }
}

function makeFolders(start: HeldFolder, names: readonly string[]): HeldFolder {
  let folder = start
  for (const name of names) {
    const outer = folder
    try {
      mkdirSync(outer.at(name), { recursive: false })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        outer.close()
        throw error
      }
    }
    try {
      folder = holdChild(outer, name)
    } finally {
      outer.close()
    }
  }
  return folder
}

async function holding<Answer>(
  hold: () => HeldFolder,
  shown: string,
  work: (folder: HeldFolder) => Promise<Answer>,
): Promise<Answer> {
  try {
    const folder = hold()
    try {
      return await work(folder)
    } finally {
      folder.close()
    }
  } catch (error) {
    throw explained(error, shown)
  }
}

/** What the system refused, in words. */
function explained(error: unknown, shown: string): unknown {
  const { code } = error as { readonly code?: unknown }
  // The reason of a cancelled call has a number.
  if (error instanceof BuiltinError || typeof code !== 'string') return error
  if (code === 'ENOENT') return new BuiltinError('FILE_NOT_FOUND', `${shown} is not there any more.`)
  if (code === 'ENOTDIR') return new BuiltinError('NOT_A_FILE', `${shown} is a file, not a folder.`)
  if (code === 'ELOOP' || code === 'ESTALE')
    return new BuiltinError('PATH_OUTSIDE_WORKSPACE', `${shown} was replaced by a link meanwhile.`)
  return new BuiltinError('FILE_FAILED', `${shown} cannot be used (${code}).`)
}

function notAFile(shown: string): BuiltinError {
  return new BuiltinError('NOT_A_FILE', `${shown} is not a regular file.`)
}

/** Says that something is missing only where it would be in the workspace: what is outside is nobody's business. */
function missing(workspace: Workspace, wanted: string, path: string): BuiltinError {
  const { existing, rest } = nearestExisting(wanted, path)
  admit(workspace, existing, path)
  const close = rest.length === 1 ? nearest(basename(wanted), namesIn(existing)) : []
  const hints = close.map(name => `Did you mean ${shownAs(workspace, join(existing, name))}?`)
  return new BuiltinError('FILE_NOT_FOUND', `There is no ${path}.`, hints)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, 5000)
  } catch {
    return []
  }
}
