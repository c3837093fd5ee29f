// A source that is a tree of files → that tree, unpacked into a folder.
import { closeSync, openSync, readSync } from 'node:fs'
import { download } from './download.ts'
import type { Entry } from './entry.ts'
import { pathParts } from './entry-path.ts'
import { fetchGit } from './git.ts'
import { ImportError } from './import-error.ts'
import { type ImportSource, sourceText } from './parse-source.ts'
import { readFolder } from './read-folder.ts'
import { readTarGz } from './read-tar.ts'
import { readZip } from './read-zip.ts'
import type { ImportScope } from './scope.ts'
import { writeTree } from './write-tree.ts'

export type Tree = { readonly folder: string; readonly commit?: string }

/** Unpacks a source. Throws `ImportError`. */
export async function loadTree(source: ImportSource, scope: ImportScope): Promise<Tree> {
  const { location, subfolder } = source
  switch (source.type) {
    case 'folder':
      return unpack(below(readFolder(location), subfolder), location, scope)
    case 'archive':
      return unpack(below(readArchive(location, scope), subfolder), location, scope)
    case 'archive-url': {
      const { file } = await fetchFile(location, scope)
      return unpack(below(readArchive(file, scope), subfolder), location, scope)
    }
    case 'git': {
      scope.tell('fetching', location)
      const { limits } = scope.budget
      const onProgress = (bytes: number) => scope.tell('fetching', location, { bytes })
      const { commit, entries } = await fetchGit(source, scope.fresh(), { ...scope, limits, onProgress })
      return { ...(await unpack(entries, sourceText(source), scope)), commit }
    }
    case 'index':
      throw new TypeError('An index has no tree of its own.')
  }
}

/** Unpacks an archive that was downloaded already. */
export function unpackArchive(file: string, name: string, scope: ImportScope): Promise<Tree> {
  return unpack(readArchive(file, scope), name, scope)
}

/** Downloads one file into the working folder. */
export async function fetchFile(
  url: string,
  scope: ImportScope,
  maxBytes = scope.budget.limits.totalBytes,
): Promise<{ file: string; digest: string }> {
  const file = scope.fresh()
  scope.tell('fetching', url)
  const digest = await download(url, {
    file,
    maxBytes,
    signal: scope.signal,
    fetch: scope.fetch,
    onProgress: (bytes, total) => scope.tell('fetching', url, { bytes, total }),
  })
  return { file, digest }
}

async function unpack(entries: AsyncIterable<Entry>, name: string, scope: ImportScope): Promise<Tree> {
  const folder = scope.fresh()
  await writeTree(entries, folder, { ...scope, tell: () => scope.tell('unpacking', name) })
  return { folder }
}

/** What the first bytes say counts; names lie. */
function readArchive(file: string, scope: ImportScope): AsyncIterable<Entry> {
  const head = Buffer.alloc(4)
  const open = openSync(file, 'r')
  try {
    readSync(open, head)
  } finally {
    closeSync(open)
  }
  if (head.toString('latin1').startsWith('PK')) return readZip(file)
  if (head[0] === 0x1f && head[1] === 0x8b) return readTarGz(file, scope.budget.limits)
  throw new ImportError(
    'SOURCE_UNSUPPORTED',
    `${file} is neither a zip nor a tar.gz archive.`,
    'Pack it as one of these.',
  )
}

/** Only what lies in a folder of the source. */
async function* below(entries: AsyncIterable<Entry>, folder: string): AsyncIterable<Entry> {
  if (folder === '') return yield* entries
  for await (const entry of entries) {
    const path = pathParts(entry.path).join('/')
    if (path.startsWith(`${folder}/`)) yield { ...entry, path: path.slice(folder.length + 1) }
  }
}
