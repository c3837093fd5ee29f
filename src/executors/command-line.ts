// Validated arguments → the command line that a script's own parser reads. A value is always one element of argv and can
// never become another flag: where the parser offers no safe way to pass it, the call is refused.
import { splitWords } from '../text/split-words.ts'
import type { CommandLine, Json, ScriptParameter } from '../types.ts'
import type { Invocation } from './free-form.ts'

type Args = { readonly [name: string]: Json }

export type BuiltCommandLine =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly message: string }

/** Never throws: what cannot be passed safely is a message for the model. */
export function buildCommandLine(convention: CommandLine, args: Args): BuiltCommandLine {
  const clash = convention.exclusive.map(group => checkGroup(group, convention, args)).find(Boolean)
  if (clash) return { ok: false, message: clash }

  const argv: string[] = []
  const env: Record<string, string> = {}
  let stdin: string | undefined
  try {
    for (let level = 0; level <= convention.command.length; level++) {
      const here = convention.parameters.filter(parameter => parameter.level === level)
      argv.push(...wordsOf(here, level === convention.command.length))
      if (level < convention.command.length) argv.push(convention.command[level]!)
    }
    for (const { name, pass } of convention.parameters) {
      const value = args[name]
      if (value === undefined) continue
      if (pass.as === 'environment') env[pass.variable] = toText(value)
      if (pass.as === 'stdin') stdin = typeof value === 'string' ? value : JSON.stringify(value)
    }
  } catch (error) {
    if (error instanceof Unpassable) return { ok: false, message: error.message }
    throw error
  }
  return { ok: true, invocation: { argv, env, ...(stdin !== undefined && { stdin }) } }

  function wordsOf(parameters: readonly ScriptParameter[], isLast: boolean): string[] {
    const options = parameters.flatMap(parameter => optionWords(parameter, args[parameter.name]))
    const positionals = positionalWords(parameters, args)
    const rest = parameters.flatMap(({ name, pass }) => (pass.as === 'rest' ? toList(args[name]).map(toText) : []))
    const extra = isLast && convention.open ? extraWords(args[EXTRA]) : []
    return [...options, ...separate(options, positionals, isLast), ...positionals, ...rest, ...extra]
  }

  /** The `--` that keeps positionals from being read as flags or as items of the list before them. */
  function separate(options: readonly string[], positionals: readonly string[], isLast: boolean): readonly string[] {
    const dashed = positionals.find(word => word.startsWith('-') && word !== '-')
    const afterList = positionals.length > 0 && options.length > 0 && endsInList(options)
    if (convention.dashes === 'pass' || (dashed === undefined && !afterList)) return []
    // Before a command word `--` would turn that word's own flags into values.
    if (convention.dashes === 'terminator' && isLast) return ['--']
    if (dashed === undefined) return []
    throw new Unpassable(`${JSON.stringify(dashed)} begins with "-", which this script would read as a flag.`)
  }

  function endsInList(options: readonly string[]): boolean {
    const lists = convention.parameters.flatMap(({ pass }) =>
      pass.as === 'option' && pass.list === 'spread' ? pass.flags : [],
    )
    const lastFlag = options.findLast(word => convention.parameters.some(one => flagsOf(one).includes(word)))
    return lastFlag !== undefined && lists.includes(lastFlag)
  }
}

/** Where arguments beyond the known ones go when only part of the interface could be read. */
export const EXTRA = 'arguments'

class Unpassable extends Error {}

function optionWords({ name, schema, pass }: ScriptParameter, value: Json | undefined): string[] {
  if (value === undefined) return []
  switch (pass.as) {
    case 'switch':
      if (value === pass.when) return [pass.flags[0]!]
      return value === false && pass.opposite !== undefined ? [pass.opposite] : []
    case 'count':
      return Array.from({ length: Number(value) }, () => pass.flags[0]!)
    case 'option': {
      const items = toList(value).map(toText)
      const flag = pass.flags[0]!
      const isSpread = Array.isArray(value) && pass.list === 'spread'
      const dashed = items.find(item => item.startsWith('-') && !(isNumeric(schema) && NEGATIVE_NUMBER.test(item)))
      if (dashed !== undefined && (isSpread || pass.refusesDashes))
        throw new Unpassable(`${name}: ${JSON.stringify(dashed)} begins with "-", which would be read as a flag.`)
      return isSpread ? [flag, ...items] : items.flatMap(item => join(flag, item, pass.join))
    }
    default:
      return []
  }
}

function join(flag: string, value: string, how: 'equals' | 'separate' | 'attached'): string[] {
  if (how === 'equals') return [`${flag}=${value}`]
  return how === 'attached' && value !== '' ? [`${flag}${value}`] : [flag, value]
}

/** Positionals count by place, so a gap is filled with the default of the one left out. */
function positionalWords(parameters: readonly ScriptParameter[], args: Args): string[] {
  const positionals = parameters.filter(({ pass }) => pass.as === 'positional')
  const last = positionals.findLastIndex(({ name }) => args[name] !== undefined)
  return positionals.slice(0, last + 1).flatMap(({ name, schema }) => {
    const value = args[name] ?? schema['default']
    if (value === undefined || value === null)
      throw new Unpassable(`${positionals[last]!.name} comes after ${name} on the command line: give ${name} too.`)
    return toList(value).map(toText)
  })
}

function extraWords(value: Json | undefined): string[] {
  return typeof value === 'string' ? splitWords(value) : toList(value).map(toText)
}

function checkGroup(
  { names, required }: CommandLine['exclusive'][number],
  { parameters }: CommandLine,
  args: Args,
): string | undefined {
  const given = names.filter(name => parameters.some(one => one.name === name && isGiven(one, args[name])))
  if (given.length > 1) return `Give only one of ${given.join(', ')}.`
  return required && given.length === 0 ? `Give one of ${names.join(', ')}.` : undefined
}

function isGiven({ pass }: ScriptParameter, value: Json | undefined): boolean {
  if (value === undefined) return false
  return pass.as !== 'switch' || value === pass.when || (value === false && pass.opposite !== undefined)
}

const NEGATIVE_NUMBER = /^-\d+$|^-\d*\.\d+$/

function isNumeric(schema: ScriptParameter['schema']): boolean {
  const items = (schema['items'] ?? schema) as { readonly type?: Json }
  return items.type === 'integer' || items.type === 'number'
}

function flagsOf({ pass }: ScriptParameter): readonly string[] {
  return 'flags' in pass ? pass.flags : []
}

function toList(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as Json]
}

function toText(value: Json): string {
  if (typeof value === 'string') return value
  // 1e21 is an integer to JSON but not to the parsers of scripts.
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
