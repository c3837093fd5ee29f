import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { fail } from '../errors.ts'
import { validatorOf } from '../json-schema/validator.ts'
import { nearest } from '../text/nearest.ts'
import type { Json, JsonSchema, Tool, ToolError } from '../types.ts'

export type Validated =
  | { readonly ok: true; readonly args: { readonly [name: string]: Json } }
  | { readonly ok: false; readonly error: ToolError }

/** Checks arguments against a tool's schema. Never throws. */
export function validateArgs(tool: Tool, args: unknown): Validated {
  const value = args ?? {}
  let validate: ValidateFunction
  try {
    // The compiler makes, or has checked, all schemas but these.
    const isSound = tool.origin !== 'mcp-server' && tool.origin !== 'host'
    validate = validatorOf(tool.inputSchema, { isSound })
    // A schema that refers to itself in place ends with the stack.
    if (validate(value)) return { ok: true, args: value as { readonly [name: string]: Json } }
  } catch (error) {
    const message = `The schema of ${tool.id} cannot be used: ${error instanceof Error ? error.message : String(error)}`
    return fail('INVALID_ARGS', message, { nextAction: 'Use another tool; this one needs mending by its author.' })
  }
  const errors = (validate.errors ?? []).slice(0, MAX_ERRORS)
  return fail('INVALID_ARGS', `Wrong arguments for ${tool.id}: ${errors.map(describe).join('; ')}.`, {
    hints: hintsFor(tool.inputSchema, errors),
    nextAction: 'Mend the arguments, then call again.',
  })
}

const MAX_ERRORS = 8

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties')
    return `${where} have no property ${JSON.stringify(params['additionalProperty'])}`
  if (keyword === 'enum') return `${where} must be one of ${JSON.stringify(params['allowedValues'])}`
  return `${where} ${message}`
}

function hintsFor(schema: JsonSchema, errors: readonly ErrorObject[]): string[] {
  const known = Object.keys((schema['properties'] ?? {}) as object)
  const unknown = errors.filter(error => error.keyword === 'additionalProperties')
  const meant = unknown.flatMap(error => nearest(String(error.params['additionalProperty']), known, 1))
  return [...meant.map(name => `Did you mean ${name}?`), `Properties: ${known.join(', ') || 'none'}.`]
}
