// What a server says of its tools. It may be anything: names with line ends, endless texts, schemas that are none.

import { toSchema2020 } from '../json-schema/schema-2020.ts'
import type { Annotations, Json, JsonSchema } from '../types.ts'

/** A tool as its server describes it, cleaned. */
export type ServedTool = {
  /** As it is called on the server. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly resultSchema?: JsonSchema
  readonly annotations?: Annotations
}

export type ServedTools = {
  readonly tools: readonly ServedTool[]
  /** Those that cannot be used, with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

const MAX_TOOLS = 10_000
const MAX_NAME = 256
const MAX_DESCRIPTION = 4000
const MAX_SCHEMA_CHARS = 256 * 1024
const MAX_DEPTH = 64
/** Of all schemas of one server. */
const MAX_TOTAL_CHARS = 32 * 1024 * 1024

/** Reads tools one by one; `add` is false once there are more than anyone can use. */
export function createToolReader(): { add(tool: unknown): boolean; finish(): ServedTools } {
  const tools = new Map<string, ServedTool>()
  const refused: { name: string; reason: string }[] = []
  let total = 0
  return {
    add(raw) {
      if (tools.size + refused.length >= MAX_TOOLS || total > MAX_TOTAL_CHARS) {
        const limit = total > MAX_TOTAL_CHARS ? `${MAX_TOTAL_CHARS} characters of schemas` : `${MAX_TOOLS} tools`
        refused.push({ name: 'the rest', reason: `the server has more than ${limit}` })
        return false
      }
      const read = readTool(raw)
      if ('reason' in read) refused.push(read)
      else if (tools.has(read.tool.name)) refused.push({ name: shown(read.tool.name), reason: 'is there twice' })
      else tools.set(read.tool.name, read.tool)
      if ('size' in read) total += read.size
      return true
    },
    finish: () => ({ tools: [...tools.values()], refused }),
  }
}

type Read = { readonly tool: ServedTool; readonly size: number } | { readonly name: string; readonly reason: string }

function readTool(raw: unknown): Read {
  const { name, title, description, inputSchema = { type: 'object' }, outputSchema, annotations } = toRecord(raw)
  if (typeof name !== 'string' || name.trim() === '') return { name: 'a tool', reason: 'has no name' }
  const refuse = (reason: string) => ({ name: shown(name), reason })
  if (name.length > MAX_NAME) return refuse(`its name has more than ${MAX_NAME} characters`)

  const input = measure(inputSchema)
  if (!isRecord(inputSchema)) return refuse('its input schema is not an object')
  if (input === undefined) return refuse('its input schema is too large or too deep')
  if ((inputSchema['type'] ?? 'object') !== 'object') return refuse('its input schema is not for an object')
  // A result is used as it comes; a schema for it that is of no use does not spoil the tool.
  const output = isRecord(outputSchema) ? measure(outputSchema) : undefined

  const hints = readAnnotations(toRecord(annotations), title)
  const told = typeof description === 'string' ? clean(description, MAX_DESCRIPTION) : ''
  return {
    size: input + (output ?? 0),
    tool: {
      name,
      description: told || hints.title || shown(name),
      inputSchema: toSchema2020({ ...inputSchema, type: 'object' } as JsonSchema),
      ...(output !== undefined && { resultSchema: toSchema2020(outputSchema as JsonSchema) }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
    },
  }
}

function readAnnotations(said: Readonly<Record<string, unknown>>, ownTitle: unknown): Annotations {
  const title = [ownTitle, said['title']].find(one => typeof one === 'string' && one.trim() !== '')
  const hint = (name: string) => (typeof said[`${name}Hint`] === 'boolean' ? { [name]: said[`${name}Hint`] } : {})
  return {
    ...(typeof title === 'string' && { title: clean(title, MAX_NAME) }),
    ...hint('readOnly'),
    ...hint('destructive'),
    ...hint('idempotent'),
    ...hint('openWorld'),
  }
}

/** How many characters a schema has, roughly; undefined when it is too large or too deep to be handled safely. */
function measure(value: unknown, depth = 0): number | undefined {
  if (typeof value === 'string') return value.length > MAX_SCHEMA_CHARS ? undefined : value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  if (depth > MAX_DEPTH) return undefined
  let size = 2
  for (const [key, item] of Object.entries(value)) {
    const own = measure(item, depth + 1)
    if (own === undefined) return undefined
    size += key.length + own + 2
    if (size > MAX_SCHEMA_CHARS) return undefined
  }
  return size
}

/** Without what a terminal would obey, and not longer than anyone reads. */
function clean(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return cut.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, ' ').trim()
}

const shown = (name: string): string => clean(name, 80).replace(/\s+/g, ' ')

const isRecord = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
