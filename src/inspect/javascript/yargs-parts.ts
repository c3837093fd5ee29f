// Options and positionals of yargs as parameters.
import type { Json, ScriptParameter } from '../../types.ts'
import type { ArgumentSpec } from './flag-spec.ts'
import { toParameter, type ValueSchema } from './interface.ts'
import { type PropertyRead, patternDefault } from './result-object.ts'
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

export function yargsOption(script: Script, { key, settings, reads, level }: Option): ScriptParameter {
  const keys = [key, ...settings.aliases].sort((a, b) => Number(a.length === 1) - Number(b.length === 1))
  const [main = key] = keys
  // A single letter takes its value after `=` only with two dashes in every version.
  const flags = keys.map(name => (name.length === 1 ? `-${name}` : `--${name}`))
  const facts = factsOf(
    script,
    reads.flatMap(read => read.nodes),
  )
  const about = { name: main, level, line: lineOf(settings.at) }
  const description = settings.description === undefined ? {} : { description: settings.description }
  const preset = settings.default ?? patternDefault(script, reads)

  if (settings.type === 'count')
    return toParameter({
      ...about,
      value: { type: 'integer', minimum: 0, ...description },
      pass: { as: 'count', flags },
    })
  if (isSwitch(settings, facts, preset)) {
    const fallback = typeof preset === 'boolean' ? { default: preset } : {}
    const opposite = `--no-${main}`
    const value = { type: 'boolean' as const, ...fallback, ...description }
    return toParameter({ ...about, value, pass: { as: 'switch', flags, when: true, opposite } })
  }
  const { list } = settings
  const value = { ...schemaOf(settings, facts, preset), pattern: NO_QUOTE }
  const required = (settings.required || facts.required) && preset === undefined
  const pass = { as: 'option', flags, join: 'equals', ...(list ? { list: 'repeat' as const } : {}) } as const
  return toParameter({ ...about, value: { ...value, ...description }, required, pass })
}

/** yargs and meow take quotes off a value that begins and ends with them. */
export const NO_QUOTE = '^([^"\']|$)'

type Positional = {
  readonly spec: ArgumentSpec
  readonly settings: YargsSettings | undefined
  readonly reads: readonly PropertyRead[]
  readonly level: number
  readonly line: number
}

export function yargsPositional(script: Script, { spec, settings, reads, level, line }: Positional): ScriptParameter {
  const facts = factsOf(
    script,
    reads.flatMap(read => read.nodes),
  )
  const preset = settings?.default ?? patternDefault(script, reads)
  const own = { list: false, required: false, ...settings }
  const description = own.description === undefined ? {} : { description: own.description }
  const value = schemaOf({ ...own, list: spec.variadic || own.list }, facts, preset)
  const required = (spec.required || own.required || facts.required) && preset === undefined
  return toParameter({
    name: spec.name,
    value: { ...value, ...description },
    required,
    level,
    line,
    pass: { as: 'positional' },
  })
}

function isSwitch(settings: YargsSettings, facts: ValueFacts, preset: Json | undefined): boolean {
  if (settings.type !== undefined) return settings.type === 'boolean'
  if (settings.list || settings.choices !== undefined) return false
  return typeof preset === 'boolean' || (facts.type === 'boolean' && preset === undefined)
}

function schemaOf(
  { type, list, choices }: Pick<YargsSettings, 'type' | 'list' | 'choices'>,
  facts: ValueFacts,
  preset: Json | undefined,
): ValueSchema {
  const used = facts.type === 'boolean' || list ? 'string' : facts.type
  const guessed =
    used === 'string' && typeof preset === 'number' ? (Number.isInteger(preset) ? 'integer' : 'number') : used
  const chosen = choices ?? (list ? undefined : facts.choices)
  const declared = type === 'number' || type === 'string' ? type : undefined
  const plain = declared ?? (choices?.every(choice => typeof choice === 'number') ? 'number' : guessed)
  const fallback = preset ?? facts.default
  return {
    type: plain === 'string' && used !== 'string' ? used : plain,
    ...(list ? { list } : {}),
    ...(chosen === undefined ? {} : { choices: chosen }),
    ...(fallback === undefined || (list && !Array.isArray(fallback)) || fallback === '' ? {} : { default: fallback }),
  }
}
