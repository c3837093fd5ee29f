import { documentTerms, type SearchField, termImpacts } from './document-terms.ts'
import { createPostings, type Postings, type PostingsBuffer } from './postings.ts'
import type { SearchDocument } from './search-index.ts'
import { writeDocumentVector } from './text-vector.ts'
import type { WordVectors } from './word-vectors.ts'

/**
 * Documents in numbered slots. A removed document leaves an empty slot and its postings behind; when most slots are empty, all
 * is copied together. Nothing in here depends on what else is or was in the index, so counts are made when a query is asked.
 */
export type IndexedDocuments = {
  readonly size: number
  /** Slots in use and empty ones, together. */
  readonly slots: number
  put(document: SearchDocument): void
  remove(id: string): void
  /** Undefined for an empty slot. */
  idAt(slot: number): string | undefined
  /** Reads the postings of a term; 0 for a term that no document ever had. See `impactOf` and `isInName`. */
  read(term: string, into: PostingsBuffer): number
  /** How many different terms the name has. */
  nameTermsAt(slot: number): number
  /** The cosine of the document and a vector of length 1. */
  cosineAt(slot: number, vector: Float32Array): number
  bytes(): number
}

const IN_NAME = 128
const IMPACT_STEPS = 127

export const impactOf = (byte: number) => (byte & IMPACT_STEPS) / IMPACT_STEPS
export const isInName = (byte: number) => byte >= IN_NAME

export function createIndexedDocuments(
  fieldWeights: Readonly<Record<SearchField, number>>,
  loadVectors: () => WordVectors | undefined,
): IndexedDocuments {
  let terms = new Map<string, number>()
  let postings = createPostings()
  let ids: (string | undefined)[] = []
  let nameTerms: number[] = []
  let pages: Int8Array[] = []
  const slotOf = new Map<string, number>()

  return {
    get size() {
      return slotOf.size
    },
    get slots() {
      return ids.length
    },
    put(document) {
      this.remove(document.id)
      const slot = ids.length
      const byField = documentTerms(document)
      const inName = new Set(byField.name)
      for (const [term, impact] of termImpacts(byField, fieldWeights)) {
        const byte = Math.max(1, Math.round(impact * IMPACT_STEPS)) | (inName.has(term) ? IN_NAME : 0)
        postings.add(numberOf(term, terms), slot, byte)
      }
      ids.push(document.id)
      nameTerms.push(inName.size)
      slotOf.set(document.id, slot)
      const vectors = loadVectors()
      if (vectors) writeDocumentVector(byField, vectors, vectorAt(slot, vectors.dimensions))
    },
    remove(id) {
      const slot = slotOf.get(id)
      if (slot === undefined) return
      slotOf.delete(id)
      ids[slot] = undefined
      if (ids.length > MANY_SLOTS && ids.length > 2 * slotOf.size) closeGaps()
    },
    idAt: slot => ids[slot],
    read(term, into) {
      const number = terms.get(term)
      return number === undefined ? 0 : postings.read(number, into)
    },
    nameTermsAt: slot => nameTerms[slot]!,
    cosineAt(slot, vector) {
      const bytes = vectorAt(slot, vector.length)
      let dot = 0
      for (let i = 0; i < vector.length; i++) dot += bytes[i]! * vector[i]!
      return dot / 127
    },
    bytes: () =>
      postings.bytes() +
      pages.reduce((sum, page) => sum + page.byteLength, 0) +
      terms.size * TERM_BYTES +
      ids.length * SLOT_BYTES +
      (loadVectors()?.bytes() ?? 0),
  }

  function vectorAt(slot: number, dimensions: number): Int8Array {
    const page = Math.floor(slot / PAGE_SLOTS)
    pages[page] ??= new Int8Array(PAGE_SLOTS * dimensions)
    const start = (slot % PAGE_SLOTS) * dimensions
    return pages[page].subarray(start, start + dimensions)
  }

  function closeGaps(): void {
    const before = { terms, postings, ids, nameTerms, pages }
    const moved = new Map<number, number>()
    for (const [slot, id] of before.ids.entries()) if (id !== undefined) moved.set(slot, moved.size)
    const kept = [...moved.keys()]
    ids = kept.map(slot => before.ids[slot])
    nameTerms = kept.map(slot => before.nameTerms[slot]!)
    for (const [slot, id] of ids.entries()) slotOf.set(id!, slot)
    pages = []
    const dimensions = (before.pages[0]?.length ?? 0) / PAGE_SLOTS
    for (const [from, to] of moved) {
      const page = before.pages[Math.floor(from / PAGE_SLOTS)]
      const start = (from % PAGE_SLOTS) * dimensions
      if (page) vectorAt(to, dimensions).set(page.subarray(start, start + dimensions))
    }
    ;({ terms, postings } = withoutGaps(before.terms, before.postings, before.ids.length, moved))
  }
}

function withoutGaps(
  oldTerms: ReadonlyMap<string, number>,
  oldPostings: Postings,
  slots: number,
  moved: ReadonlyMap<number, number>,
): { terms: Map<string, number>; postings: Postings } {
  const terms = new Map<string, number>()
  const postings = createPostings()
  const buffer = { documents: new Uint32Array(slots), impacts: new Uint8Array(slots) }
  for (const [term, number] of oldTerms) {
    const count = oldPostings.read(number, buffer)
    for (let i = 0; i < count; i++) {
      const slot = moved.get(buffer.documents[i]!)
      if (slot !== undefined) postings.add(numberOf(term, terms), slot, buffer.impacts[i]!)
    }
  }
  return { terms, postings }
}

function numberOf(term: string, terms: Map<string, number>): number {
  const known = terms.get(term)
  if (known !== undefined) return known
  terms.set(term, terms.size)
  return terms.size - 1
}

const MANY_SLOTS = 1000
const PAGE_SLOTS = 1024
// As measured on V8: a `Map` entry and the string of a term; a `Map` entry and two array elements of a slot.
const TERM_BYTES = 80
const SLOT_BYTES = 64
