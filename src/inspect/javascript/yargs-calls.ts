// What each method call on a yargs parser says.
import type { Json } from '../../types.ts'
import type { InspectionNote } from '../inspection.ts'
import { propertyName } from '../property-name.ts'
import type { BuilderCall } from './builder-objects.ts'
import type { CommandDraft } from './command-tree.ts'
import { type Config, type Entry, fieldNode, fieldText, fieldTexts, fieldValue, readConfig } from './config-object.ts'
import { evaluate, evaluateText, evaluateTexts } from './evaluate.ts'
import { type ArgumentSpec, readArgumentSpecs } from './flag-spec.ts'
import { gapAt } from './interface.ts'
import { type PropertyRead, parameterReads } from './result-object.ts'
import type { Script } from './script.ts'
import { childNamed, isFunction, type Node, unwrap } from './syntax-tree.ts'
import { calledFunction } from './value-flow.ts'

/** What is said of one option or positional, in one place or in several. */
export type YargsSettings = {
  type?: 'string' | 'number' | 'boolean' | 'count'
  list: boolean
  readonly aliases: string[]
  default?: Json
  required: boolean
  choices?: readonly Json[]
  description?: string
  readonly at: Node
}

export type YargsCommand = {
  readonly draft: CommandDraft
  readonly settings: Map<string, YargsSettings>
  readonly positionals: ArgumentSpec[]
  /** Properties of the parsed arguments that its code reads. */
  readonly reads: PropertyRead[]
  /** How many words must follow. */
  demanded: number
}

export type YargsReading = {
  readonly script: Script
  readonly commands: Map<Node, YargsCommand>
  readonly gaps: InspectionNote[]
  /** True when undeclared options are refused. */
  strict: boolean
}

export function settingsOf(command: YargsCommand, key: string, at: Node): YargsSettings {
  const known = command.settings.get(key) ?? { list: false, aliases: [], required: false, at }
  command.settings.set(key, known)
  return known
}

export function handleYargsCall(reading: YargsReading, command: YargsCommand, call: BuilderCall): void {
  const handle = Object.hasOwn(HANDLERS, call.method) ? HANDLERS[call.method] : undefined
  handle?.(reading, command, call)
}

type Handler = (reading: YargsReading, command: YargsCommand, call: BuilderCall) => void

const HANDLERS: Readonly<Record<string, Handler>> = {
  option: addOptions,
  options: addOptions,
  positional: addOptions,
  boolean: ofEach(settings => {
    settings.type = 'boolean'
  }),
  string: ofEach(settings => {
    settings.type = 'string'
  }),
  number: ofEach(settings => {
    settings.type = 'number'
  }),
  count: ofEach(settings => {
    settings.type = 'count'
  }),
  array: ofEach(settings => {
    settings.list = true
  }),
  demandOption: ofEach(settings => {
    settings.required = true
  }),
  demand: ofEach(settings => {
    settings.required = true
  }),
  alias: ofField((settings, value) => settings.aliases.push(...texts(value))),
  default: ofField((settings, value) => {
    settings.default = value
  }),
  describe: ofField((settings, value) => {
    settings.description = String(value)
  }),
  choices: ofField((settings, value) => {
    if (Array.isArray(value)) settings.choices = value
  }),
  conflicts(reading, command, call) {
    const key = evaluateText(reading.script, call.args[0])
    if (key !== undefined) exclude(command, key, evaluateTexts(reading.script, call.args[1]) ?? [])
  },
  demandCommand(reading, command, call) {
    const least = call.args.length === 0 ? 1 : evaluate(reading.script, call.args[0])?.value
    if (typeof least === 'number') command.demanded = least
  },
  strict: beStrict,
  strictOptions: beStrict,
  commandDir: doubtful('commands are read from a folder'),
  parserConfiguration: doubtful('the parser is configured to read otherwise'),
  nargs: doubtful('options with a number of values'),
}

function exclude(command: YargsCommand, key: string, others: readonly string[]): void {
  for (const other of others)
    command.draft.exclusive.push({ names: [propertyName(key), propertyName(other)], required: false })
}

function beStrict(reading: YargsReading): void {
  reading.strict = true
}

function doubtful(message: string): Handler {
  return (reading, _, call) => reading.gaps.push(gapAt(call.at, message))
}

/** `.boolean('x')`, `.boolean(['x', 'y'])`. */
function ofEach(change: (settings: YargsSettings) => void): Handler {
  return (reading, command, call) => {
    const [first] = call.args
    const keys = evaluateTexts(reading.script, first)
    if (first === undefined || keys === undefined) {
      reading.gaps.push(gapAt(call.at, 'options with computed names'))
      return
    }
    for (const key of keys) change(settingsOf(command, key, first))
  }
}

