// A filled parser as commands: one per leaf, because models read small flat schemas best and providers refuse `oneOf`.
import type { CommandLine, ExclusiveGroup, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { firstParagraph } from '../paragraph.ts'
import { type ReadArgument, readArgument } from './argparse-argument.ts'
import type { Doubt, ParserModel } from './argparse-model.ts'
import type { Machine, ParseEvent } from './machine.ts'
import { uniqueNames } from './parameter-names.ts'
import { isTrue } from './values.ts'

export type ReadCommands = { readonly commands: InspectedCommand[]; readonly notes: InspectionNote[] }

type Level = {
  readonly parser: ParserModel
  readonly word: string
  readonly help?: string
  readonly arguments: readonly ReadArgument[]
}

/** Commands of the parser that the script asks for its arguments. */
export function argparseCommands(
  event: ParseEvent,
  machine: Machine,
  lineAt: (offset: number) => number,
): ReadCommands {
  const doubts: Doubt[] = []
  const commands: InspectedCommand[] = []
  const visit = (
    parser: ParserModel,
    word: string,
    help: string | undefined,
    above: readonly Level[],
    depth: number,
  ) => {
    const own: Doubt[] = [...parser.doubts]
    if (parser.fromFile)
      own.push({ message: 'Arguments that begin with a certain character are read as files.', at: parser.at })
    if (parser.prefixChars !== '-') own.push({ message: 'Flags begin with other characters than `-`.', at: parser.at })
    const read = resolveConflicts(
      parser.arguments.flatMap(argument => readArgument(argument, parser, machine, own) ?? []),
      parser,
      own,
    )
    const levels: Level[] = [...above, { parser, word, ...(help === undefined ? {} : { help }), arguments: read }]
    const { subParsers } = parser
    if (subParsers && subParsers.parsers.length === 0)
      own.push({ message: 'The sub-commands could not be read.', at: subParsers.at })
    doubts.push(...own)
    const isLeaf = !subParsers || subParsers.parsers.length === 0
    // Without a command most scripts print their help; one that sets a function for that case does something.
    const runsAlone = subParsers && isTrue(subParsers.required) === false && parser.defaults.has('func')
    if (isLeaf || runsAlone || depth > 5) commands.push(toCommand(levels, event, lineAt, isOpen(levels, own, event)))
    if (subParsers && depth <= 5) {
      for (const sub of subParsers.parsers) visit(sub.parser, sub.name, sub.help, levels, depth + 1)
    }
  }
  visit(event.parser, '', undefined, [], 0)
  return { commands, notes: doubts.map(doubt => ({ message: doubt.message, line: lineAt(doubt.at) })) }
}

/** A repeated flag is an error to argparse unless it was told to let the later one win. */
function resolveConflicts(
  read: readonly ReadArgument[],
  parser: ParserModel,
  doubts: Doubt[],
): readonly ReadArgument[] {
  const taken = new Set<string>()
  const kept = read.toReversed().flatMap((argument): ReadArgument[] => {
    const { pass } = argument
    if (!('flags' in pass)) return [argument]
    const lost = argument.flags.filter(flag => taken.has(flag))
    const flags = argument.flags.filter(flag => !taken.has(flag))
    for (const flag of flags) taken.add(flag)
    if (lost.length === 0) return [argument]
    if (!parser.laterWins) doubts.push({ message: `\`${lost[0]}\` is declared twice.`, at: argument.at })
    return flags.length > 0 ? [{ ...argument, flags, pass: { ...pass, flags } }] : []
  })
  return kept.reverse()
}

function isOpen(levels: readonly Level[], own: readonly Doubt[], event: ParseEvent): boolean {
  return event.way === 'known' || own.length > 0 || levels.some(level => level.parser.doubts.length > 0)
}

function toCommand(
  levels: readonly Level[],
  event: ParseEvent,
  lineAt: (offset: number) => number,
  open: boolean,
): InspectedCommand {
  const leaf = levels.at(-1)
  const declared = levels.flatMap((level, depth) => level.arguments.map(argument => ({ argument, depth, level })))
  // A sub-command's own value replaces that of its parent, so the parent's cannot be seen.
  const kept = declared.filter(
    ({ argument, depth }) =>
      argument.required || !declared.some(other => other.depth > depth && other.argument.dest === argument.dest),
  )
  // The deepest command decides what a name means, so it is served first.
  const names = uniqueNames(kept.map(({ argument }) => argument).reverse()).reverse()
  const exclusive = exclusiveGroups(kept, names)
  const parameters = kept.map(({ argument, depth }, index): ScriptParameter => {
    const name = names[index] ?? argument.dest
    return {
      name,
      schema: argument.schema,
      required: argument.required,
      level: depth,
      line: lineAt(argument.at),
      pass: argument.pass,
    }
  })
  const description = firstParagraph(leaf?.help ?? leaf?.parser.description ?? '')
  const convention: CommandLine = {
    type: 'command-line',
    command: levels.slice(1).map(level => level.word),
    parameters,
    exclusive,
    dashes: event.way === 'intermixed' || parameters.some(isFirstRest) ? 'refuse' : 'terminator',
    open,
  }
  return { convention, ...(description ? { description } : {}), line: lineAt(leaf?.parser.at ?? 0) }
}

/**
 * argparse drops a `--` before the positionals, with three exceptions (the same from Python 3.8 to 3.13): a `REMAINDER`
 * that comes first keeps it as its first value; intermixed parsing loses track of it; and where a command word follows
 * it is taken for the command. A value that is `--` itself is lost or emptied unless a `REMAINDER` holds it.
 */
function isFirstRest(parameter: ScriptParameter, index: number, all: readonly ScriptParameter[]): boolean {
  const isBefore = (other: ScriptParameter) => other.level === parameter.level && other.pass.as === 'positional'
  return parameter.pass.as === 'rest' && !all.slice(0, index).some(isBefore)
}

type Kept = readonly { readonly argument: ReadArgument; readonly level: Level }[]

function exclusiveGroups(kept: Kept, names: readonly string[]): ExclusiveGroup[] {
  const groups = new Map<object, { names: string[]; required: boolean }>()
  for (const [index, { argument, level }] of kept.entries()) {
    const model = argument.exclusive === undefined ? undefined : level.parser.exclusive[argument.exclusive]
    if (!model) continue
    const group = groups.get(model) ?? { names: [], required: isTrue(model.required) === true }
    group.names.push(names[index] ?? argument.dest)
    groups.set(model, group)
  }
  return [...groups.values()].filter(group => group.names.length > 1 || group.required)
}
