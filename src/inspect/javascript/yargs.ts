// yargs: options, positionals and commands, declared in chained calls, with builders for sub-commands.

import { argvOffset } from './argv-view.ts'
import { type BuilderCall, type BuilderReading, readBuilders } from './builder-objects.ts'
import { finishCommands, levelOf, newDraft } from './command-tree.ts'
import { evaluateText, evaluateTexts } from './evaluate.ts'
import { callOf, memberOf, methodCallOf } from './expressions.ts'
import { camelCase } from './flag-spec.ts'
import { importedAs } from './imports.ts'
import { gapAt, type ReadInterface } from './interface.ts'
import { isHelp, positionalParameters } from './parse-args.ts'
import { parameterReads, propertyReads } from './result-object.ts'
import { bindingOf, type Script } from './script.ts'
import { descendants, isFunction, lineOf, type Node, unwrap } from './syntax-tree.ts'
import { calledFunction, functionName } from './value-flow.ts'
import {
  applyCommandConfig,
  handleYargsCall,
  nameCommand,
  settingsOf,
  type YargsCommand,
  type YargsReading,
} from './yargs-calls.ts'
import { yargsOption, yargsPositional } from './yargs-parts.ts'

export function readYargs(script: Script): ReadInterface | undefined {
  const builders = readBuilders(script, {
    created: expression => createdParser(script, expression),
    answersNew: () => false,
    ends: new Set(['parse', 'parseSync', 'parseAsync', 'getHelp', 'terminalWidth']),
    given: callback => builtCommand(script, callback),
  })
  const results = parsedResults(script, builders)
  const [start] = [...builders.calls.flatMap(call => call.on), ...results]
  if (start === undefined) return undefined

  const reading: YargsReading = { script, commands: new Map(), gaps: [], strict: false }
  const root = commandOf(reading, builders, rootOf(builders, start))
  for (const call of builders.calls) for (const on of call.on) readCall(reading, builders, on, call)
  for (const at of builders.escapes) reading.gaps.push(gapAt(at, 'the parser is handed to code that could not be read'))
  const result = propertyReads(script, results)
  for (const at of result.unread)
    reading.gaps.push(gapAt(at, 'the parsed arguments are used in a way that could not be read'))
  root.reads.push(...result.reads)

  for (const command of reading.commands.values()) finishCommand(reading, command)
  const positionals = positionalParameters(script, result, '_')
  if (reading.commands.size === 1 && root.positionals.length === 0) {
    root.draft.positionals.push(
      ...positionals.parameters.map((parameter, index) => ({
        ...parameter,
        required: parameter.required || index < root.demanded,
      })),
    )
    for (const at of positionals.unread)
      reading.gaps.push(gapAt(at, 'arguments are used in a way that could not be read'))
  }
  // After `--` yargs finds no positionals of commands.
  const dashes = [...reading.commands.values()].some(command => command.positionals.length > 0)
    ? 'refuse'
    : 'terminator'
  return finishCommands(root.draft, { dashes, gaps: reading.gaps })
}

function createdParser(script: Script, expression: Node): Node | undefined {
  const callee = expression.name === 'CallExpression' ? callOf(expression)?.callee : undefined
  const called = callee === undefined ? undefined : importedAs(script, callee)
  if (isYargs(called)) return expression
  if (!isYargs(importedAs(script, expression)) || callOf(expression.parent ?? undefined)?.callee === expression)
    return undefined
  return bindingOf(script, expression)?.node ?? expression
}

function isYargs(imported: { readonly module: string; readonly name: string } | undefined): boolean {
  return imported !== undefined && /^yargs(?:\/yargs)?$/.test(imported.module) && /^(?:default|\*)$/.test(imported.name)
}

