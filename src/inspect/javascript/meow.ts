// meow: a table of flags, and a help text that it prints.
import type { ScriptParameter } from '../../types.ts'
import { type Config, type Entry, fieldNode, fieldText, fieldTexts, fieldValue, readConfig } from './config-object.ts'
import { declaredValue } from './declared-value.ts'
import { callOf } from './expressions.ts'
import { camelCase } from './flag-spec.ts'
import { isImported } from './imports.ts'
import { gapAt, oneCommand, type ReadInterface, toParameter } from './interface.ts'
import { isHelp, positionalParameters } from './parse-args.ts'
import { innerReads, nodesOf, type PropertyReads, propertyReads } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'
import { NO_QUOTE } from './yargs-parts.ts'

export function readMeow(script: Script): ReadInterface | undefined {
  const call = script.calls.find(at => isImported(script, callOf(at)?.callee, ['meow'], ['*', 'default']))
  if (call === undefined) return undefined
  const args = callOf(call)?.args ?? []
  const config = readConfig(script, args.at(-1))
  const table = readConfig(script, config.entries.get('flags'))
  const result = propertyReads(script, [call])
  const flags = innerReads(script, result, 'flags')
  const positionals = positionalParameters(script, result, 'input')
  const parameters = [...table.entries].flatMap(([name, entry]) =>
    isHelp(name) ? [] : [flagParameter(script, name, entry, flags, call)],
  )
  const undeclared = flags.reads.filter(read => !table.entries.has(read.key) && !isHelp(read.key))
  const gaps = [
    ...(config.complete && table.complete ? [] : [gapAt(call, 'some flags are computed')]),
    ...(fieldNode(config, 'argv') === undefined
      ? []
      : [gapAt(call, 'the parser reads another list than the command line')]),
    ...undeclared.map(read => gapAt(read.at, 'a flag that is not declared is read')),
    ...[...flags.unread, ...positionals.unread].map(at =>
      gapAt(at, 'the parsed arguments are used in a way that could not be read'),
    ),
  ]
  const all = [...positionals.parameters, ...parameters]
  return { commands: [oneCommand(all, { dashes: 'terminator', open: gaps.length > 0, line: lineOf(call) })], gaps }
}

function flagParameter(script: Script, name: string, entry: Entry, reads: PropertyReads, call: Node): ScriptParameter {
  const config: Config = readConfig(script, entry)
  const kebab = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const short = fieldText(script, config, 'shortFlag') ?? fieldText(script, config, 'alias')
  const flags = [
    `--${kebab}`,
    ...(fieldTexts(script, config, 'aliases') ?? []).map(alias => `--${alias}`),
    ...(short === undefined ? [] : [short.length === 1 ? `-${short}` : `--${short}`]),
  ]
  const line = lineOf('node' in entry ? entry.node : call)
  const preset = fieldValue(script, config, 'default')
  const type = fieldText(script, config, 'type')
  if (type === 'boolean') {
    const pass = { as: 'switch', flags, when: true, opposite: `--no-${kebab}` } as const
    return toParameter({ name, value: { type, default: preset }, line, pass })
  }
  const own = reads.reads.filter(read => camelCase(read.key) === name && read.deeper.length === 0)
  const choices = fieldValue(script, config, 'choices')
  return declaredValue({
    name,
    line,
    pass: { as: 'option', flags, join: 'equals' },
    type: type === 'number' ? type : 'string',
    list: fieldValue(script, config, 'isMultiple') === true,
    choices: Array.isArray(choices) ? choices : undefined,
    default: preset,
    required: fieldValue(script, config, 'isRequired') === true,
    pattern: NO_QUOTE,
    facts: factsOf(script, nodesOf(own), type === 'number' ? type : undefined),
  })
}
