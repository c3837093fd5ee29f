// What a skill consists of, as one hash. Everything counts, also what an import leaves out: Python would run what it finds
// in `__pycache__`. Only our own artifacts at the root do not.
import { createHash } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { createTimeSlice } from '../files/time-slice.ts'

export type Content = {
  /** `sha256:<hex>` over paths, run bits and bytes. */
  readonly hash: string
  /** Path in the skill → beginning of its own hash. */
  readonly files: ReadonlyMap<string, string>
}

export type Contents = {
  /** The content of a folder. Nothing is read again while the times of all files and folders are the same. Throws as `fs` does. */
  of(folder: string): Promise<Content>
}

const ARTIFACTS = new Set(['dynamic_tools.json', 'dynamic_tools.lock.json', 'dynamic_tools.report.json'])
/** More than the step of any clock that file systems go by. */
const SETTLED_MS = 2000
const FILE_HASH_LENGTH = 16

type Known = { readonly stats: ReadonlyMap<string, string>; readonly isSettled: boolean; readonly content: Content }

export function createContents(): Contents {
  const known = new Map<string, Known>()
  const running = new Map<string, Promise<Known>>()
  return {
    async of(folder) {
      const before = known.get(folder)
      if (before?.isSettled && [...before.stats].every(([path, stat]) => statText(path) === stat)) return before.content
      const task = running.get(folder) ?? readContent(folder).finally(() => running.delete(folder))
      running.set(folder, task)
      const now = await task
      known.set(folder, now)
      return now.content
    },
  }
}

async function readContent(folder: string): Promise<Known> {
  const slice = createTimeSlice()
  const stats = new Map<string, string>()
  const files = new Map<string, string>()
  const hash = createHash('sha256')
  let changedAt = 0
  for (const path of walk('')) {
    const whole = folder + sep + path
    const own = hashOne(whole, lstatSync(whole))
    files.set(path, own.slice(0, FILE_HASH_LENGTH))
    hash.update(`${path}\0${own}\n`)
    if (slice.spent()) await slice.rest()
  }
  const isSettled = Date.now() - changedAt > SETTLED_MS
  return { stats, isSettled, content: { hash: `sha256:${hash.digest('hex')}`, files } }

  /** Files below a folder, in a fixed order. Times are taken before anything is read: what comes later shows as a change. */
  function walk(below: string): string[] {
    const place = below === '' ? folder : folder + sep + below
    remember(place)
    return readdirSync(place, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(entry => {
        if (below === '' && ARTIFACTS.has(entry.name)) return []
        const path = below === '' ? entry.name : `${below}/${entry.name}`
        if (entry.isDirectory()) return walk(path)
        remember(folder + sep + path)
        return [path]
      })
  }

  function remember(path: string): void {
    const stat = lstatSync(path)
    stats.set(path, toText(stat))
    changedAt = Math.max(changedAt, stat.mtimeMs, stat.ctimeMs)
  }
}

/** A link counts by where it points, a device or a pipe by being one. */
function hashOne(path: string, found: Stats): string {
  const hash = createHash('sha256')
  if (found.isSymbolicLink()) return hash.update(`link ${readlinkSync(path)}`).digest('hex')
  if (!found.isFile()) return hash.update(`special ${found.mode}`).digest('hex')
  hash.update((found.mode & 0o111) === 0 ? '- ' : 'x ')
  const open = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024)
    for (let count = readSync(open, buffer); count > 0; count = readSync(open, buffer))
      hash.update(buffer.subarray(0, count))
    return hash.digest('hex')
  } finally {
    closeSync(open)
  }
}

function statText(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat ? toText(stat) : 'gone'
}

/** Nobody can set ctime back, short of the clock. */
function toText({ mtimeMs, ctimeMs, size, ino, mode }: Stats): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino} ${mode}`
}
