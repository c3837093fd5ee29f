// Reads labelled sets: folders with `tools.jsonl` and `queries.jsonl`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchDocument } from '../src/catalogue/search-index.ts'

export type LabelledQuery = { readonly text: string; readonly relevant: ReadonlySet<string> }
export type RetrievalSet = {
  readonly name: string
  readonly documents: readonly SearchDocument[]
  readonly queries: readonly LabelledQuery[]
}

export const DEFAULT_DATA = '../shared/data/retrieval'

export function readSets(folder: string): RetrievalSet[] {
  const names = readdirSync(folder).filter(name => existsSync(join(folder, name, 'queries.jsonl')))
  if (names.length === 0) throw new TypeError(`No folder with a queries.jsonl in ${folder}`)
  return names.sort().map(name => readSet(name, join(folder, name)))
}

type ToolLine = {
  readonly tool_id: string
  readonly name: string
  readonly description?: string | null
  readonly parameters?: readonly { readonly name: string; readonly description?: string | null }[]
  readonly category?: readonly string[]
}
type QueryLine = { readonly query: string; readonly relevant: readonly string[] }

function readSet(name: string, folder: string): RetrievalSet {
  const documents = readLines<ToolLine>(join(folder, 'tools.jsonl')).map(toDocument)
  const known = new Set(documents.map(({ id }) => id))
  const queries = readLines<QueryLine>(join(folder, 'queries.jsonl'))
    .map(({ query, relevant }) => ({ text: query, relevant: new Set(relevant.filter(id => known.has(id))) }))
    .filter(({ relevant }) => relevant.size > 0)
  return { name, documents, queries }
}

function toDocument({ tool_id, name, description, parameters = [], category = [] }: ToolLine): SearchDocument {
  return {
    id: tool_id,
    name,
    description: description ?? '',
    parameters: parameters.map(parameter => ({ name: parameter.name, description: parameter.description ?? '' })),
    category: category.join(' '),
  }
}

function readLines<Line>(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line.trim()).map(line => JSON.parse(line) as Line)
}
