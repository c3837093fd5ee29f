import type { Annotations, JsonSchema, Tool } from '../types.ts'

/** A function of the embedding program as a tool, without the function. */
export type HostToolDescription = {
  /** Also its id: static tools have no skill before their name. */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. Default: no arguments. */
  readonly inputSchema?: JsonSchema
  readonly resultSchema?: JsonSchema
  readonly annotations?: Annotations
  readonly roles?: readonly string[]
  /** Where it stands in the catalogue: `documents/pdf`, or several such places. */
  readonly category?: string | readonly string[]
  readonly tags?: readonly string[]
  readonly timeoutMs?: number
}

/** Throws `TypeError` on a name that cannot be used. */
export function toHostTool(given: HostToolDescription, defaults: { readonly timeoutMs: number }): Tool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(given.name))
    throw new TypeError(`tools: ${JSON.stringify(given.name)} must have 1 to 64 letters, digits, _ or -`)
  const { name, description, inputSchema, timeoutMs, resultSchema, annotations, roles, category, tags } = given
  return {
    id: name,
    name,
    skill: 'host',
    description,
    inputSchema: structuredClone(inputSchema ?? { type: 'object', properties: {}, additionalProperties: false }),
    executor: { type: 'host', name },
    timeoutMs: timeoutMs ?? defaults.timeoutMs,
    origin: 'host',
    ...(resultSchema && { resultSchema: structuredClone(resultSchema) }),
    ...(annotations && { annotations }),
    ...(roles && { roles }),
    ...(category !== undefined && { category }),
    ...(tags && { tags }),
  }
}
