// Taking secrets out of what is shown, by their value: in text, in data, and in bytes that arrive in pieces.
import type { Json } from '../types.ts'
import { createFinder, type Finder, type Range } from './find-patterns.ts'
import { MIN_SECRET, spellingsOf } from './secret-spellings.ts'

export type Mask = {
  text(text: string): string
  /** The same object when there is nothing to mask in it. */
  data<T extends Json>(value: T): T
  /** For bytes in pieces; a value may lie across two of them. */
  stream(): { push(bytes: Buffer): Buffer; end(): Buffer }
}

const MASKED = '***'
const MASKED_BYTES = Buffer.from(MASKED)

/** Masks these values in the spellings in which they come back; see `secret-spellings.ts`. */
export function createMask(values: Iterable<string>): Mask {
  const secrets = new Set([...values].filter(value => value.trim().length >= MIN_SECRET))
  if (secrets.size === 0) return NOTHING_TO_MASK
  const spellings = new Set([...secrets].flatMap(spellingsOf))
  const shortest = Math.min(...[...spellings].map(spelling => spelling.length))
  const finder = createFinder([...spellings].map(spelling => Buffer.from(spelling)))

  return { text, data: value => data(value) as never, stream: () => maskStream(finder) }

  function text(value: string): string {
    if (value.length < shortest) return value
    const bytes = Buffer.from(value)
    const ranges = finder.find(bytes, 0)
    return ranges.length === 0 ? value : Buffer.concat(replace(bytes, ranges)).toString()
  }

  function data(value: Json): Json {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return secrets.has(String(value)) ? MASKED : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value.map(data)
      return items.every((item, index) => item === value[index]) ? value : items
    }
    const before = Object.entries(value)
    const after = before.map(([key, item]): [string, Json] => [text(key), data(item)])
    const isSame = after.every(([key, item], index) => key === before[index]![0] && item === before[index]![1])
    return isSame ? value : Object.fromEntries(after)
  }
}

const NOTHING_TO_MASK: Mask = {
  text: text => text,
  data: value => value,
  stream: () => ({ push: bytes => bytes, end: () => Buffer.alloc(0) }),
}

function maskStream(finder: Finder): ReturnType<Mask['stream']> {
  // Bytes that may be the beginning of a value. The first of them may already have been told of as masked.
  let held: Buffer = Buffer.alloc(0)
  let covered = 0
  return {
    push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const ranges = finder.find(bytes, covered)
      const end = bytes.length - finder.unfinished(bytes)
      const parts = replace(bytes, ranges, { covered, end })
      // Copied: a part of a chunk would keep the whole of it in memory.
      held = Buffer.from(bytes.subarray(end))
      const told = ranges.findLast(range => range.start < end || (range.start === 0 && covered > 0))
      covered = Math.max(0, (told?.end ?? 0) - end)
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    },
    end() {
      // What was held as the beginning of one value may hold all of another.
      const parts = replace(held, finder.find(held, covered), { covered })
      held = Buffer.alloc(0)
      covered = 0
      return Buffer.concat(parts)
    },
  }
}

/** The bytes up to `end`, with each range that begins there as a mask; what is covered has its mask already. */
function replace(bytes: Buffer, ranges: readonly Range[], { covered = 0, end = bytes.length } = {}): Buffer[] {
  const parts: Buffer[] = []
  let done = 0
  for (const range of ranges) {
    if (range.start >= end) break
    if (range.start > done) parts.push(bytes.subarray(done, range.start))
    if (range.start > 0 || covered === 0) parts.push(MASKED_BYTES)
    done = range.end
  }
  if (done < end) parts.push(bytes.subarray(done, end))
  return parts
}
