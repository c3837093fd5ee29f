// What each method call on a commander or cac parser declares.
import type { InspectionNote } from '../inspection.ts'
import { argvOffset } from './argv-view.ts'
import type { BuilderCall, BuilderReading } from './builder-objects.ts'
import { type CommandDraft, newDraft } from './command-tree.ts'
import type { ArgumentDeclaration, OptionDeclaration } from './commander-parts.ts'
import { fieldNode, fieldValue, readConfig } from './config-object.ts'
import { type Converter, readConverter } from './converters.ts'
import { evaluate, evaluateText, evaluateTexts } from './evaluate.ts'
import { callOf, methodCallOf } from './expressions.ts'
import { type ArgumentSpec, readArgumentSpecs, readFlagSpec } from './flag-spec.ts'
import { importedAs } from './imports.ts'
import { gapAt } from './interface.ts'
import { bindingOf, type Script } from './script.ts'
import { isFunction, lineOf, type Node, unwrap } from './syntax-tree.ts'
import { calledFunction } from './value-flow.ts'

export type Command = {
  readonly draft: CommandDraft
  readonly options: OptionDeclaration[]
  readonly arguments: ArgumentDeclaration[]
  /** Expressions that evaluate to the parsed options. */
  readonly results: Node[]
  action?: Node
}

export type Reading = {
  readonly script: Script
  readonly isCac: boolean
  readonly builders: BuilderReading
  readonly commands: Map<Node, Command>
  readonly gaps: InspectionNote[]
  root?: Command
}

export function readCall(reading: Reading, command: Command, call: BuilderCall): void {
  const handle = Object.hasOwn(HANDLERS, call.method) ? HANDLERS[call.method] : undefined
  if (handle === undefined) return
  if (!call.certain && DECLARES.test(call.method)) doubt(reading, call, 'an argument is declared only sometimes')
  handle(reading, command, call)
}

/** The command that a node stands for; a node that was never seen is a root of its own. */
export function commandOf(reading: Reading, node: Node): Command {
  const known = reading.commands.get(node)
  if (known !== undefined) return known
  const name = evaluateText(reading.script, callOf(node)?.args[0]) ?? ''
  const command: Command = { draft: newDraft(name, lineOf(node)), options: [], arguments: [], results: [] }
  reading.commands.set(node, command)
  reading.root ??= command
  return command
}

type Handler = (reading: Reading, command: Command, call: BuilderCall) => void

const DECLARES = /command|option|argument/i

const HANDLERS: Readonly<Record<string, Handler>> = {
  command: addCommand,
  addCommand: adopt,
  option: addOption,
  requiredOption: addOption,
  addOption: (reading, command, call) => addDeclared(reading, command, call, 'Option'),
  argument: addArgument,
  arguments: addArguments,
  addArgument: (reading, command, call) => addDeclared(reading, command, call, 'Argument'),
  description: describe,
  summary: describe,
  action: act,
  opts: keepResult,
  optsWithGlobals: keepResult,
  parse: checkSource,
  parseAsync: checkSource,
  allowUnknownOption: allowUnknown,
  allowUnknownOptions: allowUnknown,
  passThroughOptions: allowUnknown,
}

function doubt(reading: Reading, call: BuilderCall, message: string): void {
  reading.gaps.push(gapAt(call.at, message))
}

function addOption(reading: Reading, command: Command, call: BuilderCall): void {
  const { script, isCac } = reading
  const [flags, about, third, fourth] = call.args
  const spec = readFlagSpec(evaluateText(script, flags) ?? '')
  if (spec === undefined) {
    doubt(reading, call, 'an option with a computed name')
    return
  }
  const details = isCac ? cacDetails(script, third) : details3(script, third, fourth)
  command.options.push({
    spec,
    required: call.method === 'requiredOption',
    at: flags ?? call.at,
    ...details,
    ...described(script, about),
  })
}

/** `.option(flags, about, parser?, default?)`. */
function details3(script: Script, third: Node | undefined, fourth: Node | undefined) {
  const converter = readConverter(script, third)
  const preset = evaluate(script, converter === undefined ? third : fourth)?.value
  return { ...(converter === undefined ? {} : { converter }), ...(preset === undefined ? {} : { default: preset }) }
}

/** `.option(flags, about, { default, type })`, where the type is `Number` or `[Number]`. */
function cacDetails(script: Script, node: Node | undefined) {
  const config = readConfig(script, node)
  const preset = fieldValue(script, config, 'default')
  const type = fieldNode(config, 'type')
  const isList = type?.name === 'ArrayExpression'
  const item = readConverter(script, isList ? type?.children[1] : type)
  const converter: Converter | undefined = item === undefined ? undefined : { ...item, collects: isList }
  const found = {
    ...(converter === undefined ? {} : { converter }),
    ...(preset === undefined ? {} : { default: preset }),
  }
  // It takes an empty value for a missing one.
  return { ...found, pattern: '\\S' }
}

function addArgument(reading: Reading, command: Command, call: BuilderCall): void {
  const { script } = reading
  const [name, about, third, fourth] = call.args
  const text = evaluateText(script, name)
  if (text === undefined) {
    doubt(reading, call, 'an argument with a computed name')
    return
  }
  const details = details3(script, third, fourth)
  command.arguments.push({ spec: argumentSpec(text), at: name ?? call.at, ...details, ...described(script, about) })
}

