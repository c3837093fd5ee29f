import type { JsonSchema } from '../types.ts'

/**
 * How many schemas a value may be held against, with every `$ref` counted as often as it is followed. Ten lines that refer to each
 * other twice come to a thousand, fifty to more than anyone can wait for. A schema that comes back to itself counts once.
 */
export function schemaWeight(schema: JsonSchema): number {
  const named = namesIn(schema)
  const weights = new Map<object, number>()
  return weigh(schema)

  function weigh(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0
    const known = weights.get(value)
    if (known !== undefined) return known
    weights.set(value, 1)
    let weight = 1
    for (const [key, one] of Object.entries(value)) weight += REFERENCES.has(key) ? weigh(follow(one)) : weigh(one)
    weights.set(value, weight)
    return weight
  }

  function follow(reference: unknown): unknown {
    if (typeof reference !== 'string') return undefined
    if (reference === '#') return schema
    return reference.startsWith('#/') ? at(schema, reference) : named.get(reference)
  }
}

const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** What `$id` and `$anchor` name. */
function namesIn(schema: JsonSchema): ReadonlyMap<string, object> {
  const named = new Map<string, object>()
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const { $id, $anchor, $dynamicAnchor } = value as Readonly<Record<string, unknown>>
    if (typeof $id === 'string') named.set($id, value)
    for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === 'string') named.set(`#${anchor}`, value)
    for (const one of Object.values(value)) visit(one)
  }
  visit(schema)
  return named
}

function at(schema: JsonSchema, pointer: string): unknown {
  let value: unknown = schema
  for (const part of pointer.slice(2).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[nameOf(part)]
  }
  return value
}

function nameOf(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
