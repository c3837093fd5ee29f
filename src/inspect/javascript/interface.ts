// What a reader of one kind of interface hands back, and how parameters are put together.
import type { Json, JsonSchema, ParameterPassing, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { propertyName } from '../property-name.ts'
import { withUniqueNames } from '../unique-names.ts'
import { lineOf, type Node } from './syntax-tree.ts'

export type ReadInterface = {
  readonly commands: readonly InspectedCommand[]
  /** Reasons why the commands are not the whole interface; none when they are. */
  readonly gaps: readonly InspectionNote[]
  /** What the script tells its parser of itself. */
  readonly description?: string
  /** Expressions for the first positional word, where a script reads it by itself. */
  readonly first?: readonly Node[]
  /** How many words a parser is not given. */
  readonly offset?: number
}

export function gapAt(node: Node, message: string): InspectionNote {
  return { message, line: lineOf(node) }
}

export type ValueSchema = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly list?: boolean
  readonly choices?: readonly Json[] | undefined
  readonly default?: Json | undefined
  readonly description?: string | undefined
  readonly pattern?: string | undefined
  readonly minimum?: number
}

function toSchema(value: ValueSchema): JsonSchema {
  const item: JsonSchema = {
    type: value.type,
    ...(value.choices === undefined ? {} : { enum: value.choices }),
    ...(value.minimum === undefined ? {} : { minimum: value.minimum }),
    ...(value.pattern === undefined || value.type !== 'string' || value.choices !== undefined
      ? {}
      : { pattern: value.pattern }),
  }
  return {
    ...(value.list ? { type: 'array', items: item } : item),
    ...(value.default === undefined || value.default === null ? {} : { default: value.default }),
    ...(value.description ? { description: value.description } : {}),
  }
}

/** A default in the type of the schema; what the script gives in another form says nothing to a caller. */
export function asDefault(value: Json | undefined, type: ValueSchema['type']): { default?: Json } {
  if (value === undefined || value === null || value === '') return {}
  if (type === 'string' || type === 'boolean') return typeof value === type ? { default: value } : {}
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? { default: number } : {}
}

export function asListDefault(value: Json | undefined): { default?: Json } {
  return Array.isArray(value) && value.length > 0 ? { default: value } : {}
}

export type ParameterParts = {
  readonly name: string
  readonly value: ValueSchema
  readonly required?: boolean
  readonly level?: number
  readonly line: number
  readonly pass: ParameterPassing
}

export function toParameter({ name, value, required = false, level = 0, line, pass }: ParameterParts): ScriptParameter {
  return { name: propertyName(name) || 'value', schema: toSchema(value), required, level, line, pass }
}

/** A parameter whose flag may be given alone, which says `true`. */
export function orBare(parameter: ScriptParameter): ScriptParameter {
  const { default: preset, description, ...value } = parameter.schema
  const about = {
    ...(preset === undefined ? {} : { default: preset }),
    ...(description === undefined ? {} : { description }),
  }
  return { ...parameter, schema: { anyOf: [value, { const: true }], ...about } }
}

export function oneCommand(
  parameters: readonly ScriptParameter[],
  options: { readonly dashes: 'terminator' | 'pass' | 'refuse'; readonly open: boolean; readonly line: number },
): InspectedCommand {
  // Code that looks for flags among all words expects the positionals before them.
  const isPositional = ({ pass }: ScriptParameter) => pass.as === 'positional'
  const ordered = [...parameters.filter(isPositional), ...parameters.filter(parameter => !isPositional(parameter))]
  const convention = {
    type: 'command-line',
    command: [],
    parameters: withUniqueNames(ordered),
    exclusive: [],
    dashes: options.dashes,
    open: options.open,
  } as const
  return { convention, line: options.line }
}
