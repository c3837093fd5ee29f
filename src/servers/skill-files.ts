// The files of a skill as others may read them: regular, inside its folder by real path, of bounded size.
import { createHash } from 'node:crypto'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isInside } from '../files/inside.ts'
import { openInside } from '../files/open-inside.ts'
import type { Skill } from '../types.ts'

export type SkillFile = { readonly path: string; readonly digest: string; readonly size: number }

const NEVER_SERVED = new Set(['node_modules', '.git', '__pycache__', '.skillwright'])
const MAX_FILES = 512
const MAX_BYTES = 16 * 1024 * 1024
const MAX_DEPTH = 12
const SETUID_OR_SETGID = 0o6000
const MANIFEST = 'SKILL.md'

export type SkillFiles = {
  /** Every file that `read` gives, by path; undefined when they are too many or too large to be listed. */
  list(skill: Skill): Promise<readonly SkillFile[] | undefined>
  /** What stands in a file; undefined when it is not served. */
  read(skill: Skill, path: string): Promise<Buffer | undefined>
}

/** Digests are kept as long as a file's size and times stay the same. */
export function createSkillFiles(): SkillFiles {
  const digests = new Map<string, { readonly state: string; readonly digest: string }>()
  return { list, read: readServed }

  async function list(skill: Skill): Promise<readonly SkillFile[] | undefined> {
    const paths = await listPaths(skill)
    if (!paths) return undefined
    const files: SkillFile[] = []
    let bytes = 0
    for (const path of paths) {
      const file = await describe(skill, path)
      bytes += file?.size ?? 0
      if (bytes > MAX_BYTES) return undefined
      if (file) files.push(file)
    }
    return files
  }

  async function describe(skill: Skill, path: string): Promise<SkillFile | undefined> {
    const target = await locate(skill, path)
    if (!target || target.size > MAX_BYTES) return undefined
    const known = digests.get(target.path)
    if (known?.state === target.state) return { path, digest: known.digest, size: target.size }
    const content = await readServed(skill, path)
    if (!content) return undefined
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
    if (digests.size > 50 * MAX_FILES) digests.clear()
    digests.set(target.path, { state: target.state, digest })
    return { path, digest, size: content.length }
  }
}

async function readServed(skill: Skill, path: string): Promise<Buffer | undefined> {
  const target = await locate(skill, path)
  if (!target || target.size > MAX_BYTES) return undefined
  const folder = path === MANIFEST ? join(skill.file, '..') : skill.folder
  const opened = await openInside(folder, target.path).catch(() => undefined)
  if (!opened) return undefined
  try {
    return opened.size > MAX_BYTES ? undefined : await opened.handle.readFile()
  } finally {
    await opened.handle.close()
  }
}

type Located = { readonly path: string; readonly size: number; readonly state: string }

/** Where a file really is; undefined for what must not leave the skill, or is not there. */
async function locate(skill: Skill, path: string): Promise<Located | undefined> {
  const parts = path.split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part) || NEVER_SERVED.has(part)))
    return undefined
  try {
    const real = await realpath(path === MANIFEST ? skill.file : join(skill.folder, ...parts))
    if (path !== MANIFEST && !isInside(skill.folder, real)) return undefined
    const found = await stat(real)
    if (!found.isFile() || found.mode & SETUID_OR_SETGID) return undefined
    return { path: real, size: found.size, state: `${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.ino}` }
  } catch {
    return undefined
  }
}

/** Links to files count as files; links to folders are not followed, since what they show has a place of its own. */
async function listPaths(skill: Skill): Promise<readonly string[] | undefined> {
  const paths = [MANIFEST]
  const manifest = basename(skill.file)
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await readdir(join(skill.folder, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (NEVER_SERVED.has(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === MANIFEST || path === manifest) continue
      if (entry.isDirectory()) {
        if (path.split('/').length > MAX_DEPTH) return undefined
        waiting.push(path)
      } else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path)
      if (paths.length > MAX_FILES) return undefined
    }
  }
  return paths.sort()
}
