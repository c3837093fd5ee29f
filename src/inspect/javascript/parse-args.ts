// `parseArgs` of node:util.
import type { ScriptParameter } from '../../types.ts'
import { argvOffset } from './argv-view.ts'
import { type Config, type Entry, fieldNode, fieldText, fieldValue, readConfig } from './config-object.ts'
import { declaredValue } from './declared-value.ts'
import { callOf } from './expressions.ts'
import { isImported } from './imports.ts'
import { gapAt, oneCommand, type ReadInterface, toParameter } from './interface.ts'
import { listUses } from './list-uses.ts'
import { readPositionals } from './positionals.ts'
import { innerReads, listStarts, nodesOf, type PropertyReads, patternDefault, propertyReads } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'

export function readParseArgs(script: Script): ReadInterface | undefined {
  const calls = script.calls.filter(
    call =>
      isImported(script, callOf(call)?.callee, ['util', '@pkgjs/parseargs'], ['parseArgs']) &&
      !script.scope?.excludes(call),
  )
  const [call] = calls
  if (call === undefined) return undefined
  const config = readConfig(script, callOf(call)?.args[0])
  const offset = config.entries.has('args') ? argvOffset(script, fieldNode(config, 'args')) : 0
  const options = readConfig(script, config.entries.get('options'))
  const result = propertyReads(script, [call])
  const values = innerReads(script, result, 'values')

  const negative = fieldValue(script, config, 'allowNegative') === true
  const parameters = [...options.entries]
    .map(([name, entry]) => optionParameter(script, { name, entry, values, negative, call }))
    .filter(({ name, pass }) => !isHelp(name) || pass.as !== 'switch')
  const positionals = allowsPositionals(script, config)
    ? positionalParameters(script, result)
    : { parameters: [], unread: [], first: [] }

  const gaps = [
    ...(calls.length > 1 ? [gapAt(calls[1] as Node, 'parseArgs is called more than once')] : []),
    ...(config.complete && (options.complete || !config.entries.has('options'))
      ? []
      : [gapAt(call, 'some options of parseArgs are computed')]),
    ...(offset === undefined ? [gapAt(call, 'parseArgs reads another list than the command line')] : []),
    ...undeclared(values, options).map(at => gapAt(at, 'an option that is not declared is read')),
    ...positionals.unread.map(at => gapAt(at, 'positional arguments are used in a way that could not be read')),
  ]
  const all = [...positionals.parameters, ...parameters]
  return {
    commands: [oneCommand(all, { dashes: 'terminator', open: gaps.length > 0, line: lineOf(call) })],
    gaps,
    first: positionals.first,
    offset: offset ?? 0,
  }
}

export function isHelp(name: string): boolean {
  return name === 'help' || name === 'version'
}

type OptionSource = {
  readonly name: string
  readonly entry: Entry
  readonly values: PropertyReads
  readonly negative: boolean
  readonly call: Node
}

function optionParameter(script: Script, { name, entry, values, negative, call }: OptionSource): ScriptParameter {
  const config = readConfig(script, entry)
  const short = fieldText(script, config, 'short')
  const flags = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
  const multiple = fieldValue(script, config, 'multiple') === true
  const line = lineOf('node' in entry ? entry.node : call)
  const fallback = fieldValue(script, config, 'default')

  if (fieldText(script, config, 'type') === 'boolean') {
    if (multiple) return toParameter({ name, value: { type: 'integer' }, line, pass: { as: 'count', flags } })
    const opposite = negative ? { opposite: `--no-${name}` } : {}
    const value = { type: 'boolean' as const, default: fallback }
    return toParameter({ name, value, line, pass: { as: 'switch', flags, when: true, ...opposite } })
  }
  const reads = values.reads.filter(read => read.key === name && read.deeper.length === 0)
  const facts = factsOf(script, nodesOf(reads))
  const pass = { as: 'option', flags, join: 'equals' } as const
  const preset = fallback ?? patternDefault(script, reads)
  return declaredValue({ name, line, pass, type: 'string', list: multiple, default: preset, facts })
}

function allowsPositionals(script: Script, config: Config): boolean {
  const allowed = fieldValue(script, config, 'allowPositionals')
  return allowed === undefined ? fieldValue(script, config, 'strict') === false : allowed === true
}

/** Positionals of a parser that answers with a list of them under a key. */
export function positionalParameters(script: Script, result: PropertyReads, key = 'positionals') {
  const uses = listStarts(result, key).flatMap(start => listUses(script, start))
  const direct = result.reads.flatMap(read => {
    const [index] = read.deeper
    if (read.key !== key || index === undefined) return []
    const { nodes, at, name, fallback } = read
    const about = { ...(name === undefined ? {} : { name }), ...(fallback === undefined ? {} : { fallback }) }
    return [{ kind: 'item' as const, index: Number(index), nodes, at, ...about }]
  })
  return readPositionals(script, [...uses, ...direct])
}

function undeclared(values: PropertyReads, options: Config): readonly Node[] {
  return values.reads.filter(read => !options.entries.has(read.key) && options.complete).map(read => read.at)
}
