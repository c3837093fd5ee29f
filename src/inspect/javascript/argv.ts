// Command lines that a script reads by hand from `process.argv`.
import type { ScriptParameter } from '../../types.ts'
import { type FlagRead, flagParameter, joinFlags, joinOpposites, type ValueLimits } from './argv-flag.ts'
import { readGeneric } from './argv-generic.ts'
import { type LoopReading, readLoop, type WordSink } from './argv-loop.ts'
import { findLoops } from './argv-loops.ts'
import { readSearches } from './argv-searches.ts'
import { argvSources } from './argv-view.ts'
import { memberOf, methodCallOf } from './expressions.ts'
import { gapAt, oneCommand, type ReadInterface } from './interface.ts'
import { type ListUse, listUses } from './list-uses.ts'
import { readPositionals } from './positionals.ts'
import { bindingOf, type Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { readsOfProperty } from './value-flow.ts'

export function readArgv(script: Script): ReadInterface | undefined {
  const uses = argvSources(script).flatMap(({ node, offset }) => listUses(script, node, offset))
  const about = uses.filter(use => !isProgramName(use))
  const [first] = about
  if (first === undefined) return undefined

  const { loops, others } = findLoops(script, about)
  const searches = readSearches(script, others)
  const readings = loops.map(loop => ({ loop, reading: readLoop(script, loop) }))
  const generics = readings.flatMap(({ loop, reading }) =>
    reading.generic === undefined ? [] : [readGeneric(script, reading.generic, loop)],
  )
  const flags = joinFlags([
    ...searches.flags,
    ...readings.flatMap(({ reading }) => reading.flags),
    ...generics.flatMap(generic => generic.flags),
  ])

  const start = Math.min(...loops.map(loop => Math.max(0, loop.start)))
  const direct = readPositionals(script, searches.others, { raw: true })
  const wordUses = [
    ...searches.others.filter(use => !direct.unread.includes(use.at)),
    ...searches.words.flatMap(list => wordListUses(script, list)),
    ...readings.flatMap(({ reading }) => sinkUses(script, reading, Number.isFinite(start) ? start : 0)),
  ]
  const positionals = readPositionals(script, wordUses)
  const limits = searchLimits(searches.flags)
  // Where the first plain word takes all that follow, flags after it included, it has to come last.
  const takesAll = readings.some(({ reading }) => reading.words.some(word => word.all))
  const words = takesAll ? positionals.parameters.map(asRest) : positionals.parameters
  const parameters = [...words, ...joinOpposites(flags.map(flag => flagParameter(script, flag, limits)))]

  const gaps = [
    ...[...direct.unread, ...positionals.unread].map(at =>
      gapAt(at, 'the command line is used in a way that could not be read'),
    ),
    ...readings
      .flatMap(({ reading }) => reading.unread)
      .map(at => gapAt(at, 'part of the loop over the command line could not be read')),
    ...generics.flatMap(generic => generic.gaps),
    ...confusedWords(searches.words, flags, positionals.parameters),
    ...missedWords(script, searches.others, flags, positionals.parameters),
  ]
  const isPlain = flags.length === 0 && loops.length === 0 && searches.words.length === 0
  const ends = readings.length > 0 && searches.flags.length === 0 && readings.every(({ reading }) => reading.terminator)
  const dashes = isPlain ? 'pass' : ends ? 'terminator' : 'refuse'
  return {
    commands: [oneCommand(parameters, { dashes, open: gaps.length > 0, line: lineOf(first.at) })],
    gaps,
    first: positionals.first,
  }
}

function asRest(parameter: ScriptParameter, index: number, all: readonly ScriptParameter[]): ScriptParameter {
  if (index < all.length - 1) return parameter
  const { type, items, ...about } = parameter.schema
  return {
    ...parameter,
    schema: { type: 'array', items: items ?? { type: type ?? 'string' }, ...about },
    pass: { as: 'rest' },
  }
}

/** A word that is read at a fixed place, and missing, lets a flag stand there. */
function missedWords(
  { scope }: Script,
  uses: readonly ListUse[],
  flags: readonly FlagRead[],
  positionals: readonly ScriptParameter[],
) {
  // The word that selects a command is always there.
  const least = scope === undefined ? 0 : 1
  const missed = uses.find(
    use => use.kind === 'item' && use.index >= least && positionals[use.index]?.required === false,
  )
  if (missed === undefined || flags.length === 0) return []
  return [gapAt(missed.at, 'a flag is taken for this argument when that is missing')]
}

/** A filter gives the list of words, `find` the first of them. */
function wordListUses(script: Script, search: Node): readonly ListUse[] {
  if (methodCallOf(search)?.method === 'filter') return listUses(script, search)
  return [{ kind: 'item', index: 0, nodes: [search], at: search }]
}

/** `process.argv[1]`, or the whole list in a message. */
function isProgramName(use: ListUse): boolean {
  return use.kind === 'item' && use.index < 0
}

/** A flag that is searched for anywhere would also be found among the values of others. */
function searchLimits(searched: readonly FlagRead[]): ValueLimits {
  if (searched.length === 0) return {}
  return { dash: searched.every(read => read.flags.every(flag => flag.startsWith('--'))) ? '--' : '-' }
}

/** Where a loop keeps plain words, as uses of a list of words. */
function sinkUses(script: Script, reading: LoopReading, start: number): readonly ListUse[] {
  const uses: ListUse[] = []
  let index = start
  const seen = new Set<string>()
  for (const word of reading.words) {
    const key = sinkKey(word)
    if (seen.has(key)) continue
    seen.add(key)
    if (word.kind === 'assign')
      uses.push({ kind: 'item', index: index++, nodes: [word.value], at: word.at, ...slotName(word.target) })
    else uses.push(...pushedUses(script, word.list, index, word.at))
  }
  return uses
}

function sinkKey(word: WordSink): string {
  const node = word.kind === 'push' ? word.list : word.target
  return `${word.kind} ${node.source.slice(node.from, node.to)}`
}

function slotName(target: Node): { name?: string } {
  const name =
    memberOf(target)?.name ?? (target.name === 'VariableName' ? target.source.slice(target.from, target.to) : undefined)
  return name === undefined ? {} : { name }
}

function pushedUses(script: Script, list: Node, offset: number, at: Node): readonly ListUse[] {
  const member = memberOf(list)
  const reads =
    member?.name === undefined
      ? (bindingOf(script, list)?.reads ?? [])
      : readsOfProperty(script, member.object, member.name)
  const uses = reads
    .flatMap(read => listUses(script, read, offset))
    .filter(use => !(use.kind === 'method' && use.method === 'push'))
  const name = member?.name ?? bindingOf(script, list)?.name
  // A list that is only kept, never looked into here, still takes all words; one that other commands look into does not.
  return uses.length > 0 || script.scope !== undefined
    ? uses
    : [{ kind: 'iteration', offset, loop: at, at, ...(name === undefined ? {} : { name }) }]
}

/** Words told from flags by their dash alone include the values of options, when no word is required. */
function confusedWords(lists: readonly Node[], flags: readonly FlagRead[], positionals: readonly ScriptParameter[]) {
  const [list] = lists
  const isConfused =
    list !== undefined &&
    flags.some(flag => flag.form === 'separate') &&
    positionals.some(parameter => !parameter.required || parameter.schema['type'] === 'array')
  return isConfused ? [gapAt(list, 'values of options are taken for positional arguments when those are missing')] : []
}
