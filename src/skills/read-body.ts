import { readFileSync, statSync } from 'node:fs'
import { splitFrontmatter } from './frontmatter.ts'

// The longest body seen in public skills has about 300 KB.
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** The Markdown below the frontmatter. Throws when the file is gone, unreadable or absurdly large. */
export function readBody(file: string): string {
  const { size } = statSync(file)
  if (size > MAX_BODY_BYTES) throw new Error(`${file} has ${size} bytes; ${MAX_BODY_BYTES} is the limit`)
  return splitFrontmatter(readFileSync(file, 'utf8')).body.replaceAll('\r\n', '\n').trim()
}
