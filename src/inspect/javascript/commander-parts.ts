// Declared options and arguments of commander as parameters.
import type { ExclusiveGroup, Json, ScriptParameter } from '../../types.ts'
import { propertyName } from '../property-name.ts'
import { type CommandDraft, levelOf } from './command-tree.ts'
import type { Converter } from './converters.ts'
import { declaredValue } from './declared-value.ts'
import { type ArgumentSpec, camelCase, type FlagSpec } from './flag-spec.ts'
import { toParameter } from './interface.ts'
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
  const { spec, converter, required, description, pattern } = option
  const { flags } = spec
  const about = { name: spec.key, level, line: lineOf(option.at) }
  if (spec.value === 'none') {
    const preset = option.default
    if (converter !== undefined) {
      const value = { type: 'integer' as const, minimum: 0, default: preset, description }
      return toParameter({ ...about, value, pass: { as: 'count', flags } })
    }
    const fallback = spec.negated ? true : twin === undefined ? preset : (preset ?? true)
    const opposite = twin?.spec.negated ? { opposite: twin.spec.flags[0] as string } : {}
    const value = { type: 'boolean' as const, default: fallback, description }
    return toParameter({ ...about, value, pass: { as: 'switch', flags, when: !spec.negated, ...opposite } })
  }
  const list = spec.variadic || converter?.collects === true
  const isShort = !(flags[0] as string).startsWith('--')
  const join = isShort ? (spec.value === 'required' ? 'separate' : 'attached') : 'equals'
  const bare = spec.value === 'optional' && !list ? { bare: true } : {}
  const pass = { as: 'option', flags, join, ...bare } as const
  return declaredValue({ ...about, ...said(script, option, nodes), pass, list, required, description, pattern })
}

/** What a declaration and the uses say of the value. */
function said(script: Script, { converter, choices, default: preset }: Declaration, reads: readonly Node[]) {
  const facts = factsOf(script, reads, converter?.type)
  return { type: converter?.type, choices: choices ?? converter?.choices, default: preset, facts }
}

export function argumentParameter(
  script: Script,
  argument: ArgumentDeclaration,
  reads: readonly Node[],
  draft: CommandDraft,
): ScriptParameter {
  const { spec, description } = argument
  return declaredValue({
    ...said(script, argument, reads),
    name: spec.name,
    line: lineOf(argument.at),
    level: levelOf(draft),
    pass: { as: 'positional' },
    list: spec.variadic,
    required: spec.required,
    description,
  })
}
