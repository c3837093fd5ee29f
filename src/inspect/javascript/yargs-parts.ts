// Options and positionals of yargs as parameters.
import type { Json, ScriptParameter } from '../../types.ts'
import { declaredValue } from './declared-value.ts'
import type { ArgumentSpec } from './flag-spec.ts'
import { toParameter } from './interface.ts'
import { nodesOf, type PropertyRead, patternDefault } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf } from './syntax-tree.ts'
import { factsOf, type ValueFacts } from './value-facts.ts'
import type { YargsSettings } from './yargs-calls.ts'

type Option = {
  readonly key: string
  readonly settings: YargsSettings
  readonly reads: readonly PropertyRead[]
  readonly level: number
}

/** yargs and meow take quotes off a value that begins and ends with them. */
export const NO_QUOTE = '^([^"\']|$)'

export function yargsOption(script: Script, { key, settings, reads, level }: Option): ScriptParameter {
  const keys = [key, ...settings.aliases].sort((a, b) => Number(a.length === 1) - Number(b.length === 1))
  const [name = key] = keys
  const flags = keys.map(spelling => (spelling.length === 1 ? `-${spelling}` : `--${spelling}`))
  const { description, list, choices, required } = settings
  const about = { name, level, line: lineOf(settings.at) }
  const preset = settings.default ?? patternDefault(script, reads)
  const type = numberOrText(settings)
  const facts = factsOf(script, nodesOf(reads), type)
  if (settings.type === 'count')
    return toParameter({ ...about, value: { type: 'integer', minimum: 0, description }, pass: { as: 'count', flags } })
  if (isSwitch(settings, facts, preset)) {
    const value = { type: 'boolean' as const, default: typeof preset === 'boolean' ? preset : undefined, description }
    return toParameter({ ...about, value, pass: { as: 'switch', flags, when: true, opposite: `--no-${name}` } })
  }
  const pass = { as: 'option', flags, join: 'equals' } as const
  const said = { type, list, choices, default: preset, required, description, pattern: NO_QUOTE }
  return declaredValue({ ...about, ...said, pass, facts })
}

type Positional = {
  readonly spec: ArgumentSpec
  readonly settings: YargsSettings | undefined
  readonly reads: readonly PropertyRead[]
  readonly level: number
  readonly line: number
}

export function yargsPositional(script: Script, { spec, settings, reads, level, line }: Positional): ScriptParameter {
  const type = numberOrText(settings)
  return declaredValue({
    name: spec.name,
    level,
    line,
    type,
    pass: { as: 'positional' },
    list: spec.variadic || settings?.list === true,
    choices: settings?.choices,
    default: settings?.default ?? patternDefault(script, reads),
    required: spec.required || settings?.required === true,
    description: settings?.description,
    facts: factsOf(script, nodesOf(reads), type),
  })
}

function numberOrText(settings: YargsSettings | undefined): 'number' | 'string' | undefined {
  return settings?.type === 'number' || settings?.type === 'string' ? settings.type : undefined
}

function isSwitch(settings: YargsSettings, facts: ValueFacts, preset: Json | undefined): boolean {
  if (settings.type !== undefined) return settings.type === 'boolean'
  if (settings.list || settings.choices !== undefined) return false
  return typeof preset === 'boolean' || (facts.type === 'boolean' && preset === undefined)
}
