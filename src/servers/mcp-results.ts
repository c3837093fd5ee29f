// Answers in the form of MCP: a text that a model reads, and the same as data.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { SkillInvocationError } from '../errors.ts'
import { validatorOf } from '../json-schema/validator.ts'
import type { Json, JsonSchema, Tool, ToolResult } from '../types.ts'
import { toDiscoveryText, toText } from '../wire.ts'

/** A failed call is a result too: a model can mend its arguments, but never sees an error of the protocol. */
export function toCallToolResult(result: ToolResult, tool: Tool): CallToolResult {
  if (!result.ok) return failed(toText(result))
  const text = toText(result)
  const promised = isObjectSchema(tool.resultSchema) ? tool.resultSchema : undefined
  const problem = promised && problemOf(result.data, promised)
  // Clients refuse data that breaks its schema, and what the tool did would be lost.
  if (problem !== undefined)
    return failed(`${tool.id} ran, but its answer does not fit its own result schema: ${problem}\n${text}`)
  return { content: [{ type: 'text', text }], ...(isObject(result.data) && { structuredContent: result.data }) }
}

/** The answer of a discovery operation, in the same form as on every other surface. */
export function toOperationResult(response: object): CallToolResult {
  return {
    content: [{ type: 'text', text: toDiscoveryText(response) }],
    structuredContent: { ...response },
    ...('error' in response && { isError: true }),
  }
}

export function toDataResult(data: { readonly [key: string]: Json }): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** Throws everything again that is no failure of a skill. */
export function toFailure(error: unknown): CallToolResult {
  if (!(error instanceof SkillInvocationError)) throw error
  return failed([`${error.code}: ${error.message}`, ...error.hints, error.nextAction].join('\n'))
}

export function isObjectSchema(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema?.['type'] === 'object'
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function problemOf(data: Json, schema: JsonSchema): string | undefined {
  const validate = validatorOf(schema)
  if (validate(data)) return undefined
  const { instancePath = '', message = 'it is wrong' } = validate.errors?.[0] ?? {}
  return `${instancePath} ${message}`.trim()
}

function isObject(data: Json): data is { readonly [key: string]: Json } {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
