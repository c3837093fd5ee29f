import { closeSync, openSync, readSync } from 'node:fs'
import { splitFrontmatter } from './frontmatter.ts'

const FIRST_READ = 4096
const MAX_FRONTMATTER = 256 * 1024

/** Text up to the end of the frontmatter, and mostly a little more: the body stays on disk. Throws as `fs` does. */
export function readHead(file: string): string {
  const fd = openSync(file, 'r')
  try {
    for (let size = FIRST_READ; ; size *= 8) {
      const buffer = Buffer.allocUnsafe(size)
      const read = readSync(fd, buffer, 0, size, 0)
      const head = buffer.toString('utf8', 0, read)
      if (read < size || size >= MAX_FRONTMATTER || splitFrontmatter(head).kind !== 'unclosed') return head
    }
  } finally {
    closeSync(fd)
  }
}
