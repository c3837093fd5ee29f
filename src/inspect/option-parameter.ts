// An option as the libraries of Ruby and Perl know it, as a parameter.
import type { Json, JsonSchema, ParameterPassing, ScriptParameter } from '../types.ts'
import { propertyName } from './property-name.ts'

export type OptionFacts = {
  /** All spellings, with their dashes. */
  readonly flags: readonly string[]
  readonly value: 'none' | 'string' | 'integer' | 'number'
  readonly repeats: boolean
  readonly counts?: boolean
  /** `--no-colour` for `--colour`. */
  readonly opposite?: string
  readonly choices?: readonly string[]
  readonly initial?: Json
  readonly required: boolean
  readonly description?: string
  readonly line: number
}

export function optionParameter(option: OptionFacts): ScriptParameter {
  const flags = [...option.flags].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  const [best = ''] = flags
  return {
    name: propertyName(best),
    schema: { ...schemaOf(option), ...(option.description ? { description: option.description } : {}) },
    required: option.required,
    level: 0,
    line: option.line,
    pass: passing(option, flags, best.startsWith('--')),
  }
}

function schemaOf({ value, repeats, counts, choices, initial }: OptionFacts): JsonSchema {
  if (counts) return { type: 'integer', minimum: 0 }
  const type = value === 'none' ? 'boolean' : value
  const usable = initial !== undefined && initial !== null && initial !== '' && jsonType(initial) === loose(type)
  const item = { type, ...(choices ? { enum: choices } : {}) }
  if (repeats) return { type: 'array', items: item }
  return { ...item, ...(usable && value !== 'none' ? { default: initial } : {}) }
}

function passing(
  { value, repeats, counts, opposite }: OptionFacts,
  flags: readonly string[],
  long: boolean,
): ParameterPassing {
  if (counts) return { as: 'count', flags }
  if (value === 'none') return { as: 'switch', flags, when: true, ...(opposite === undefined ? {} : { opposite }) }
  const join = long ? 'equals' : 'separate'
  return { as: 'option', flags, join, ...(repeats ? { list: 'repeat' as const } : {}) }
}

function jsonType(value: Json): string {
  return typeof value
}

function loose(type: string): string {
  return type === 'integer' ? 'number' : type
}
