// Validated arguments → the command line that a script's own parser reads. A value is always one element of argv and can
// never become another flag: where the parser offers no safe way to pass it, the call is refused.
import { splitWords } from '../text/split-words.ts'
import type { BooleanWords, CommandLine, Json, JsonSchema, ScriptParameter } from '../types.ts'
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
    const rest = parameters.flatMap(({ name, pass }) =>
      pass.as === 'rest' ? toList(args[name]).map(one => toText(one)) : [],
    )
    const extra = isLast && takesExtra(convention) ? extraWords(args[EXTRA]) : []
    if (convention.dashes === 'refuse' && rest[0] !== undefined && looksLikeFlag(rest[0])) throw unpassable(rest[0])
    if (convention.dashes !== 'terminator') return [...asListed(parameters), ...rest, ...extra]
    const { options, separator, positionals } = optionsFirst(parameters, isLast)
    // Behind `--` nothing is a flag any more.
    const flagsFirst = separator.length > 0 && extra.some(looksLikeFlag)
    return flagsFirst
      ? [...options, ...extra, ...separator, ...positionals, ...rest]
      : [...options, ...separator, ...positionals, ...rest, ...extra]
  }

  function optionsFirst(parameters: readonly ScriptParameter[], isLast: boolean) {
    const options = parameters.map(parameter => optionWords(parameter, args[parameter.name]))
    const positionals = [...positionalWords(parameters, args).values()].flat()
    if (positionals.includes('--')) throw unpassable('--')
    const dashed = positionals.find(looksLikeFlag)
    const swallows = options.findLast(({ words }) => words.length > 0)?.swallows ?? false
    // Before a command word `--` is no way out.
    if (!isLast && dashed !== undefined) throw unpassable(dashed)
    if (!isLast && swallows)
      throw new Unpassable('The list before the command would take the command for one more item.')
    const separator = dashed !== undefined || (swallows && positionals.length > 0) ? ['--'] : []
    return { options: options.flatMap(({ words }) => words), separator, positionals }
  }

  /** Scripts that take their arguments apart by hand may depend on the order in which their parameters are listed. */
  function asListed(parameters: readonly ScriptParameter[]): string[] {
    const positionals = positionalWords(parameters, args)
    const dashed = [...positionals.values()].flat().find(looksLikeFlag)
    if (dashed !== undefined && convention.dashes === 'refuse') throw unpassable(dashed)
    return parameters.flatMap(one => positionals.get(one.name) ?? optionWords(one, args[one.name]).words)
  }
}

/** Where arguments beyond the known ones go when only part of the interface could be read. */
const EXTRA = 'arguments'

/** A parameter of that name has it for itself. */
function takesExtra({ open, parameters }: CommandLine): boolean {
  return open && parameters.every(({ name }) => name !== EXTRA)
}

class Unpassable extends Error {}

function unpassable(value: string, name?: string): Unpassable {
  const where = name === undefined ? '' : `${name}: `
  return new Unpassable(`${where}${JSON.stringify(value)} begins with "-", which this script would read as a flag.`)
}

const looksLikeFlag = (word: string): boolean => word.startsWith('-') && word !== '-'

/** `swallows`: what follows would be taken for more values of the option. */
type OptionWords = { readonly words: readonly string[]; readonly swallows?: boolean }

function optionWords(parameter: ScriptParameter, value: Json | undefined): OptionWords {
  const { pass } = parameter
  if (value === undefined) return { words: [] }
  switch (pass.as) {
    case 'switch':
      if (value === pass.when) return { words: [pass.flags[0]!] }
      return { words: value === false && pass.opposite !== undefined ? [pass.opposite] : [] }
    case 'count':
      return { words: Array.from({ length: Number(value) }, () => pass.flags[0]!) }
    case 'option':
      return valueWords(parameter, pass, value)
    default:
      return { words: [] }
  }
}

type OptionPassing = Extract<ScriptParameter['pass'], { as: 'option' }>

function valueWords({ name, schema }: ScriptParameter, pass: OptionPassing, value: Json): OptionWords {
  const flag = pass.flags[0]!
  if (pass.bare !== undefined && value === pass.bare) return { words: [flag], swallows: true }
  if (!Array.isArray(value)) return { words: one(value) }
  if (pass.list === 'spread' && !isJoinable(value)) return { words: [flag, ...items(value)], swallows: true }
  const words = (value as readonly Json[]).flatMap(item => (Array.isArray(item) ? [flag, ...items(item)] : one(item)))
  return { words, swallows: value.some(Array.isArray) }

  /** One item can be joined to its flag, which is safe for any text; several cannot. */
  function isJoinable(list: readonly Json[]): boolean {
    return list.length === 1 && pass.join === 'equals'
  }

  function one(item: Json): string[] {
    const text = toText(item, pass.words)
    // Python before 3.13 takes a value of `--` for the end of the options, wherever it stands.
    if (pass.refusesDashes || text === '--') check(text)
    return join(flag, text, pass.join)
  }

  function items(list: readonly Json[]): string[] {
    return list.map(item => check(toText(item, pass.words)))
  }

  function check(text: string): string {
    const isNumber = isNumeric(schema) && NEGATIVE_NUMBER.test(text)
    if (looksLikeFlag(text) && !isNumber) throw unpassable(text, name)
    return text
  }
}

function join(flag: string, value: string, how: 'equals' | 'separate' | 'attached'): string[] {
  if (how === 'equals') return [`${flag}=${value}`]
  return how === 'attached' && value !== '' ? [`${flag}${value}`] : [flag, value]
}

/** Positionals count by place, so a gap is filled with the default of the one left out. */
function positionalWords(parameters: readonly ScriptParameter[], args: Args): Map<string, string[]> {
  const positionals = parameters.filter(({ pass }) => pass.as === 'positional')
  const last = positionals.findLastIndex(({ name }) => args[name] !== undefined)
  return new Map(
    positionals.slice(0, last + 1).map(({ name, schema, pass }, index) => {
      const value = args[name] ?? schema['default']
      if (value === undefined || value === null)
        throw new Unpassable(`${positionals[last]!.name} comes after ${name} on the command line: give ${name} too.`)
      const words = pass.as === 'positional' ? pass.words : undefined
      const isEndless = schema['type'] === 'array' && schema['maxItems'] === undefined
      const next = positionals[index + 1]
      if (isEndless && next && !next.required && args[next.name] !== undefined)
        throw new Unpassable(`${name} takes all that follows, so that ${next.name} cannot be given beside it.`)
      return [name, toList(value).map(item => toText(item, words))]
    }),
  )
}

function extraWords(value: Json | undefined): string[] {
  return typeof value === 'string' ? splitWords(value) : toList(value).map(item => toText(item))
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

function isNumeric(schema: JsonSchema): boolean {
  const items = (schema['items'] ?? schema) as JsonSchema
  if (items['items']) return isNumeric(items)
  return items['type'] === 'integer' || items['type'] === 'number'
}

function toList(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as Json]
}

function toText(value: Json, words?: BooleanWords): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' && words) return words[value ? 0 : 1]
  // 1e21 is an integer to JSON but not to the parsers of scripts.
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
