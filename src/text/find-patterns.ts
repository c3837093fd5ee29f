// Many byte patterns at once, in one pass that reads only a part of the bytes (Wu and Manber, "A fast algorithm for
// multi-pattern searching", 1994): three bytes that stand in none of the patterns' heads let the search jump ahead.

/** Where patterns stand: overlapping occurrences are one range. */
export type Range = { readonly start: number; readonly end: number }

export type Finder = {
  /** All occurrences in order. A range that begins before `covered` is joined to what is already covered. */
  find(bytes: Uint8Array, covered: number): Range[]
  /** How many bytes at the end may be the beginning of a pattern. */
  unfinished(bytes: Uint8Array): number
}

/** The patterns have at least three bytes each. */
export function createFinder(patterns: readonly Uint8Array[]): Finder {
  const head = Math.min(...patterns.map(pattern => pattern.length))
  const longest = Math.max(...patterns.map(pattern => pattern.length))
  const shifts = new Uint8Array(0x10000).fill(Math.min(head - 2, 255))
  const endings = new Map<number, Uint8Array[]>()
  const beginnings = new Map<number, Uint8Array[]>()
  for (const pattern of patterns) {
    for (let at = 2; at < head; at++) {
      const key = keyAt(pattern, at)
      shifts[key] = Math.min(shifts[key]!, head - 1 - at)
    }
    addTo(endings, keyAt(pattern, head - 1), pattern)
    addTo(beginnings, pattern[0]!, pattern)
  }
  return { find, unfinished }

  function find(bytes: Uint8Array, covered: number): Range[] {
    const ranges: Range[] = []
    let start = 0
    let end = covered
    for (let at = head - 1; at < bytes.length; ) {
      const key = keyAt(bytes, at)
      const shift = shifts[key]!
      if (shift > 0) {
        at += shift
        continue
      }
      const from = at - head + 1
      const length = longestAt(bytes, from, endings.get(key)!)
      if (length > 0) add(from, from + length)
      at++
    }
    if (end > 0) ranges.push({ start, end })
    return ranges

    function add(from: number, to: number): void {
      if (from >= end) {
        if (end > 0) ranges.push({ start, end })
        start = from
      }
      end = Math.max(end, to)
    }
  }

  function unfinished(bytes: Uint8Array): number {
    for (let from = Math.max(0, bytes.length - longest + 1); from < bytes.length; from++)
      if (beginnings.get(bytes[from]!)?.some(pattern => isBeginning(bytes, from, pattern))) return bytes.length - from
    return 0
  }
}

/** The three bytes that end there, as a number below 65,536; others may have the same. */
function keyAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 2]! << 10) ^ (bytes[at - 1]! << 5) ^ bytes[at]!) & 0xffff
}

function addTo(lists: Map<number, Uint8Array[]>, key: number, pattern: Uint8Array): void {
  const list = lists.get(key)
  if (list) list.push(pattern)
  else lists.set(key, [pattern])
}

function longestAt(bytes: Uint8Array, from: number, patterns: readonly Uint8Array[]): number {
  let longest = 0
  for (const pattern of patterns)
    if (
      pattern.length > longest &&
      from + pattern.length <= bytes.length &&
      agrees(bytes, from, pattern, pattern.length)
    )
      longest = pattern.length
  return longest
}

/** Whether the rest of the bytes is the beginning of the pattern, and not all of it. */
function isBeginning(bytes: Uint8Array, from: number, pattern: Uint8Array): boolean {
  const rest = bytes.length - from
  return rest < pattern.length && agrees(bytes, from, pattern, rest)
}

function agrees(bytes: Uint8Array, from: number, pattern: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[from + i] !== pattern[i]) return false
  return true
}
