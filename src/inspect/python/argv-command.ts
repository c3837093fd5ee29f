// The findings of one walk as a command.
import type { CommandLine, Json, JsonSchema, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { propertyName } from '../property-name.ts'
import type { UsageReading, UsageSynopsis } from '../usage.ts'
import type { ArgvReading, Flag, Position, Rest } from './argv-model.ts'
import type { ArgvWalk } from './argv-walk.ts'

export type ArgvCommand = { readonly command: InspectedCommand; readonly notes: readonly InspectionNote[] }

export type Telling = {
  readonly lineAt: (offset: number) => number
  readonly usage: UsageReading | undefined
  /** The line of the usage text that shows this command. */
  readonly synopsis: UsageSynopsis | undefined
}

/** `word` is the command word that the walk supposed; null when it supposed another than those that are told. */
export function argvCommand(
  { reading, bounds }: ArgvWalk,
  word: string | null | undefined,
  telling: Telling,
): ArgvCommand {
  const { lineAt, usage, synopsis } = telling
  const notes: InspectionNote[] = reading.doubts.map(({ message, at }) => ({ message, line: lineAt(at) }))
  const note = (message: string, at: number) => notes.push({ message, line: lineAt(at) })
  const first = typeof word === 'string' ? 2 : 1
  const level = first - 1
  const told = (synopsis?.parameters ?? []).filter(({ pass }) => pass.as === 'positional')
  const positions = new Map(
    [...reading.positions].filter(([index, position]) => index >= first && !isMerelyCompared(position, word)),
  )
  const flags = new Map(reading.flags)
  const unique = uniqueNames()
  const parameters: ScriptParameter[] = []
  const last = Math.max(first - 1, ...positions.keys())
  const rest = reading.rest ?? printedRest(reading, last)
  for (let index = first; index <= last; index++) {
    const position = positions.get(index)
    const literal = position && literalFlag(position)
    if (literal !== undefined && position && index >= last - 1) {
      const next = positions.get(index + 1)
      const value = next && { ...(next.name ? { name: next.name } : {}), type: next.type }
      if (index > bounds.min && index > first) note(`\`${literal}\` may be taken for another argument.`, position.at)
      flags.set(literal, { flag: literal, aliases: [], joined: false, at: position.at, ...(value ? { value } : {}) })
      parameters.push(
        ...(value && index < bounds.min ? [flagParameter(flags.get(literal), true, unique, usage, level, lineAt)] : []),
      )
      if (value && index < bounds.min) flags.delete(literal)
      break
    }
    if (!position) note(`Argument ${index} is never read.`, positions.get(last)?.at ?? 0)
    if (position && [...position.choices].some(choice => choice.startsWith('-')))
      note(`A flag can stand in the place of \`${position.name ?? `argument ${index}`}\`.`, position.at)
    parameters.push({
      name: unique(nameOf(position, told[index - first], index)),
      schema: positionSchema(position, told[index - first]),
      required: index < bounds.min,
      level,
      line: lineAt(position?.at ?? 0),
      pass: { as: 'positional' },
    })
  }
  if (rest) {
    if (rest.from <= last || rest.from < first) note('The same arguments are read in two ways.', rest.at)
    else {
      if (rest.from > last + 1) note(`Argument ${last + 1} is never read.`, rest.at)
      parameters.push({
        name: unique(propertyName(rest.name ?? told[rest.from - first]?.name ?? 'arguments') || 'arguments'),
        schema: { ...restSchema(rest, bounds.min - rest.from), ...descriptionOf(told[rest.from - first]) },
        required: rest.from < bounds.min,
        level,
        line: lineAt(rest.at),
        pass: { as: 'positional' },
      })
    }
  }
  for (const flag of flags.values()) parameters.push(flagParameter(flag, false, unique, usage, level, lineAt))
  const loose = [...positions].find(([index, { guarded }]) => index >= bounds.min && !guarded)
  if (reading.flags.size > 0 && (loose || rest || bounds.max < Number.POSITIVE_INFINITY))
    note('A flag may be taken for one of the other arguments.', loose?.[1].at ?? rest?.at ?? 0)
  const description = usage?.commands.find(({ name }) => name === word)?.description
  const dashes: CommandLine['dashes'] = flags.size > 0 ? 'refuse' : 'pass'
  const at =
    positions.get(first)?.at ?? rest?.at ?? (typeof word === 'string' ? reading.words.get(word) : undefined) ?? 0
  return {
    command: {
      convention: {
        type: 'command-line',
        command: typeof word === 'string' ? [word] : [],
        parameters,
        exclusive: [],
        dashes,
        open: notes.length > 0,
      },
      ...(description ? { description } : {}),
      line: lineAt(at),
    },
    notes,
  }
}

/** What is printed behind all that is read by itself, unless flags are picked out of it. */
function printedRest({ printed, flags }: ArgvReading, last: number): Rest | undefined {
  return printed && flags.size === 0 && printed.from > last ? printed : undefined
}

/** When another word than those that are told is supposed, the comparisons with them say nothing. */
function isMerelyCompared(position: Position, word: string | null | undefined): boolean {
  return word === null && !position.hint && position.choices.size > 0
}

/** The one flag that may stand here, when nothing else may. */
function literalFlag({ name, hint, choices }: Position): string | undefined {
  const [only] = choices
  return !name && !hint && choices.size === 1 && only?.startsWith('-') ? only : undefined
}

function uniqueNames(): (wanted: string) => string {
  const taken = new Set<string>()
  return wanted => {
    let name = wanted
    for (let index = 2; taken.has(name); index++) name = `${wanted}_${index}`
    taken.add(name)
    return name
  }
}

function nameOf(position: Position | undefined, told: ScriptParameter | undefined, index: number): string {
  const own = position?.name ?? position?.hint ?? told?.name ?? position?.weak
  return (own && propertyName(own)) || `arg_${index}`
}

function positionSchema(position: Position | undefined, told: ScriptParameter | undefined): JsonSchema {
  const type = position?.type ?? 'string'
  const isCompared = position && !position.name && !position.hint && position.choices.size > 0
  const choices = isCompared ? [...position.choices] : told?.schema['enum']
  return {
    type,
    ...(type === 'string' && choices ? { enum: choices } : {}),
    ...defaultOf(position?.fallback, type),
    ...descriptionOf(told),
  }
}

function restSchema({ joined, type }: Rest, least: number): JsonSchema {
  if (joined) return { type: 'string' }
  return { type: 'array', items: { type }, ...(least > 1 ? { minItems: least } : {}) }
}

function defaultOf(value: Json | undefined, type: string): { default?: Json } {
  const fits = type === 'string' ? typeof value === 'string' : typeof value === 'number'
  return fits && value !== undefined ? { default: value } : {}
}

function descriptionOf(told: ScriptParameter | undefined): { description?: Json } {
  const description = told?.schema['description']
  return description === undefined ? {} : { description }
}

function flagParameter(
  found: Flag | undefined,
  required: boolean,
  unique: (name: string) => string,
  usage: UsageReading | undefined,
  level: number,
  lineAt: (offset: number) => number,
): ScriptParameter {
  const { flag, aliases, value, joined, at } = found ?? {
    flag: '',
    aliases: [],
    value: undefined,
    joined: false,
    at: 0,
  }
  const told = usage?.parameters.find(({ pass }) => 'flags' in pass && pass.flags.includes(flag))
  const flags = [flag, ...aliases]
  const base = { name: unique(propertyName(flag) || 'flag'), required, level, line: lineAt(at) }
  if (!value) {
    const schema = { type: 'boolean', default: false, ...descriptionOf(told) }
    return { ...base, schema, pass: { as: 'switch', flags, when: true } }
  }
  const schema = { type: value.type, ...defaultOf(value.fallback, value.type), ...descriptionOf(told) }
  return { ...base, schema, pass: { as: 'option', flags, join: joined ? 'equals' : 'separate' } }
}
