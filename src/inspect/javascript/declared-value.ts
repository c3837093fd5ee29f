import type { Json, ParameterPassing, ScriptParameter } from '../../types.ts'
import { asDefault, asListDefault, orBare, toParameter } from './interface.ts'
import type { ValueFacts } from './value-facts.ts'

/** What a script says to its parser of an option with a value, or of a positional. */
export type DeclaredValue = {
  readonly name: string
  readonly line: number
  readonly level?: number
  readonly pass: Extract<ParameterPassing, { as: 'option' | 'positional' }>
  readonly type?: 'string' | 'integer' | 'number' | undefined
  readonly list?: boolean
  readonly choices?: readonly Json[] | undefined
  readonly default?: Json | undefined
  readonly required?: boolean
  readonly pattern?: string | undefined
  readonly description?: string | undefined
  /** What the script does with the value. */
  readonly facts: ValueFacts
}

/** The declaration comes first; where it is silent, the uses speak. */
export function declaredValue(declared: DeclaredValue): ScriptParameter {
  const { name, line, level = 0, list = false, pattern, description, facts } = declared
  const type = typeOf(declared)
  const value = {
    type,
    list,
    pattern,
    description,
    choices: declared.choices ?? (list ? undefined : facts.choices),
    ...(list ? asListDefault(declared.default) : asDefault(declared.default ?? facts.default, type)),
  }
  const required = (declared.required === true || facts.required) && (declared.default ?? undefined) === undefined
  const isRepeated = list && declared.pass.as === 'option'
  const pass = isRepeated ? ({ ...declared.pass, list: 'repeat' } as const) : declared.pass
  const parameter = toParameter({ name, value, required, level, line, pass })
  return pass.as === 'option' && pass.bare !== undefined ? orBare(parameter) : parameter
}

function typeOf({ type, list, choices, default: preset, facts }: DeclaredValue): 'string' | 'integer' | 'number' {
  if (type === 'integer' || type === 'number') return type
  if (!list && facts.type !== 'boolean' && facts.type !== 'string') return facts.type
  if (type === 'string') return type
  if (choices?.every(choice => typeof choice === 'number')) return 'number'
  return typeof preset !== 'number' ? 'string' : Number.isInteger(preset) ? 'integer' : 'number'
}
