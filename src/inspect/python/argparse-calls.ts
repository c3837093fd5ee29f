// Calls on argparse: each is noted down in the model of its parser.
import type { ParserArgument, ParserModel } from './argparse-model.ts'
import { callFunction } from './call.ts'
import { itemsOf } from './evaluate.ts'
import { type Arguments, FINISHED, type Machine, RAISED } from './machine.ts'
import { type ClassValue, isTrue, NONE, truth, UNKNOWN, type Value } from './values.ts'

type ParserLike = Extract<Value, { kind: 'parser' | 'argument-group' | 'sub-parsers' }>

/** `ArgumentParser(...)`. */
export function createParser(args: Arguments, machine: Machine, at: number, of?: ClassValue): Value {
  const parser: ParserModel = {
    born: machine.branch,
    at,
    arguments: [],
    exclusive: [],
    defaults: new Map(),
    doubts: [],
    prefixChars: '-',
    fromFile: false,
    laterWins: false,
    ...(of ? { of } : {}),
  }
  configure(parser, args, at)
  return { kind: 'parser', parser, ...(of ? { of } : {}), attributes: new Map() }
}

function configure(parser: ParserModel, args: Arguments, at: number): void {
  const description = args.named.get('description') ?? args.positional[2]
  if (description?.kind === 'str') parser.description = description.value
  if (args.open) parser.doubts.push({ message: 'The settings of the parser could not be read.', at })
  const prefix = args.named.get('prefix_chars')
  if (prefix?.kind === 'str') parser.prefixChars = prefix.value
  else if (prefix) parser.doubts.push({ message: 'The characters that flags begin with could not be read.', at })
  const conflicts = args.named.get('conflict_handler')
  if (conflicts) parser.laterWins = conflicts.kind === 'str' && conflicts.value === 'resolve'
  if (args.named.has('fromfile_prefix_chars')) parser.fromFile = true
  const fallback = args.named.get('argument_default')
  if (fallback) parser.argumentDefault = fallback
  const parents = args.named.get('parents')
  if (parents) inherit(parser, parents, at)
}

const MOST_INHERITED = 2_000

/** Copies what the parents have at this time. */
function inherit(parser: ParserModel, parents: Value, at: number): void {
  const items = itemsOf(parents)
  if (!items) parser.doubts.push({ message: 'The parents of the parser could not be read.', at })
  for (const parent of items ?? []) {
    if (parent.kind !== 'parser') {
      parser.doubts.push({ message: 'A parent of the parser could not be read.', at })
      continue
    }
    const { arguments: own, exclusive, doubts } = parent.parser
    if (parser.arguments.length + own.length + exclusive.length + doubts.length > MOST_INHERITED) {
      parser.doubts.push({ message: 'The parser inherits more than can be read.', at })
      continue
    }
    const offset = parser.exclusive.length
    parser.exclusive.push(...parent.parser.exclusive)
    for (const argument of parent.parser.arguments) {
      const { exclusive, ...rest } = argument
      parser.arguments.push(exclusive === undefined ? rest : { ...rest, exclusive: exclusive + offset })
    }
    for (const [name, value] of parent.parser.defaults) parser.defaults.set(name, value)
    parser.doubts.push(...parent.parser.doubts)
    if (parent.parser.subParsers) parser.subParsers = parent.parser.subParsers
  }
}

/** A method of a parser, a group or a set of sub-parsers. */
export function callParserMethod(
  object: ParserLike,
  name: string,
  args: Arguments,
  machine: Machine,
  place: number,
): Value {
  const { parser } = object
  const at = machine.site ?? place
  const change = CHANGES.has(name)
  if (change && machine.branch !== parser.born) {
    parser.doubts.push({ message: 'This is declared only under a condition that could not be read.', at })
  }
  switch (name) {
    case '__init__':
      configure(parser, args, at)
      return NONE
    case 'add_argument':
      return addArgument(object, args, at)
    case 'add_argument_group':
      if (args.named.has('argument_default')) parser.doubts.push({ message: 'A group sets its own default.', at })
      return { ...group(object), kind: 'argument-group', parser }
    case 'add_mutually_exclusive_group': {
      parser.exclusive.push({ required: args.named.get('required') ?? truth(false), at })
      return { kind: 'argument-group', parser, exclusive: parser.exclusive.length - 1 }
    }
    case 'add_subparsers': {
      const dest = args.named.get('dest')
      if (parser.subParsers) parser.doubts.push({ message: 'The parser has two sets of sub-parsers.', at })
      parser.subParsers = {
        ...(dest?.kind === 'str' ? { dest: dest.value } : {}),
        required: args.named.get('required') ?? truth(false),
        parsers: [],
        at,
      }
      return { kind: 'sub-parsers', parser }
    }
    case 'add_parser':
      return addParser(parser, args, machine, at)
    case 'set_defaults':
      for (const [key, value] of args.named) {
        parser.defaults.set(key, value)
        for (const argument of parser.arguments) {
          if (destOf(argument, parser) === key) argument.options.set('default', value)
        }
      }
      if (args.open) parser.doubts.push({ message: 'The defaults could not be read.', at })
      return NONE
    case 'parse_args':
    case 'parse_known_args':
    case 'parse_intermixed_args':
    case 'parse_known_intermixed_args':
      return parse(parser, name, args, machine, at)
    case 'error':
    case 'exit':
      throw RAISED
    case 'register':
      parser.doubts.push({ message: 'The parser registers types or actions of its own.', at })
      return NONE
    case 'get_default': {
      const [dest] = args.positional
      const found = parser.arguments.find(argument => dest?.kind === 'str' && destOf(argument, parser) === dest.value)
      return found?.options.get('default') ?? UNKNOWN
    }
    default:
      if (name.startsWith('_')) parser.doubts.push({ message: `The parser is changed by \`${name}\`.`, at })
      return UNKNOWN
  }
}

