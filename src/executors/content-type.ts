import { TextDecoder } from 'node:util'

export type ContentType = {
  /** `text/html`, without parameters. */
  readonly name: string
  readonly kind: 'json' | 'text' | 'binary'
  /** True for the formats that are made to be read piece by piece. */
  readonly isEventual: boolean
  /** For text that is not UTF-8. */
  readonly decoder?: TextDecoder
  /** For the name of a file. */
  readonly ending: string
}

/** Reads a `Content-Type` header. What has none is taken for text. */
export function readContentType(header: string | string[] | undefined): ContentType {
  const [name = '', ...parameters] = String(header ?? 'text/plain')
    .split(';')
    .map(part => part.trim().toLowerCase())
  const isEventual = EVENTUAL.has(name)
  const kind = JSON_TYPE.test(name) ? 'json' : isEventual || TEXT_TYPE.test(name) ? 'text' : 'binary'
  const decoder = kind === 'text' ? decoderFor(parameters) : undefined
  const ending = /\/([a-z0-9]{1,8})$/.exec(name)?.[1] ?? 'bin'
  return { name, kind, isEventual, ending, ...(decoder && { decoder }) }
}

const EVENTUAL: ReadonlySet<string> = new Set([
  'text/event-stream',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-seq',
])
const JSON_TYPE = /^(?:application|text)\/json$|\+json$/
const TEXT_TYPE =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:xml|yaml|x-yaml|toml|javascript|graphql|sql|x-sh|x-www-form-urlencoded)$/

function decoderFor(parameters: readonly string[]): TextDecoder | undefined {
  const charset = parameters
    .find(one => one.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  if (!charset || /^utf-?8$|^(?:us-)?ascii$/.test(charset)) return undefined
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}
