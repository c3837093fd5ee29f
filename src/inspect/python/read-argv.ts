// Bare `sys.argv`: the script is followed by hand, and its usage text gives names and descriptions.
import type { CommandLine, Json, JsonSchema, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { propertyName } from '../property-name.ts'
import type { UsageReading, UsageSynopsis } from '../usage.ts'
import type { ReadCommands } from './argparse-commands.ts'
import type { ArgvReading, Flag, Position } from './argv-model.ts'
import { isHelp } from './argv-refs.ts'
import { type ArgvWalk, walkArgv } from './argv-walk.ts'
import type { Module } from './parse-module.ts'
import { readUsage } from './usage-text.ts'

/** Commands of a script that reads its arguments without a library; undefined when it reads none. */
export function readArgv(module: Module): ReadCommands | undefined {
  if (!/\bargv\b/.test(module.text)) return undefined
  const { statements, lineAt } = module
  const any = walkArgv(statements, undefined)
  if (isEmpty(any.reading)) return undefined
  const usage = readUsage(module)
  const words = [...any.reading.words.keys()].filter(word => !isHelp(word))
  const notes: InspectionNote[] = []
  const commands: InspectedCommand[] = []
  const add = (walk: ArgvWalk, word?: string) => {
    const synopsis = usage?.synopses.find(one => (word === undefined ? one.words.length === 0 : one.words[0] === word))
    const built = buildCommand(walk, word, { lineAt, usage, synopsis })
    commands.push(built.command)
    for (const note of built.notes)
      if (!notes.some(other => other.message === note.message && other.line === note.line)) notes.push(note)
  }
  const other = words.length > 0 ? walkArgv(statements, null) : undefined
  if (!other || !isDispatch(words, any, other)) {
    add(any)
    const isTyped = commands.some(({ convention }) => convention.parameters.length > 0)
    return { commands: isTyped || notes.length === 0 ? commands : [], notes }
  }
  for (const word of words) add(walkArgv(statements, word), word)
  const refused = other.ended === 'gives-up' || other.bounds.min > other.bounds.max
  if (!refused) {
    // Without a word the script does what it does by default.
    if (other.bounds.min < 2) add(other)
    else
      notes.push({
        message: 'Other words than these commands may be accepted.',
        line: lineAt(any.reading.words.get(words[0] ?? '') ?? 0),
      })
  }
  return { commands: notes.length > 0 ? commands.map(opened) : commands, notes }
}

function isEmpty({ positions, flags, rest, words, doubts }: ArgvReading): boolean {
  return positions.size + flags.size + words.size + doubts.length === 0 && !rest
}

/** The first argument is a command when the script refuses words that it does not know. */
function isDispatch(words: readonly string[], any: ArgvWalk, other: ArgvWalk): boolean {
  if (words.some(word => word.startsWith('-'))) return false
  if (other.ended === 'gives-up') return true
  return words.length > 1 || !any.reading.positions.get(1)?.name
}

function opened(command: InspectedCommand): InspectedCommand {
  return { ...command, convention: { ...command.convention, open: true } }
}

type Building = {
  readonly lineAt: (offset: number) => number
  readonly usage: UsageReading | undefined
  readonly synopsis: UsageSynopsis | undefined
}

function buildCommand(
  { reading, bounds }: ArgvWalk,
  word: string | undefined,
  { lineAt, usage, synopsis }: Building,
): { readonly command: InspectedCommand; readonly notes: InspectionNote[] } {
  const notes: InspectionNote[] = reading.doubts.map(({ message, at }) => ({ message, line: lineAt(at) }))
  const note = (message: string, at: number) => notes.push({ message, line: lineAt(at) })
  const first = word === undefined ? 1 : 2
  const told = (synopsis?.parameters ?? []).filter(({ pass }) => pass.as === 'positional')
  const taken = new Set<string>()
  const unique = (wanted: string) => {
    let name = wanted
    for (let index = 2; taken.has(name); index++) name = `${wanted}_${index}`
    taken.add(name)
    return name
  }
  const last = Math.max(first - 1, ...reading.positions.keys())
  const parameters: ScriptParameter[] = []
  for (let index = first; index <= last; index++) {
    const position = reading.positions.get(index)
    const usageName = told[index - first]
    if (!position) note(`Argument ${index} is never read.`, reading.positions.get(last)?.at ?? 0)
    parameters.push({
      name: unique(nameOf(position, usageName, index)),
      schema: positionSchema(position, usageName),
      required: index < bounds.min,
      level: word === undefined ? 0 : 1,
      line: lineAt(position?.at ?? 0),
      pass: { as: 'positional' },
    })
  }
  const { rest } = reading
  if (rest) {
    if (rest.from < first || rest.from <= last) note('The same arguments are read in two ways.', rest.at)
    else {
      const usageName = told[rest.from - first]
      const text: JsonSchema = { type: 'string' }
      parameters.push({
        name: unique(propertyName(rest.name ?? usageName?.name ?? 'arguments') || 'arguments'),
        schema: { ...(rest.joined ? text : { type: 'array', items: text }), ...descriptionOf(usageName) },
        required: rest.from < bounds.min,
        level: word === undefined ? 0 : 1,
        line: lineAt(rest.at),
        pass: { as: 'positional' },
      })
      if (rest.from > last + 1) note(`Argument ${last + 1} is never read.`, rest.at)
    }
  }
  for (const flag of reading.flags.values()) {
    parameters.push(flagParameter(flag, unique, usage, word === undefined ? 0 : 1, lineAt))
  }
  const loose = [...reading.positions].find(([index, { guarded }]) => index >= bounds.min && !guarded)
  if (reading.flags.size > 0 && (loose || rest || bounds.max < Number.POSITIVE_INFINITY))
    note('A flag may be taken for one of the other arguments.', loose?.[1].at ?? rest?.at ?? 0)
  const dashed = [...reading.words].find(([other]) => other.startsWith('-'))
  if (dashed) note(`\`${dashed[0]}\` has a meaning of its own.`, dashed[1])
  const description = usage?.commands.find(({ name }) => name === word)?.description
  const dashes: CommandLine['dashes'] = reading.flags.size > 0 ? 'refuse' : 'pass'
  const at = reading.positions.get(first)?.at ?? rest?.at ?? reading.words.get(word ?? '') ?? 0
  return {
    command: {
      convention: {
        type: 'command-line',
        command: word === undefined ? [] : [word],
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

function nameOf(position: Position | undefined, told: ScriptParameter | undefined, index: number): string {
  const own = position?.name ?? told?.name ?? position?.hint
  return (own && propertyName(own)) || `arg_${index}`
}

function positionSchema(position: Position | undefined, told: ScriptParameter | undefined): JsonSchema {
  const type = position?.type ?? 'string'
  const choices = told?.schema['enum']
  return {
    type,
    ...(type === 'string' && choices ? { enum: choices } : {}),
    ...defaultOf(position?.fallback, type),
    ...descriptionOf(told),
  }
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
  { flag, value, joined, at }: Flag,
  unique: (name: string) => string,
  usage: UsageReading | undefined,
  level: number,
  lineAt: (offset: number) => number,
): ScriptParameter {
  const told = usage?.parameters.find(({ pass }) => 'flags' in pass && pass.flags.includes(flag))
  const base = {
    name: unique(propertyName(flag) || 'flag'),
    required: false,
    level,
    line: lineAt(at),
  }
  if (!value) {
    const schema = { type: 'boolean', default: false, ...descriptionOf(told) }
    return { ...base, schema, pass: { as: 'switch', flags: [flag], when: true } }
  }
  const schema = { type: value.type, ...defaultOf(value.fallback, value.type), ...descriptionOf(told) }
  return { ...base, schema, pass: { as: 'option', flags: [flag], join: joined ? 'equals' : 'separate' } }
}
