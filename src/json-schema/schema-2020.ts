import type { Json, JsonSchema } from '../types.ts'

/**
 * A schema in the 2020-12 dialect. Most servers still write draft-07, where only lists with a schema per item are spelled
 * differently; the rest means the same in both.
 */
export function toSchema2020(schema: JsonSchema): JsonSchema {
  const { $schema: dialect, ...rest } = schema
  return typeof dialect === 'string' && dialect.includes('2020-12') ? rest : (convert(rest) as JsonSchema)
}

function convert(value: Json): Json {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const { items, additionalItems, ...rest } = value as JsonSchema
  const entries = Object.entries(rest).map(([key, item]) => [key, AS_WRITTEN.includes(key) ? item : convert(item)])
  return {
    ...Object.fromEntries(entries),
    ...(Array.isArray(items)
      ? { prefixItems: convert(items), ...(additionalItems !== undefined && { items: convert(additionalItems) }) }
      : { ...(items !== undefined && { items: convert(items) }) }),
  }
}

/** Data of the author, not schemas. */
const AS_WRITTEN = ['default', 'const', 'enum', 'examples', 'required', 'description']
