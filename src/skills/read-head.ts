import { closeSync, openSync, readSync } from 'node:fs'
import { splitFrontmatter } from './frontmatter.ts'

const FIRST_READ = 4096
const MAX_FRONTMATTER = 256 * 1024
// Files are read one after the other, so that one buffer serves them all.
const shared = Buffer.allocUnsafeSlow(FIRST_READ)

/** Text up to the end of the frontmatter; the body stays on disk. An error when the file cannot be read. */
export function readHead(file: string): string | NodeJS.ErrnoException {
  try {
    return read(file)
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function read(file: string): string {
  const fd = openSync(file, 'r')
  try {
    for (let size = FIRST_READ; ; size *= 8) {
      const buffer = size === FIRST_READ ? shared : Buffer.allocUnsafe(size)
      const length = readSync(fd, buffer, 0, size, 0)
      const head = buffer.toString('utf8', 0, endOfFrontmatter(buffer.subarray(0, length)))
      if (length < size || size >= MAX_FRONTMATTER || splitFrontmatter(head).kind !== 'unclosed') return head
    }
  } finally {
    closeSync(fd)
  }
}

const NEWLINE = 0x0a

/** Behind the first line after the start that begins with `---`; all of it when there is none. Most bytes are never decoded. */
function endOfFrontmatter(bytes: Buffer): number {
  const start = bytes.indexOf('---')
  for (let at = bytes.indexOf('\n---', start + 1); start >= 0 && at >= 0; at = bytes.indexOf('\n---', at + 1)) {
    const end = bytes.indexOf(NEWLINE, at + 1)
    if (end < 0) break
    if (/^---[ \t]*\r?$/.test(bytes.toString('latin1', at + 1, end))) return end + 1
  }
  return bytes.length
}