/** A bare name is a required argument. */
function argumentSpec(text: string): ArgumentSpec {
  return readArgumentSpecs(text).specs[0] ?? { name: text, required: true, variadic: false }
}

function addArguments(reading: Reading, command: Command, call: BuilderCall): void {
  const text = evaluateText(reading.script, call.args[0])
  if (text === undefined) {
    doubt(reading, call, 'arguments with computed names')
    return
  }
  for (const spec of readArgumentSpecs(text).specs) command.arguments.push({ spec, at: call.args[0] ?? call.at })
}

function describe({ script }: Reading, { draft }: Command, call: BuilderCall): void {
  const text = evaluateText(script, call.args[0])
  if (text !== undefined) draft.description ??= text
}

function act({ script }: Reading, command: Command, call: BuilderCall): void {
  command.draft.acts = true
  const [first] = call.args
  if (first === undefined) return
  const fn = isFunction(unwrap(first)) ? unwrap(first) : calledFunction(script, first)
  if (fn !== undefined) command.action = fn
}

function keepResult(_: Reading, command: Command, call: BuilderCall): void {
  command.results.push(call.at)
}

function checkSource(reading: Reading, command: Command, call: BuilderCall): void {
  if (reading.isCac) command.results.push(call.at)
  const [list] = call.args
  if (list !== undefined && ![-2, 0].includes(argvOffset(reading.script, list) ?? 1))
    doubt(reading, call, 'the parser reads another list than the command line')
}

function allowUnknown(reading: Reading, _: Command, call: BuilderCall): void {
  if (evaluate(reading.script, call.args[0])?.value !== false)
    doubt(reading, call, 'options that are not declared are accepted')
}

function described(script: Script, node: Node | undefined): { description?: string } {
  const description = evaluateText(script, node)
  return description === undefined ? {} : { description }
}

function addCommand(reading: Reading, parent: Command, call: BuilderCall): void {
  const { script, commands, isCac } = reading
  const text = evaluateText(script, call.args[0])
  if (text === undefined) {
    doubt(reading, call, 'a command with a computed name')
    return
  }
  const { words, specs } = readArgumentSpecs(text)
  const description = evaluateText(script, call.args[1])
  if (!isCac && description !== undefined) {
    doubt(reading, call, `the command ${words[0] ?? ''} is a program of its own`)
    return
  }
  const draft = newDraft(words.join(' '), lineOf(call.args[0] ?? call.at), parent.draft)
  if (description !== undefined) draft.description = description
  const command: Command = {
    draft,
    options: [],
    arguments: specs.map(spec => ({ spec, at: call.args[0] ?? call.at })),
    results: [],
  }
  commands.set(call.at, command)
}

/** `.addCommand(other)`: the other was built on its own. */
function adopt(reading: Reading, parent: Command, call: BuilderCall): void {
  const children = reading.builders.resolve(call.args[0])
  if (children.length === 0) doubt(reading, call, 'a command that is declared elsewhere')
  for (const child of children) {
    const { draft } = commandOf(reading, child)
    if (draft.parent !== undefined || draft === parent.draft) continue
    draft.parent = parent.draft
    parent.draft.children.push(draft)
    if (reading.root?.draft === draft) reading.root = parent
  }
}

/** `new Option('--x <y>', 'what').choices([…]).default(…)`. */
function addDeclared(reading: Reading, command: Command, call: BuilderCall, kind: 'Option' | 'Argument'): void {
  const { script } = reading
  const methods = new Map<string, readonly (Node | undefined)[]>()
  let at = call.args[0] === undefined ? undefined : unwrap(call.args[0])
  const own = bindingOf(script, at)?.origin
  if (own?.kind === 'value' && own.path.length === 0) at = unwrap(own.value)
  for (let method = methodCallOf(at); method !== undefined && at !== undefined; method = methodCallOf(at)) {
    methods.set(method.method, method.args)
    at = unwrap(method.object)
  }
  const made = callOf(at)
  const isMade = made !== undefined && importedAs(script, made.callee)?.name === kind
  const text = isMade ? evaluateText(script, made.args[0]) : undefined
  if (text === undefined || made === undefined) {
    doubt(reading, call, 'an argument that is declared elsewhere')
    return
  }

  const converter = readConverter(script, methods.get('argParser')?.[0])
  const choices = evaluateTexts(script, methods.get('choices')?.[0])
  const preset = evaluate(script, methods.get('default')?.[0])?.value
  if (methods.has('choices') && choices === undefined) doubt(reading, call, 'choices that are computed')
  const shared = {
    at: made.args[0] ?? call.at,
    ...(converter === undefined ? {} : { converter }),
    ...(choices === undefined ? {} : { choices }),
    ...(preset === undefined ? {} : { default: preset }),
    ...described(script, made.args[1]),
  }
  if (kind === 'Argument') {
    const spec = argumentSpec(text)
    command.arguments.push({ ...shared, spec: methods.has('argOptional') ? { ...spec, required: false } : spec })
    return
  }
  const spec = readFlagSpec(text)
  if (spec === undefined) {
    doubt(reading, call, 'an option with a computed name')
    return
  }
  const required = methods.has('makeOptionMandatory') && !methods.has('env')
  const conflicts = evaluateTexts(script, methods.get('conflicts')?.[0])
  command.options.push({ ...shared, spec, required, ...(conflicts === undefined ? {} : { conflicts }) })
}
