// Options objects given to a library: literals with constants, spreads and imported parts.
import type { Json } from '../../types.ts'
import { evaluate, propertyKey } from './evaluate.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, partsOf, unwrap } from './syntax-tree.ts'

/** A value in a configuration: an expression of this file, or a constant from another. */
export type Entry = { readonly node: Node } | { readonly json: Json }

export type Config = {
  readonly entries: ReadonlyMap<string, Entry>
  /** False when a spread or a computed key could not be read. */
  readonly complete: boolean
}

const EMPTY: Config = { entries: new Map(), complete: false }

export function readConfig(script: Script, entry: Entry | Node | undefined, depth = 8): Config {
  if (entry === undefined || depth === 0) return EMPTY
  const source = 'from' in entry ? { node: entry } : entry
  if ('json' in source) return configOfJson(source.json)
  const node = followConstant(script, source.node)
  if (node.name !== 'ObjectExpression') return configOfJson(evaluate(script, node)?.value)

  const entries = new Map<string, Entry>()
  let complete = true
  for (const property of partsOf(node)) {
    const value = property.children.at(-1)
    if (childNamed(property, 'Spread')) {
      const inner = readConfig(script, value, depth - 1)
      for (const [key, found] of inner.entries) entries.set(key, found)
      complete &&= inner.complete
      continue
    }
    const key = propertyKey(property)
    if (key === undefined || value === undefined) complete = false
    else entries.set(key, { node: childNamed(property, 'ParamList') ? property : value })
  }
  return { entries, complete }
}

/** The value of one field, when it is constant. */
export function fieldValue(script: Script, config: Config, name: string): Json | undefined {
  return entryValue(script, config.entries.get(name))
}

export function entryValue(script: Script, entry: Entry | undefined): Json | undefined {
  if (entry === undefined) return undefined
  return 'json' in entry ? entry.json : evaluate(script, entry.node)?.value
}

export function fieldText(script: Script, config: Config, name: string): string | undefined {
  const value = fieldValue(script, config, name)
  return typeof value === 'string' ? value : undefined
}

/** A field's list of texts; one text is a list of one. */
export function fieldTexts(script: Script, config: Config, name: string): readonly string[] | undefined {
  const value = fieldValue(script, config, name)
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? (value as string[]) : undefined
}

export function fieldNode(config: Config, name: string): Node | undefined {
  const entry = config.entries.get(name)
  return entry !== undefined && 'node' in entry ? entry.node : undefined
}

/** The expression that a never-changed name stands for. */
function followConstant(script: Script, node: Node, depth = 8): Node {
  const expression = unwrap(node)
  const binding = bindingOf(script, expression)
  if (binding === undefined || depth === 0 || binding.writes.length > 0) return expression
  if (binding.origin.kind !== 'value' || binding.origin.path.length > 0) return expression
  return followConstant(script, binding.origin.value, depth - 1)
}

function configOfJson(value: Json | undefined): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return EMPTY
  return { entries: new Map(Object.entries(value).map(([key, json]) => [key, { json }])), complete: true }
}
