// Declared options and arguments of commander as parameters.
import type { ExclusiveGroup, Json, ScriptParameter } from '../../types.ts'
import { propertyName } from '../property-name.ts'
import { type CommandDraft, levelOf } from './command-tree.ts'
import type { Converter } from './converters.ts'
import { type ArgumentSpec, camelCase, type FlagSpec } from './flag-spec.ts'
import { asDefault, asListDefault, orBare, toParameter } from './interface.ts'
import type { PropertyRead } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'

type Declaration = {
  readonly converter?: Converter
  readonly choices?: readonly string[]
  readonly default?: Json
  readonly description?: string
  readonly pattern?: string
  readonly at: Node
}

export type OptionDeclaration = Declaration & {
  readonly spec: FlagSpec
  readonly required: boolean
  /** Keys of options that exclude this one. */
  readonly conflicts?: readonly string[]
}

export type ArgumentDeclaration = Declaration & { readonly spec: ArgumentSpec }

export function optionParameters(
  script: Script,
  declared: readonly OptionDeclaration[],
  reads: readonly PropertyRead[],
  draft: CommandDraft,
): { readonly parameters: readonly ScriptParameter[]; readonly exclusive: readonly ExclusiveGroup[] } {
  const parameters: ScriptParameter[] = []
  const exclusive: ExclusiveGroup[] = []
  for (const option of declared) {
    const { spec } = option
    const twin = declared.find(other => other !== option && other.spec.key === spec.key)
    if (spec.negated && twin !== undefined) continue
    const nodes = reads.filter(read => read.key === spec.key && read.deeper.length === 0).flatMap(read => read.nodes)
    parameters.push(optionParameter(script, option, twin, nodes, levelOf(draft)))
    for (const key of option.conflicts ?? [])
      exclusive.push({ names: [propertyName(spec.key), propertyName(camelCase(key))], required: false })
  }
  return { parameters, exclusive }
}

function optionParameter(
  script: Script,
  option: OptionDeclaration,
  twin: OptionDeclaration | undefined,
  nodes: readonly Node[],
  level: number,
): ScriptParameter {
  const { spec, converter, required } = option
  const { flags } = spec
  const line = lineOf(option.at)
  const about = { name: spec.key, level, line }
  const description = option.description === undefined ? {} : { description: option.description }
  const preset = option.default === undefined ? {} : { default: option.default }
  if (spec.value === 'none') {
    if (converter !== undefined)
      return toParameter({
        ...about,
        value: { type: 'integer', minimum: 0, ...preset, ...description },
        pass: { as: 'count', flags },
      })
    const when = !spec.negated
    const fallback = spec.negated ? { default: true } : twin === undefined ? preset : { default: true, ...preset }
    const opposite = twin?.spec.negated ? { opposite: twin.spec.flags[0] as string } : {}
    const value = { type: 'boolean' as const, ...fallback, ...description }
    return toParameter({ ...about, value, pass: { as: 'switch', flags, when, ...opposite } })
  }

  const facts = factsOf(script, nodes, converter?.type)
  const list = spec.variadic || converter?.collects === true
  const type = valueType(converter, facts.type, list)
  const choices = option.choices ?? converter?.choices ?? (list ? undefined : facts.choices)
  const value = {
    type,
    ...(list ? { list } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(option.pattern === undefined ? {} : { pattern: option.pattern }),
    ...(list ? asListDefault(option.default) : asDefault(option.default ?? facts.default, type)),
    ...description,
  }
  const isShort = !(flags[0] as string).startsWith('--')
  const pass = {
    as: 'option',
    flags,
    join: isShort ? (spec.value === 'required' ? 'separate' : 'attached') : 'equals',
    ...(list ? { list: 'repeat' as const } : {}),
    ...(spec.value === 'optional' && !list ? { bare: true } : {}),
  } as const
  const parameter = toParameter({ ...about, value, required: required && option.default === undefined, pass })
  const isRequired = parameter.required || (facts.required && option.default === undefined)
  const found = { ...parameter, required: isRequired }
  return 'bare' in pass ? orBare(found) : found
}

function valueType(converter: Converter | undefined, used: string, list: boolean): 'string' | 'integer' | 'number' {
  if (converter !== undefined && converter.type !== 'boolean') return converter.type
  return !list && (used === 'integer' || used === 'number') ? used : 'string'
}

export function argumentParameter(
  script: Script,
  argument: ArgumentDeclaration,
  reads: readonly Node[],
  draft: CommandDraft,
): ScriptParameter {
  const { spec, converter } = argument
  const facts = factsOf(script, reads, converter?.type)
  const type = valueType(converter, facts.type, spec.variadic)
  const choices = argument.choices ?? converter?.choices ?? (spec.variadic ? undefined : facts.choices)
  const value = {
    type,
    ...(spec.variadic ? { list: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(spec.variadic ? asListDefault(argument.default) : asDefault(argument.default ?? facts.default, type)),
    ...(argument.description === undefined ? {} : { description: argument.description }),
  }
  const required = (spec.required || facts.required) && argument.default === undefined
  return toParameter({
    name: spec.name,
    value,
    required,
    level: levelOf(draft),
    line: lineOf(argument.at),
    pass: { as: 'positional' },
  })
}
