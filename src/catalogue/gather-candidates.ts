import { type IndexedDocuments, impactOf, isInName } from './indexed-documents.ts'
import type { PostingsBuffer } from './postings.ts'
import type { Query } from './read-query.ts'
import { termsVector } from './text-vector.ts'
import { createTopList } from './top-list.ts'
import type { WordVectors } from './word-vectors.ts'

/** What a ranking knows of the documents that share words with a query: per part of it, one number per candidate. */
export type Candidates = {
  readonly ids: readonly string[]
  readonly parts: readonly CandidatePart[]
}

export type CandidatePart = {
  /** The sum of impact × rarity over the terms they share. */
  readonly lexical: Float32Array
  /** The share of the name's terms that the part has. */
  readonly coverage: Float32Array
  /** Likeness of meaning by word vectors, -1 to 1; 0 without vectors. */
  readonly cosine: Float32Array
  /** What `lexical` cannot exceed. */
  readonly most: number
}

export type GatherOptions = {
  readonly accept?: ((id: string) => boolean) | undefined
  readonly vectors: WordVectors | undefined
}

const MAX_CANDIDATES = 300

/**
 * The best candidates by words. Rarity is counted among the accepted documents only, so a hidden one leaves no trace in
 * the numbers; and ties go by id, so the history of the index leaves none either.
 */
export function gatherCandidates(query: Query, documents: IndexedDocuments, options: GatherOptions): Candidates {
  const { visible, count } = visibleSlots(documents, options.accept)
  const lists = readLists(query.terms, documents)
  const rarity = Float32Array.from(lists, countRarity)
  const slots = bestSlots()
  const { impacts, inName } = impactsOn(slots)
  return {
    ids: slots.map(slot => documents.idAt(slot)!),
    parts: query.parts.map(describePart),
  }

  function countRarity(list: PostingsBuffer): number {
    let found = 0
    for (const slot of list.documents) found += visible[slot]!
    return Math.log(1 + (count - found + 0.5) / (found + 0.5))
  }

  function bestSlots(): number[] {
    const scores = new Float32Array(documents.slots)
    for (const [t, list] of lists.entries()) {
      const factor = query.parts[0]![t]! * rarity[t]!
      for (let i = 0; i < list.documents.length; i++) scores[list.documents[i]!]! += factor * impactOf(list.impacts[i]!)
    }
    const best = createTopList(MAX_CANDIDATES, slot => documents.idAt(slot)!)
    for (let slot = 0; slot < scores.length; slot++)
      if (visible[slot] === 1 && scores[slot]! > 0) best.offer(slot, scores[slot]!)
    return best.sorted()
  }

  /** Term by candidate: the impact, and whether the name has the term. */
  function impactsOn(slots: readonly number[]) {
    const impacts = new Float32Array(query.terms.length * slots.length)
    const inName = new Uint8Array(impacts.length)
    for (const [t, list] of lists.entries())
      for (const [i, slot] of slots.entries()) {
        const at = placeOf(slot, list.documents)
        if (at < 0) continue
        impacts[t * slots.length + i] = impactOf(list.impacts[at]!)
        inName[t * slots.length + i] = isInName(list.impacts[at]!) ? 1 : 0
      }
    return { impacts, inName }
  }

  function describePart(weights: Float32Array): CandidatePart {
    const lexical = new Float32Array(slots.length)
    const coverage = new Float32Array(slots.length)
    let most = 0
    for (const [t, weight] of weights.entries()) {
      if (weight === 0) continue
      const factor = weight * rarity[t]!
      most += factor
      for (let i = 0; i < slots.length; i++) {
        lexical[i]! += factor * impacts[t * slots.length + i]!
        coverage[i]! += inName[t * slots.length + i]!
      }
    }
    for (const [i, slot] of slots.entries()) coverage[i]! /= documents.nameTermsAt(slot) || 1
    return { lexical, coverage, cosine: cosines(weights), most }
  }

  function cosines(weights: Float32Array): Float32Array {
    if (!options.vectors) return new Float32Array(slots.length)
    const vector = termsVector(query.terms, weights, options.vectors)
    return Float32Array.from(slots, slot => documents.cosineAt(slot, vector))
  }
}

/** Unpacked once: each list is gone through several times. */
function readLists(terms: readonly string[], documents: IndexedDocuments): PostingsBuffer[] {
  const buffer = { documents: new Uint32Array(documents.slots), impacts: new Uint8Array(documents.slots) }
  return terms.map(term => {
    const length = documents.read(term, buffer)
    return { documents: buffer.documents.slice(0, length), impacts: buffer.impacts.slice(0, length) }
  })
}

/** Where a number stands in an ascending list, or -1. */
function placeOf(wanted: number, list: Uint32Array): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = list[middle]!
    if (value === wanted) return middle
    if (value < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function visibleSlots(documents: IndexedDocuments, accept: (id: string) => boolean = () => true) {
  const visible = new Uint8Array(documents.slots)
  let count = 0
  for (let slot = 0; slot < visible.length; slot++) {
    const id = documents.idAt(slot)
    if (id === undefined || !accept(id)) continue
    visible[slot] = 1
    count++
  }
  return { visible, count }
}
