import { isSecretName } from '../text/secret-name.ts'
import { splitWords } from '../text/split-words.ts'
import type { Json, JsonSchema } from '../types.ts'

const MASK = '[secret]'
const MAX_TEXT = 500
const MAX_COMMAND_LINE = 10_000
const MAX_ITEMS = 50
const MAX_DEPTH = 20

/**
 * Arguments as the audit may hold them. A value is masked when its schema marks it (`writeOnly`, `format: password`,
 * `x-secret`) or its name or flag says so; long texts, long lists and deep nesting are cut.
 */
export function maskArgs(args: unknown, schema?: JsonSchema, depth = 0): Json {
  if (typeof args === 'string') return cut(maskText(args.slice(0, MAX_TEXT + 1)))
  if (typeof args === 'number' || typeof args === 'boolean') return args
  if (typeof args !== 'object' || args === null) return null
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(args)) return maskList(args, schema, depth)

  const properties = (schema?.['properties'] ?? {}) as { readonly [name: string]: JsonSchema }
  const entries = Object.entries(args).slice(0, MAX_ITEMS)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (isSecretName(name) || isMarked(own)) return [name, MASK]
      const isCommandLine = name === 'arguments' && typeof value === 'string'
      return [name, isCommandLine ? maskCommandLine(value) : maskArgs(value, own, depth + 1)]
    }),
  )
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)

/** Read exactly as it will be split, so that no quoting hides a flag. */
function maskCommandLine(text: string): string {
  const words = maskList(splitWords(text.slice(0, MAX_COMMAND_LINE)), undefined, 0) as readonly string[]
  return cut(words.join(' '))
}

/** In a command line the value stands behind its flag: `--token abc` or `--token=abc`. */
function maskList(items: readonly unknown[], schema: JsonSchema | undefined, depth: number): Json {
  const itemSchema = schema?.['items'] as JsonSchema | undefined
  return items.slice(0, MAX_ITEMS).map((item, index) => {
    const before = items[index - 1]
    if (typeof before === 'string' && isSecretFlag(before)) return MASK
    return isMarked(itemSchema) ? MASK : maskArgs(item, itemSchema, depth + 1)
  })
}

const isSecretFlag = (text: string): boolean => /^--?[\w-]{1,100}$/.test(text) && isSecretName(text)

/** `TOKEN=abc`, `Authorization: Bearer abc`, `--api-key abc`: everything behind the first secret name goes. */
function maskText(text: string): string {
  for (const match of text.matchAll(/(--?)?[\w-]+(?:\s*[=:]\s*|(\s+))/g)) {
    const isNamed = match[2] === undefined || match[1] !== undefined
    if (isNamed && isSecretName(match[0].replace(/[\s=:]+$/, '')))
      return text.slice(0, match.index + match[0].length) + MASK
  }
  return text
}

function isMarked(schema: JsonSchema | undefined): boolean {
  return schema?.['writeOnly'] === true || schema?.['format'] === 'password' || schema?.['x-secret'] === true
}