/** `.alias('x', 'y')`, `.alias({ x: 'y' })`. */
function ofField(change: (settings: YargsSettings, value: Json) => void): Handler {
  return (reading, command, call) => {
    const [first, second] = call.args
    const key = evaluateText(reading.script, first)
    const pairs =
      key === undefined
        ? [...readConfig(reading.script, first).entries].map(
            ([name]) => [name, fieldValue(reading.script, readConfig(reading.script, first), name)] as const,
          )
        : [[key, evaluate(reading.script, second)?.value] as const]
    if (pairs.length === 0) reading.gaps.push(gapAt(call.at, 'options with computed names'))
    for (const [name, value] of pairs)
      if (value !== undefined) change(settingsOf(command, name, first ?? call.at), value)
  }
}

function addOptions(reading: YargsReading, command: YargsCommand, call: BuilderCall): void {
  const { script, gaps } = reading
  const [first, second] = call.args
  const key = evaluateText(script, first)
  if (key !== undefined && first !== undefined) {
    applyConfig(reading, settingsOf(command, key, first), second === undefined ? undefined : { node: second }, call.at)
    return
  }
  const config = readConfig(script, first)
  if (!config.complete) gaps.push(gapAt(call.at, 'options with computed names'))
  applyAll(reading, command, config, call.at)
}

function applyAll(reading: YargsReading, command: YargsCommand, config: Config, at: Node): void {
  for (const [name, entry] of config.entries)
    applyConfig(reading, settingsOf(command, name, 'node' in entry ? entry.node : at), entry, at)
}

function applyConfig(reading: YargsReading, settings: YargsSettings, entry: Entry | undefined, at: Node): void {
  if (entry === undefined) return
  const { script, gaps } = reading
  const config = readConfig(script, entry)
  if (!config.complete) gaps.push(gapAt(at, 'an option whose settings are computed'))
  const value = (name: string) => fieldValue(script, config, name)
  const type = fieldText(script, config, 'type')
  if (type === 'array' || value('array') === true) settings.list = true
  for (const kind of ['string', 'number', 'boolean', 'count'] as const)
    if (type === kind || value(kind) === true) settings.type = kind
  settings.aliases.push(...(fieldTexts(script, config, 'alias') ?? []))
  const preset = value('default')
  if (preset !== undefined) settings.default = preset
  const choices = value('choices')
  if (Array.isArray(choices)) settings.choices = choices
  else if (config.entries.has('choices')) gaps.push(gapAt(at, 'choices that are computed'))
  const description =
    fieldText(script, config, 'describe') ??
    fieldText(script, config, 'description') ??
    fieldText(script, config, 'desc')
  if (description !== undefined) settings.description = description
  if (['demandOption', 'demand', 'required', 'require'].some(name => config.entries.has(name) && value(name) !== false))
    settings.required = true
  if (config.entries.has('nargs') && value('nargs') !== 1) gaps.push(gapAt(at, 'options with a number of values'))
}

/** A builder given as an object, or a whole command as one: `{ command, describe, builder, handler }`. */
export function applyCommandConfig(
  reading: YargsReading,
  command: YargsCommand,
  node: Node | undefined,
  at: Node,
): void {
  const { script, gaps } = reading
  if (node === undefined || isFunction(unwrap(node)) || calledFunction(script, node) !== undefined) return
  const config = readConfig(script, node)
  if (!config.complete) {
    gaps.push(gapAt(at, 'a command that is declared elsewhere'))
    return
  }
  const [text] = fieldTexts(script, config, 'command') ?? []
  if (text === undefined) {
    applyAll(reading, command, config, at)
    return
  }
  nameCommand(command, text)
  const description =
    fieldText(script, config, 'describe') ??
    fieldText(script, config, 'description') ??
    fieldText(script, config, 'desc')
  if (description !== undefined) command.draft.description = description
  applyCommandConfig(reading, command, builderOf(config), at)
  const handler = fieldNode(config, 'handler')
  const fn = handler === undefined ? undefined : methodOf(script, handler)
  if (fn !== undefined) command.reads.push(...parameterReads(script, fn, 0).reads)
}

/** `get <source> [proxy]`; `$0` and `*` stand for no word. */
export function nameCommand(command: YargsCommand, text: string): void {
  const { words, specs } = readArgumentSpecs(text)
  const [word = ''] = words
  if (word !== '$0' && word !== '*') command.draft.word = word
  command.positionals.push(...specs)
}

function builderOf(config: Config): Node | undefined {
  const builder = fieldNode(config, 'builder')
  return builder !== undefined && childNamed(builder, 'ParamList') ? undefined : builder
}

/** `handler: argv => …`, `handler(argv) { … }`. */
function methodOf(script: Script, node: Node): Node | undefined {
  if (childNamed(node, 'ParamList')) return node
  return calledFunction(script, node)
}

function texts(value: Json): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap(item => (typeof item === 'string' ? [item] : []))
}
