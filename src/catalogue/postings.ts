import { createGrowingArray } from './growing-array.ts'

/** Filled by `Postings.read`: the documents of one term, upwards, and the impact of the term on each. */
export type PostingsBuffer = { readonly documents: Uint32Array; readonly impacts: Uint8Array }

/**
 * Which documents have a term, and how strongly. Documents are numbered upwards, so a list holds the distances between
 * them as variable-length numbers, each followed by one byte of impact, in chained blocks that are never moved.
 */
export type Postings = {
  /** Appends to the list of a term; `document` must be above every document the term already has. */
  add(term: number, document: number, impact: number): void
  /** Writes the list of a term into a buffer that has room for every document; gives its length. */
  read(term: number, into: PostingsBuffer): number
  bytes(): number
}

const PAGE_BITS = 18
const PAGE = 1 << PAGE_BITS
const SMALLEST_BLOCK = 16
const LARGEST_LEVEL = 7
const POINTER = 4
// A distance of up to five bytes and the impact.
const LONGEST_ENTRY = 6

export function createPostings(): Postings {
  const pages: Uint8Array[] = []
  let free = PAGE
  // Per term: address of the first block, where to write next, where the last block's pointer is, its level, the last document + 1.
  const first = createGrowingArray()
  const next = createGrowingArray()
  const end = createGrowingArray()
  const level = createGrowingArray()
  const last = createGrowingArray()

  return {
    add(term, document, impact) {
      while (first.length <= term) {
        for (const column of [first, next, end, level, last]) column.push(0)
      }
      if (last.values[term] === 0) startList(term)
      else if (end.values[term]! - next.values[term]! < LONGEST_ENTRY) extendList(term)
      const page = pages[next.values[term]! >>> PAGE_BITS]!
      let at = next.values[term]! & (PAGE - 1)
      let distance = document + 1 - last.values[term]!
      while (distance > 127) {
        page[at++] = (distance & 127) | 128
        distance >>>= 7
      }
      page[at++] = distance
      page[at++] = impact
      next.values[term] = ((next.values[term]! >>> PAGE_BITS) << PAGE_BITS) | at
      last.values[term] = document + 1
    },
    read(term, { documents, impacts }) {
      if (term >= first.length || last.values[term] === 0) return 0
      const stop = last.values[term]!
      let address = first.values[term]!
      let count = 0
      let document = 0
      for (let size = 0; ; size++) {
        const page = pages[address >>> PAGE_BITS]!
        let at = address & (PAGE - 1)
        const pointer = at + blockSize(size) - POINTER
        // The same room that `add` asks for, so a block is left exactly where the next one was begun.
        while (pointer - at >= LONGEST_ENTRY) {
          let byte = page[at++]!
          let distance = byte & 127
          for (let shift = 7; byte > 127; shift += 7) {
            byte = page[at++]!
            distance |= (byte & 127) << shift
          }
          document += distance
          documents[count] = document - 1
          impacts[count++] = page[at++]!
          if (document === stop) return count
        }
        address =
          (page[pointer]! | (page[pointer + 1]! << 8) | (page[pointer + 2]! << 16) | (page[pointer + 3]! << 24)) >>> 0
      }
    },
    bytes: () => pages.length * PAGE + 5 * 4 * first.values.length,
  }

  function startList(term: number): void {
    const address = allocate(0)
    first.values[term] = address
    useBlock(term, address, 0)
  }

  function extendList(term: number): void {
    const size = level.values[term]! + 1
    const address = allocate(size)
    const pointer = end.values[term]!
    const page = pages[pointer >>> PAGE_BITS]!
    for (let i = 0; i < POINTER; i++) page[(pointer & (PAGE - 1)) + i] = (address >>> (8 * i)) & 255
    useBlock(term, address, size)
  }

  function useBlock(term: number, address: number, size: number): void {
    next.values[term] = address
    end.values[term] = address + blockSize(size) - POINTER
    level.values[term] = size
  }

  function allocate(size: number): number {
    if (free + blockSize(size) > PAGE) {
      pages.push(new Uint8Array(PAGE))
      free = 0
    }
    const address = ((pages.length - 1) << PAGE_BITS) | free
    free += blockSize(size)
    return address >>> 0
  }
}

function blockSize(level: number): number {
  return SMALLEST_BLOCK << Math.min(level, LARGEST_LEVEL)
}
