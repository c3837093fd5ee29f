import type { Json, JsonSchema } from '../types.ts'

const MASK = '[secret]'
const MAX_TEXT = 500
const MAX_ITEMS = 50
const SECRET_NAME = /pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential|authorization|private[-_]?key/i

/**
 * Arguments as the audit may hold them. A value is masked when its schema marks it (`writeOnly`, `format: password`,
 * `x-secret`) or its name or flag says so; long texts and lists are cut.
 */
export function maskArgs(args: unknown, schema?: JsonSchema): Json {
  if (typeof args === 'string') return cut(maskFlags(args))
  if (Array.isArray(args)) return maskList(args, schema)
  if (typeof args === 'object' && args !== null) {
    const properties = (schema?.['properties'] ?? {}) as { readonly [name: string]: JsonSchema }
    const entries = Object.entries(args).slice(0, MAX_ITEMS)
    return Object.fromEntries(
      entries.map(([name, value]) => {
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined
        return [name, SECRET_NAME.test(name) || isMarked(own) ? MASK : maskArgs(value, own)]
      }),
    )
  }
  return typeof args === 'number' || typeof args === 'boolean' ? args : null
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)

/** In a command line the value stands behind its flag: `--token abc` or `--token=abc`. */
function maskList(items: readonly unknown[], schema: JsonSchema | undefined): Json {
  const itemSchema = schema?.['items'] as JsonSchema | undefined
  return items.slice(0, MAX_ITEMS).map((item, index) => {
    const before = items[index - 1]
    if (typeof before === 'string' && isSecretFlag(before) && !before.includes('=')) return MASK
    return isMarked(itemSchema) ? MASK : maskArgs(item, itemSchema)
  })
}

function maskFlags(text: string): string {
  return text.replace(/(--?[\w-]+)([= ]\s*)("[^"]*"|'[^']*'|\S+)/g, (whole, flag: string, join: string) =>
    isSecretFlag(flag) ? flag + join + MASK : whole,
  )
}

const isSecretFlag = (text: string): boolean => /^--?[\w-]+/.test(text) && SECRET_NAME.test(text.split('=', 1)[0]!)

function isMarked(schema: JsonSchema | undefined): boolean {
  return schema?.['writeOnly'] === true || schema?.['format'] === 'password' || schema?.['x-secret'] === true
}
