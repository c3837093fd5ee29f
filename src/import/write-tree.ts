// Entries from outside → plain files and folders below a root. The one place where sources are judged.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Budget } from './budget.ts'
import type { Entry } from './entry.ts'
import { isLeftOut, pathParts } from './entry-path.ts'
import { checkCancelled, ImportError, quote } from './import-error.ts'
import { type Link, placeLinks } from './place-links.ts'

export type WriteScope = {
  readonly budget: Budget
  readonly signal: AbortSignal
  /** Called after every entry and every so many bytes. */
  readonly tell: () => void
  /** Takes what a person should know but need not mend. */
  readonly note: (text: string) => void
}

/** Writes the entries below `root`, which must be empty and ours alone. Throws `ImportError`. */
export async function writeTree(entries: AsyncIterable<Entry>, root: string, scope: WriteScope): Promise<void> {
  const { budget, signal } = scope
  const claims = createClaims(budget)
  const links: Link[] = []
  mkdirSync(root, { recursive: true })

  for await (const entry of entries) {
    checkCancelled(signal)
    budget.entry()
    const parts = pathParts(entry.path)
    if (parts.length === 0 || parts.some(isLeftOut)) continue
    const path = parts.join('/')
    if (entry.type === 'other')
      throw new ImportError('ENTRY_REFUSED', `${quote(path)} is ${entry.what}, which is not imported.`, entry.hint)

    claims.claim(parts, entry.type === 'folder' ? 'folder' : 'file')
    const place = join(root, ...parts)
    mkdirSync(entry.type === 'folder' ? place : join(place, '..'), { recursive: true })
    // A link is never written while unpacking, so that nothing can be written through one.
    if (entry.type === 'link') links.push({ path, target: entry.target })
    if (entry.type === 'file') await writeFile(place, path, entry, scope)
    scope.tell()
  }
  placeLinks(links, root, scope)
}

async function writeFile(
  place: string,
  path: string,
  entry: Extract<Entry, { type: 'file' }>,
  { budget, signal, tell }: WriteScope,
): Promise<void> {
  const file = create(place, path, entry.executable ? 0o755 : 0o644)
  try {
    let size = 0
    for await (const chunk of entry.read()) {
      checkCancelled(signal)
      size += chunk.length
      budget.bytes(chunk.length, path, size)
      for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written)
      tell()
    }
  } finally {
    closeSync(file)
  }
}

function create(place: string, path: string, mode: number): number {
  try {
    return openSync(place, 'wx', mode)
  } catch (error) {
    // Another spelling of the same name, on a file system that does not tell them apart.
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? twice(path) : error
  }
}

/** Every path once, and as one thing only: nothing is written over, or through what was announced as a link. */
function createClaims(budget: Budget) {
  const taken = new Map<string, 'file' | 'folder'>()
  return {
    claim(parts: readonly string[], type: 'file' | 'folder'): void {
      for (let depth = 1; depth < parts.length; depth++) {
        if (claimOne(parts.slice(0, depth).join('/'), 'folder')) budget.entry()
      }
      if (!claimOne(parts.join('/'), type) && type === 'file') throw twice(parts.join('/'))
    },
  }

  function claimOne(path: string, type: 'file' | 'folder'): boolean {
    const holder = taken.get(path)
    if (holder !== undefined && holder !== type) throw twice(path)
    taken.set(path, type)
    return holder === undefined
  }
}

function twice(path: string): ImportError {
  return new ImportError('ENTRY_REFUSED', `${quote(path)} is there twice.`, 'Ask the author for a clean copy.')
}