/** An attribute of argparse's own: groups are handed out, other private parts may be changed there. */
export function parserAttribute(object: Extract<Value, { kind: 'parser' }>, name: string): Value | undefined {
  const { parser } = object
  const group: Value = { kind: 'argument-group', parser }
  if (name === '_optionals' || name === '_positionals') return group
  if (name === '_action_groups') return { kind: 'list', items: [group, group], born: parser.born }
  if (!name.startsWith('_') || name.startsWith('__')) return undefined
  parser.doubts.push({ message: `The script reaches into its parser (\`${name}\`).`, at: parser.at })
  return UNKNOWN
}

const CHANGES = new Set([
  'add_argument',
  'add_argument_group',
  'add_mutually_exclusive_group',
  'add_subparsers',
  'add_parser',
  'set_defaults',
])

function group(object: ParserLike): { exclusive?: number } {
  return object.kind === 'argument-group' && object.exclusive !== undefined ? { exclusive: object.exclusive } : {}
}

function addArgument(object: ParserLike, args: Arguments, at: number): Value {
  const { parser } = object
  const names = args.positional.map(name => (name.kind === 'str' ? name.value : undefined))
  if (args.open || names.includes(undefined)) {
    parser.doubts.push({ message: 'An argument is declared in a way that could not be read.', at })
    return UNKNOWN
  }
  const dest = args.named.get('dest')
  const given = names.length === 0 && dest?.kind === 'str' ? [dest.value] : names.map(name => name ?? '')
  parser.arguments.push({ names: given, options: new Map(args.named), ...group(object), at })
  return { kind: 'argument', parser, index: parser.arguments.length - 1 }
}

function addParser(parent: ParserModel, args: Arguments, machine: Machine, at: number): Value {
  const [name] = args.positional
  const help = args.named.get('help')
  const created = construct(parent, args, machine, at)
  if (name?.kind !== 'str' || !parent.subParsers) {
    parent.doubts.push({ message: 'A sub-command is declared in a way that could not be read.', at })
    return created
  }
  if (created.kind === 'parser') {
    parent.subParsers.parsers.push({
      name: name.value,
      parser: created.parser,
      ...(help?.kind === 'str' && help.value !== '==SUPPRESS==' ? { help: help.value } : {}),
      at,
    })
  }
  return created
}

/** Sub-parsers are made by the class of their parent. */
function construct(parent: ParserModel, args: Arguments, machine: Machine, at: number): Value {
  const named = { ...args, positional: [] }
  const created = createParser(named, machine, at, parent.of)
  const initialise = parent.of?.members.get('__init__')
  if (initialise?.kind === 'function') callFunction({ ...initialise, self: created }, named, machine)
  return created
}

/** Name under which argparse keeps the value; undefined when it could not be read. */
export function destOf(argument: ParserArgument, parser: ParserModel): string | undefined {
  const dest = argument.options.get('dest')
  if (dest) return dest.kind === 'str' ? dest.value : undefined
  const isFlag = (name: string) => parser.prefixChars.includes(name.charAt(0))
  const [first] = argument.names
  if (first === undefined) return undefined
  if (!isFlag(first)) return first
  const long = argument.names.find(name => name.length > 1 && parser.prefixChars.includes(name.charAt(1))) ?? first
  let start = 0
  while (start < long.length && parser.prefixChars.includes(long.charAt(start))) start++
  return long.slice(start).replaceAll('-', '_')
}

function parse(parser: ParserModel, name: string, args: Arguments, machine: Machine, at: number): Value {
  const way = name.includes('intermixed') ? 'intermixed' : name.includes('known') ? 'known' : 'all'
  const argv = args.positional[0] ?? args.named.get('args')
  // `parse_args(argv)` with a list of constants is a test or a default, not the script's own command line.
  const other = argv && itemsOf(argv) && isTrue(argv) ? 'other' : 'own'
  const certain = machine.branch === 0
  machine.parses.push({ parser, way, certain, argv: other, at })
  if (certain && way !== 'known' && other === 'own') throw FINISHED
  const result: Value = UNKNOWN
  return way === 'known' ? { kind: 'tuple', items: [result, UNKNOWN], born: machine.branch } : result
}
