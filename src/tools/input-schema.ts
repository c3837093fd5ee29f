// A calling convention → the schema that a model sees. It stays flat: several providers refuse `oneOf` at the top.
import type { CommandLine, ExclusiveGroup, FunctionParameter, JsonSchema, PythonFunction } from '../types.ts'
import { COMMAND_LINE_FORMS } from './free-form.ts'

/** The arguments of a command or function as a JSON Schema. */
export function toInputSchema(convention: CommandLine | PythonFunction): JsonSchema {
  const { parameters } = convention
  const groups = convention.type === 'command-line' ? convention.exclusive : []
  // A parameter that is called `arguments` has the name for itself.
  const takesExtra =
    convention.type === 'command-line' && convention.open && parameters.every(({ name }) => name !== 'arguments')
  const properties = parameters.map(parameter => [parameter.name, describe(parameter, groups)] as const)
  const required = parameters.filter(parameter => parameter.required).map(parameter => parameter.name)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...(takesExtra && { arguments: EXTRA_ARGUMENTS }) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

const EXTRA_ARGUMENTS: JsonSchema = {
  description:
    'More of the command line, when the other properties do not cover it: one text, or a list with one item per argument.',
  anyOf: COMMAND_LINE_FORMS,
}

/** The parameter's schema; what it excludes is told in words. */
function describe({ name, schema }: FunctionParameter, groups: readonly ExclusiveGroup[]): JsonSchema {
  const group = groups.find(one => one.names.includes(name))
  const others = group?.names.filter(other => other !== name) ?? []
  if (!group || others.length === 0) return schema
  const rule = group.required
    ? `Give exactly one of ${group.names.join(', ')}.`
    : `Not together with ${others.join(', ')}.`
  const { description } = schema
  return { ...schema, description: typeof description === 'string' && description ? `${description} ${rule}` : rule }
}
