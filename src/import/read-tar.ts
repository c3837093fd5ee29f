// A tar stream as entries, one at a time: the next is parsed when the one before has been read.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ReadEntry } from 'tar'
import { type ImportLimits, tooLarge } from './budget.ts'
import { type Entry, isExecutable, NO_SPECIAL_FILES } from './entry.ts'
import { ImportError, quote, reasonOf } from './import-error.ts'

/** The entries of a .tar.gz file. Throws `SOURCE_UNREADABLE` when it is broken. */
export async function* readTarGz(file: string, limits: ImportLimits): AsyncGenerator<Entry> {
  const packed = createReadStream(file)
  const unpacked = createGunzip({ chunkSize: 64 * 1024 })
  packed.on('error', error => unpacked.destroy(error))
  try {
    yield* readTar(packed.pipe(unpacked), file, limits)
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}

/** The entries of a tar stream; `name` is what errors call it. */
export async function* readTar(stream: Readable, name: string, limits: ImportLimits): AsyncGenerator<Entry> {
  const { Parser } = await import('tar')
  const found: ReadEntry[] = []
  let end: { readonly error?: unknown } | undefined
  let current: ReadEntry | undefined
  let complete = false
  let wake = () => {}

  // A ratio of nothing: an archive inside the archive is not unpacked behind our back.
  const parser = new Parser({ strict: true, maxDecompressionRatio: 0, zstd: false, brotli: false })
  parser.on('entry', entry => {
    // Who reads the entry hears of it; when nobody does, the end of the stream tells.
    entry.on('error', () => {})
    found.push(entry)
    wake()
  })
  parser.on('ignoredEntry', entry => finish(unknownType(entry)))
  parser.on('eof', () => (complete = true))
  parser.on('error', finish)
  parser.on('end', () => finish())
  void feed()

  try {
    for (;;) {
      while (found.length === 0 && !end) await new Promise<void>(resolve => (wake = resolve))
      current = found.shift()
      if (!current) break
      yield toEntry(current, name)
      // What nobody read is skipped; the parser goes on when an entry has ended.
      if (!current.emittedEnd) {
        const entry = current
        await new Promise<void>((resolve, reject) => entry.once('end', resolve).once('error', reject).resume())
      }
    }
    if (end?.error) throw end.error
  } catch (error) {
    throw error instanceof ImportError ? error : broken(name, reasonOf(error))
  } finally {
    stream.destroy()
  }

  /** Zeros after the end of the archive count too: they cost time like anything else. */
  async function feed(): Promise<void> {
    const most = limits.totalBytes + limits.entries * ROOM_FOR_HEADERS
    let bytes = 0
    try {
      for await (const chunk of stream) {
        bytes += chunk.length
        if (bytes > most) throw tooLarge(`${name} unpacks to more than the limit.`)
        // The parser would collect what follows the end.
        if (!complete && !parser.write(chunk)) await new Promise(resolve => parser.once('drain', resolve))
      }
      parser.end()
    } catch (error) {
      finish(error)
    }
  }

  function finish(error?: unknown): void {
    end ??= { error }
    if (error) current?.destroy(error)
    wake()
  }
}

function toEntry(entry: ReadEntry, name: string): Entry {
  const { path } = entry
  switch (entry.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return { type: 'file', path, executable: isExecutable(entry.mode ?? 0), read: () => bytes(entry, name) }
    case 'Directory':
      return { type: 'folder', path }
    case 'SymbolicLink':
      return { type: 'link', path, target: entry.linkpath ?? '' }
    case 'Link':
      return { type: 'other', path, what: 'a hard link', hint: 'Pack the archive with tar --hard-dereference.' }
    default:
      return { type: 'other', path, what: `a ${entry.type}`, hint: NO_SPECIAL_FILES }
  }
}

async function* bytes(entry: ReadEntry, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* entry
  } catch (error) {
    throw error instanceof ImportError ? error : broken(name, reasonOf(error))
  }
}

function unknownType(entry: ReadEntry): ImportError {
  const message = `${quote(entry.path)} is of type ${entry.type}, or its header is too large.`
  return new ImportError('ENTRY_REFUSED', message, 'Pack the archive again with plain files only.')
}

function broken(name: string, why: string): ImportError {
  return new ImportError('SOURCE_UNREADABLE', `${name} is not a whole tar archive: ${why}.`, 'Get it again.')
}

/** Header, padding and long names of one entry. */
const ROOM_FOR_HEADERS = 4096
