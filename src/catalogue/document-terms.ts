import type { SearchDocument } from './search-index.ts'
import { tokenize } from './tokenize.ts'

/** What a document says, by field; a field's terms in order. */
export type DocumentTerms = Readonly<Record<SearchField, readonly string[]>>
export type SearchField = 'name' | 'description' | 'parameterNames' | 'parameterDescriptions' | 'category'

// Nobody can drown a catalogue in one description.
const MAX_FIELD_CHARACTERS = 20_000
const MAX_FIELD_TERMS = 400

export function documentTerms({ name, description, parameters, category }: SearchDocument): DocumentTerms {
  return {
    name: terms(name),
    description: terms(description),
    parameterNames: terms(parameters.map(parameter => parameter.name).join(' ')),
    parameterDescriptions: terms(parameters.map(parameter => parameter.description ?? '').join(' \n')),
    category: terms(category),
  }
}

function terms(text: string): string[] {
  return tokenize(text.slice(0, MAX_FIELD_CHARACTERS), MAX_FIELD_TERMS)
}

/**
 * How strongly each term speaks for the document, above 0 and below 1: BM25F with the usual saturation. Lengths are
 * compared with a typical tool, not with the average of the catalogue, so that no document changes the value of another.
 */
export function termImpacts(terms: DocumentTerms, weights: Readonly<Record<SearchField, number>>): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const field of FIELDS) {
    const { length } = terms[field]
    const { typical, normalise } = LENGTHS[field]
    const each = weights[field] / (1 - normalise + (normalise * length) / typical)
    for (const term of terms[field]) frequencies.set(term, (frequencies.get(term) ?? 0) + each)
  }
  for (const [term, frequency] of frequencies) frequencies.set(term, frequency / (frequency + SATURATION))
  return frequencies
}

export const FIELDS: readonly SearchField[] = [
  'name',
  'description',
  'parameterNames',
  'parameterDescriptions',
  'category',
]

const SATURATION = 1.2

const LENGTHS: Readonly<Record<SearchField, { readonly typical: number; readonly normalise: number }>> = {
  name: { typical: 4, normalise: 0.3 },
  description: { typical: 12, normalise: 0.6 },
  parameterNames: { typical: 5, normalise: 0.6 },
  parameterDescriptions: { typical: 25, normalise: 0.6 },
  category: { typical: 4, normalise: 0.3 },
}
