// vercel's `arg`: a table from flags to the functions that convert their values.
import type { ScriptParameter } from '../../types.ts'
import { argvOffset } from './argv-view.ts'
import { fieldNode, fieldValue, readConfig } from './config-object.ts'
import { readConverter } from './converters.ts'
import { declaredValue } from './declared-value.ts'
import { evaluateText } from './evaluate.ts'
import { callOf, pathOf } from './expressions.ts'
import { isImported } from './imports.ts'
import { gapAt, oneCommand, type ReadInterface, toParameter } from './interface.ts'
import { isHelp, positionalParameters } from './parse-args.ts'
import { nodesOf, type PropertyRead, propertyReads } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'

export function readArg(script: Script): ReadInterface | undefined {
  const call = script.calls.find(at => isImported(script, callOf(at)?.callee, ['arg'], ['*', 'default']))
  const [table, options] = callOf(call)?.args ?? []
  if (call === undefined) return undefined
  const config = readConfig(script, table)
  const settings = readConfig(script, options)
  const result = propertyReads(script, [call])
  const positionals = positionalParameters(script, result, '_')

  const nodes = [...config.entries].flatMap(([flag, entry]) => ('node' in entry ? [{ flag, node: entry.node }] : []))
  const aliases = nodes.flatMap(({ flag, node }) => {
    const of = evaluateText(script, node)
    return of === undefined ? [] : [{ flag, of }]
  })
  const parameters = nodes.flatMap(({ flag, node }) => {
    if (aliases.some(alias => alias.flag === flag) || isHelp(flag.replace(/^--/, ''))) return []
    const flags = [flag, ...aliases.filter(alias => alias.of === flag).map(alias => alias.flag)]
    return [flagParameter(script, flags, node, result.reads)]
  })
  const source = fieldNode(settings, 'argv')
  const gaps = [
    ...(config.complete ? [] : [gapAt(call, 'some flags are computed')]),
    ...(fieldValue(script, settings, 'permissive') === true
      ? [gapAt(call, 'flags that are not declared are accepted')]
      : []),
    ...(source !== undefined && argvOffset(script, source) !== 0
      ? [gapAt(call, 'the parser reads another list than the command line')]
      : []),
    ...[...result.unread, ...positionals.unread].map(at =>
      gapAt(at, 'the parsed arguments are used in a way that could not be read'),
    ),
  ]
  const all = [...positionals.parameters, ...parameters]
  return { commands: [oneCommand(all, { dashes: 'terminator', open: gaps.length > 0, line: lineOf(call) })], gaps }
}

function flagParameter(
  script: Script,
  flags: readonly string[],
  type: Node,
  reads: readonly PropertyRead[],
): ScriptParameter {
  const [name = ''] = flags
  const line = lineOf(type)
  const own = nodesOf(reads.filter(read => flags.includes(read.key) && read.deeper.length === 0))
  if (pathOf(type) === 'Boolean') {
    const value = { type: 'boolean' as const, default: factsOf(script, own, 'boolean').default }
    return toParameter({ name, value, line, pass: { as: 'switch', flags, when: true } })
  }
  if (pathOf(type)?.endsWith('.COUNT'))
    return toParameter({ name, value: { type: 'integer', minimum: 0 }, line, pass: { as: 'count', flags } })
  const list = type.name === 'ArrayExpression'
  const converter = readConverter(script, list ? type.children[1] : type)
  const facts = factsOf(script, own, converter?.type)
  const pass = { as: 'option', flags, join: name.startsWith('--') ? 'equals' : 'separate' } as const
  // What follows a line break is lost.
  return declaredValue({ name, line, pass, list, type: converter?.type, pattern: '^[^\\n]*$', facts })
}
