// All that a model needs to call a tool.
import { cutText } from '../text/clean-text.ts'
import type { Json, JsonSchema, Tool } from '../types.ts'
import type { Path } from './categories.ts'
import { summaryOf } from './describe.ts'
import type { ExpandToolResponse } from './operations.ts'
import { versionOf } from './tool-version.ts'

const MAX_DESCRIPTION = 1000

export function expandTool(tool: Tool, path: Path): ExpandToolResponse {
  const summary = summaryOf(tool)
  const description = cutText(tool.description, MAX_DESCRIPTION)
  const requirements = requirementsOf(tool)
  const annotations = annotationsOf(tool)
  const example = shortExampleOf(tool.inputSchema)
  return {
    tool_id: tool.id,
    path: [...path],
    summary,
    ...(description.length > summary.length + 1 && { description }),
    args_schema: cleanSchema(tool.inputSchema) as JsonSchema,
    ...(tool.resultSchema && { result_schema: cleanSchema(tool.resultSchema) as JsonSchema }),
    version: versionOf(tool),
    ...(tool.version !== undefined && { declared_version: cutText(tool.version, 40) }),
    ...(example && { examples: [example] }),
    ...(requirements.length > 0 && { requirements }),
    ...(annotations && { annotations }),
    ...(tool.cost !== undefined && { cost: tool.cost }),
    ...(tool.risk !== undefined && { risk: tool.risk }),
  }
}

function requirementsOf({ reading, env }: Tool): NonNullable<ExpandToolResponse['requirements']> {
  return [
    ...(reading?.requirements ?? []).map(({ kind, name, install }) => ({ kind, name, ...(install && { install }) })),
    ...(env ?? []).map(name => ({ kind: 'variable' as const, name })),
  ]
}

/** As it stands on the wire. */
export function annotationsOf({ annotations }: Tool): ExpandToolResponse['annotations'] {
  if (!annotations) return undefined
  const { title, readOnly, destructive, idempotent, openWorld } = annotations
  return {
    ...(title !== undefined && { title: cutText(title, MAX_DESCRIPTION) }),
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(destructive !== undefined && { destructive }),
    ...(idempotent !== undefined && { idempotent }),
    ...(openWorld !== undefined && { open_world: openWorld }),
  }
}

/** One that is longer than a description tells a model less than it costs. */
function shortExampleOf(schema: JsonSchema): { [name: string]: Json } | undefined {
  const example = exampleOf(schema)
  return example && JSON.stringify(example).length <= MAX_DESCRIPTION ? example : undefined
}

/** What the author wrote as an example, else the required arguments with a value of the right kind for each. */
function exampleOf(schema: JsonSchema): { [name: string]: Json } | undefined {
  const given = Array.isArray(schema['examples']) ? schema['examples'][0] : undefined
  if (isObject(given)) return given
  const properties = schema['properties']
  const required = schema['required']
  if (!isObject(properties) || !Array.isArray(required) || required.length === 0) return undefined
  const values = required.map(name => [String(name), sampleOf(properties[String(name)], String(name))] as const)
  return values.some(([, value]) => value === undefined)
    ? undefined
    : (Object.fromEntries(values) as { [name: string]: Json })
}

function sampleOf(schema: Json | undefined, name: string): Json | undefined {
  if (!isObject(schema)) return undefined
  const { const: only, examples, default: usual, enum: choices, type, minimum } = schema
  const first =
    only ??
    (Array.isArray(examples) ? examples[0] : undefined) ??
    usual ??
    (Array.isArray(choices) ? choices[0] : undefined)
  if (first !== undefined) return first
  if (type === 'string') return `<${name}>`
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1
  if (type === 'boolean') return true
  if (type === 'array') {
    const item = sampleOf(schema['items'], name)
    return item === undefined ? undefined : [item]
  }
  return undefined
}

const WORDS = new Set(['description', 'title', '$comment'])
/** Below these stand values, which must stay as they are. */
const VALUES = new Set(['default', 'const', 'enum', 'examples'])

/** Below these stand names that an author chose, whatever they look like. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** The words of strangers in a schema are cleaned and cut like all others; what decides what is valid is not touched. */
function cleanSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(cleanSchema)
  return mapValues(schema, (value, key) => {
    if (WORDS.has(key) && typeof value === 'string') return cutText(value, MAX_DESCRIPTION)
    if (NAMED.has(key)) return mapValues(value, cleanSchema)
    return VALUES.has(key) ? value : cleanSchema(value)
  })
}

function mapValues(object: Json, change: (value: Json, key: string) => Json): Json {
  if (!isObject(object)) return object
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
