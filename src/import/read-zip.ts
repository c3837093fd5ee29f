// A zip archive as entries. The central directory is read, sizes are checked while unpacking.
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, FILE_TYPE, FOLDER, isExecutable, LINK, NO_SPECIAL_FILES, specialType } from './entry.ts'
import { ImportError, quote, reasonOf } from './import-error.ts'

/** The entries of a zip file. Throws `SOURCE_UNREADABLE` when it is broken. */
export async function* readZip(file: string): AsyncGenerator<Entry> {
  const yauzl = await import('yauzl')
  // Names are judged by writeTree, which words its refusals: here they are only decoded.
  const zip = await yauzl.openPromise(file, { decodeStrings: false, autoClose: false }).catch(error => {
    throw broken(file, reasonOf(error))
  })
  try {
    for await (const one of zip.eachEntry()) {
      // Old code pages show control characters as glyphs; writeTree shall see what they are.
      const path = /[\u0000-\u001f\u007f]/.test(one.fileNameRaw.toString('latin1'))
        ? one.fileNameRaw.toString()
        : yauzl.getFileNameLowLevel(one.generalPurposeBitFlag, one.fileNameRaw, one.extraFields, true)
      const mode = one.externalFileAttributes >>> 16
      const kind = mode & FILE_TYPE
      const what = specialType(mode)
      if (one.isEncrypted())
        throw new ImportError(
          'SOURCE_UNREADABLE',
          `${quote(path)} is encrypted.`,
          'Pack the archive without a password.',
        )
      if (what) yield { type: 'other', path, what, hint: NO_SPECIAL_FILES }
      else if (path.endsWith('/') || kind === FOLDER) yield { type: 'folder', path }
      else if (kind === LINK) yield { type: 'link', path, target: await readTarget(() => bytes(one)) }
      else yield { type: 'file', path, executable: isExecutable(mode), read: () => bytes(one) }
    }
  } catch (error) {
    throw error instanceof ImportError ? error : broken(file, reasonOf(error))
  } finally {
    zip.close()
  }

  async function* bytes(one: import('yauzl').Entry): AsyncGenerator<Uint8Array> {
    let sum = 0
    try {
      const stream: Readable = await zip.openReadStreamPromise(one)
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      throw broken(file, reasonOf(error))
    }
    if (sum !== one.crc32) throw broken(file, `${quote(one.fileNameRaw.toString())} does not match its checksum`)
  }
}

/** A link's target is the content of its entry. */
async function readTarget(read: () => AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of read()) {
    size += chunk.length
    if (size > MAX_TARGET) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function broken(file: string, why: string): ImportError {
  return new ImportError('SOURCE_UNREADABLE', `${file} is not a whole zip archive: ${why}.`, 'Get it again.')
}

const MAX_TARGET = 4096