/** The `.command(…)` whose builder a function is. */
function builtCommand(script: Script, fn: Node): Node | undefined {
  for (const place of [fn, ...(functionName(script, fn)?.reads ?? [])]) {
    const list = place.parent
    const direct = list?.name === 'ArgList' ? (list.parent ?? undefined) : undefined
    if (isCommandCall(direct) && callOf(direct)?.args[2] === place) return direct
    const property = list?.name === 'Property' && list.children[0] !== undefined ? list : undefined
    const isBuilder =
      property !== undefined && /^['"]?builder\b/.test(property.source.slice(property.from, property.to))
    const object = isBuilder ? property.parent?.parent?.parent : undefined
    if (isCommandCall(object ?? undefined)) return object as Node
  }
  return undefined
}

function isCommandCall(node: Node | undefined): boolean {
  const method = methodCallOf(node)?.method
  return method === 'command' || method === 'usage'
}

/** Expressions for the parsed arguments. */
function parsedResults(script: Script, builders: BuilderReading): readonly Node[] {
  const found: Node[] = []
  for (const node of descendants(script.root)) {
    const name = node.name === 'MemberExpression' ? memberOf(node)?.name : methodCallOf(node)?.method
    if (name === undefined || !/^(?:argv|parse|parseSync|parseAsync)$/.test(name)) continue
    if (name !== 'argv' && node.name === 'MemberExpression') continue
    if (builders.resolve(memberOf(node)?.object ?? methodCallOf(node)?.object).length > 0) found.push(node)
  }
  return found
}

/** The parser that a builder's command, and its parents, belong to. */
function rootOf(builders: BuilderReading, node: Node): Node {
  const object = isCommandCall(node) || memberOf(node) !== undefined || methodCallOf(node) !== undefined
  const base = object ? builders.resolve(memberOf(node)?.object ?? methodCallOf(node)?.object)[0] : undefined
  return base === undefined || base === node ? node : rootOf(builders, base)
}

function commandOf(reading: YargsReading, builders: BuilderReading, node: Node): YargsCommand {
  const known = reading.commands.get(node)
  if (known !== undefined) return known
  const call = isCommandCall(node) ? methodCallOf(node) : undefined
  const parentNode = call === undefined ? undefined : builders.resolve(call.object)[0]
  const parent = parentNode === undefined ? undefined : commandOf(reading, builders, parentNode)
  const draft = newDraft('', lineOf(call?.args[0] ?? node), parent?.draft)
  const command: YargsCommand = { draft, settings: new Map(), positionals: [], reads: [], demanded: 0 }
  reading.commands.set(node, command)
  if (call !== undefined) declareCommand(reading, command, call.args, node)
  else checkSource(reading, node)
  return command
}

function checkSource(reading: YargsReading, node: Node): void {
  const [list] = node.name === 'CallExpression' ? (callOf(node)?.args ?? []) : []
  if (list !== undefined && importedAs(reading.script, node) === undefined && argvOffset(reading.script, list) !== 0)
    reading.gaps.push(gapAt(node, 'the parser reads another list than the command line'))
}

function declareCommand(
  reading: YargsReading,
  command: YargsCommand,
  args: readonly (Node | undefined)[],
  at: Node,
): void {
  const { script } = reading
  const [text] = evaluateTexts(script, args[0]) ?? []
  if (text === undefined) {
    applyCommandConfig(reading, command, args[0], at)
    return
  }
  const description = evaluateText(script, args[1])
  if (description !== undefined) command.draft.description = description
  nameCommand(command, text)
  applyCommandConfig(reading, command, args[2], at)
  const handler = args[3] === undefined ? undefined : functionAt(script, args[3])
  if (handler !== undefined) command.reads.push(...parameterReads(script, handler, 0).reads)
}

function functionAt(script: Script, node: Node): Node | undefined {
  return isFunction(unwrap(node)) ? unwrap(node) : calledFunction(script, node)
}

function readCall(reading: YargsReading, builders: BuilderReading, on: Node, call: BuilderCall): void {
  const command = commandOf(reading, builders, on)
  if (!call.certain) reading.gaps.push(gapAt(call.at, 'an argument is declared only sometimes'))
  if (call.method === 'command') commandOf(reading, builders, call.at)
  // `.usage('$0 <file>', 'what', builder)` declares a default command.
  else if (call.method === 'usage' && call.args[1] !== undefined) commandOf(reading, builders, call.at)
  else handleYargsCall(reading, command, call)
}

function finishCommand(reading: YargsReading, command: YargsCommand): void {
  const { script } = reading
  const { draft, settings } = command
  const names = new Set(command.positionals.map(spec => camelCase(spec.name)))
  const declared = new Set([...settings].flatMap(([key, { aliases }]) => [key, ...aliases]).map(camelCase))
  for (const read of reading.strict ? [] : command.reads) {
    const isOwn = read.key !== '_' && read.key !== '$0' && !isHelp(read.key)
    if (
      isOwn &&
      !declared.has(camelCase(read.key)) &&
      !names.has(camelCase(read.key)) &&
      !isAbove(reading, command, read.key)
    )
      settingsOf(
        command,
        read.key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
        read.at,
      )
  }
  const level = levelOf(draft)
  const readsOf = (keys: readonly string[]) =>
    command.reads.filter(read => read.deeper.length === 0 && keys.some(key => camelCase(key) === camelCase(read.key)))
  for (const spec of command.positionals) {
    const own = settings.get(spec.name)
    draft.positionals.push(
      yargsPositional(script, { spec, settings: own, reads: readsOf([spec.name]), level, line: draft.line }),
    )
  }
  for (const [key, own] of settings) {
    if (names.has(camelCase(key)) || isHelp(key)) continue
    draft.options.push(yargsOption(script, { key, settings: own, reads: readsOf([key, ...own.aliases]), level }))
  }
}

/** Options of the commands above are valid here too. */
function isAbove({ commands }: YargsReading, command: YargsCommand, key: string): boolean {
  for (let at = command.draft.parent; at !== undefined; at = at.parent) {
    const above = [...commands.values()].find(other => other.draft === at)
    if (
      [...(above?.settings ?? [])].some(([name, { aliases }]) =>
        [name, ...aliases].map(camelCase).includes(camelCase(key)),
      )
    )
      return true
  }
  return false
}
