// The state of one walk through a script, along one path of commands.
import type { InspectionNote } from '../inspection.ts'
import type { Command, IfCommand } from './shell-syntax.ts'
import { createSlot, type Scope, type Slot, UNKNOWN, type Value } from './slot.ts'
import { eachWord } from './words-in.ts'

export type Walk = {
  readonly functions: ReadonlyMap<string, Command>
  readonly ends: (commands: readonly Command[]) => Ending
  readonly lineAt: (offset: number) => number
  scope: Scope
  readonly variables: Map<string, Value>
  readonly positions: Map<number, Slot>
  rest: Slot | undefined
  readonly flags: Slot[]
  stdin: Slot | undefined
  /** Fewest and most arguments that the script accepts. */
  least: number
  most: number | undefined
  /** How deep inside branches the walk is; what happens there need not happen. */
  branch: number
  /** Variables known to be empty in the branch of that depth, and `*` where a check found no argument. */
  readonly empty: { readonly name: string; readonly branch: number }[]
  /** A condition is being read: looking at an argument is not yet using it. */
  asking: boolean
  /** Flags that the script looks for at one place only. */
  readonly fixed: { readonly slot: Slot; readonly index: number }[]
  readonly calls: string[]
  /** The branch that is walked runs whenever there are arguments. */
  guarded: boolean
  /** What variables held before the loop over flags. */
  initials: ReadonlyMap<string, Value>
  /** The loop over flags fails on flags that it does not know. */
  strict: boolean
  /** What the locals of each function that is walked have hidden. */
  readonly frames: Map<string, Value | undefined>[]
  readonly visited: Set<string>
  /** Shared by all walks through one script, so that their number does not count. */
  readonly budget: { steps: number }
  /** Offsets of words with arguments in them that were read. */
  readonly seen: Set<number>
  /** Set by `exit`, `return`, `break`, `continue`: the commands after it are not reached. */
  stopped: 'exit' | 'return' | 'break' | 'continue' | undefined
  /** Command words chosen so far, those still to choose, and where the script stands at a choice not yet made. */
  readonly chosen: ChosenCommand[]
  /** Absent when the script has too many commands to walk each: then words are choices of a value. */
  readonly path: readonly string[] | undefined
  choice: readonly CommandChoice[] | undefined
  /** A loop over flags was read; so many positionals stand before the flags; it honours `--`. */
  loop: boolean
  leading: number
  terminator: boolean
  /** `getopts` has read its options and left them in place. */
  unshifted: boolean
  /** A word that is no flag does the same as one of the flags. */
  aliased: boolean
  /** A `for` loop found flags among the arguments and left the arguments as they were. */
  mixed: boolean
  /** How many redirections and pipes feed what is walked, so that it does not read the script's own stdin. */
  fed: number
  /** The condition of a loop is walked: what is read there are the lines of some data. */
  reading: boolean
  interactive: boolean
  nounset: boolean
  readonly notes: InspectionNote[]
  /** Programs that the script cannot do without, and environment variables. */
  readonly programs: Map<string, number>
  readonly environment: Map<string, number>
  /** Arguments are handed on to something that cannot be read. */
  forwards: { readonly from: number; readonly offset: number } | undefined
  shifts: { sure: number; maybe: number }
  /** The arm that the loop over flags is read for. */
  arm: { readonly index: number; taken: boolean; readonly calls: number } | undefined
}

/** How a list of commands ends. `help`: it only prints and exits. */
export type Ending = 'failure' | 'help' | 'success' | 'open'

/** `loose` when the script goes on with other words too, so that the word may be a value all the same. */
export type ChosenCommand = {
  readonly word: string
  readonly index: number
  readonly offset: number
  readonly loose: boolean
}

export type CommandChoice = { readonly word: string; readonly offset: number }

/** Makes the walk give up reading further: no real script needs as many steps. */
export const MOST_STEPS = 100_000

export function note(walk: Walk, message: string, offset: number): void {
  const line = walk.lineAt(offset)
  if (!walk.notes.some(known => known.message === message && known.line === line)) walk.notes.push({ message, line })
}

/** Counts commands as read that are understood as a whole. */
export function see(walk: Walk, commands: readonly Command[]): void {
  eachWord(commands, word => walk.seen.add(word.offset))
}

export function seeConditions(walk: Walk, command: IfCommand): void {
  for (const { condition } of command.branches) see(walk, condition)
}

/** The slot of the script's argument at `index` (from 0). */
export function positionSlot(walk: Walk, index: number, offset: number): Slot {
  const known = walk.positions.get(index)
  if (known) return known
  const level = walk.chosen.filter(command => command.index < index).length
  const slot = createSlot({ at: 'position', index }, offset, level)
  walk.positions.set(index, slot)
  return slot
}

/** The slot of all arguments from `from` on. */
export function restSlot(walk: Walk, from: number, joined: boolean, offset: number, name?: string): Slot {
  if (walk.rest && onlyPrints(walk.rest, from, joined)) walk.rest = undefined
  walk.rest ??= createSlot({ at: 'rest', from, joined }, offset, walk.chosen.length)
  if (name !== undefined && !walk.rest.names.includes(name)) walk.rest.names.push(name)
  return walk.rest
}

/** `echo "Arguments: $*"` gives way to the code that reads them. */
function onlyPrints({ place, names, derivedNames }: Slot, from: number, joined: boolean): boolean {
  if (place.at !== 'rest' || !place.joined || names.length + derivedNames.length > 0) return false
  return !joined || from > place.from
}

/** No script that is written by hand reads as many one by one. */
const MOST_ARGUMENTS = 60

/** The value of `$n`; `bare` when nothing stands in for a missing one. */
export function argumentAt(walk: Walk, n: number, offset: number, bare = false): Value {
  const { known, rest } = walk.scope
  if (n === 0) return UNKNOWN
  walk.seen.add(offset)
  if (n + (rest ?? 0) > MOST_ARGUMENTS) {
    note(walk, 'Reads more arguments than can be named', offset)
    return UNKNOWN
  }
  const value = known[n - 1]
  if (value) {
    if (value.type === 'slot' && !walk.asking) value.slot.used = true
    return value
  }
  if (rest === undefined) {
    const inArm = walk.arm?.calls === walk.calls.length && !walk.asking
    if (inArm) note(walk, 'Reads more than one value after a flag', offset)
    if (walk.unshifted && walk.calls.length === 0) note(walk, 'Reads arguments that may still be options', offset)
    return UNKNOWN
  }
  const index = rest + n - 1 - known.length
  if (!walk.asking && walk.chosen.some(command => command.loose && command.index === index)) {
    note(walk, 'Uses the word of its command as a value too', offset)
  }
  const slot = positionSlot(walk, index, offset)
  if (!walk.asking) slot.used = true
  if (walk.branch === 0 && !walk.asking) slot.sure = true
  // Under `set -u` the shell itself fails when it is missing.
  if (bare && walk.nounset && walk.branch === 0) slot.required = true
  return { type: 'slot', slot, derived: false }
}

export function shiftScope(walk: Walk, count: number): void {
  const { known, rest } = walk.scope
  const more = Math.max(0, count - known.length)
  walk.scope = { known: known.slice(count), rest: rest === undefined ? undefined : rest + more }
}

/** The first position that no slot has taken. */
export function nextPosition(walk: Walk): number {
  return Math.max(-1, ...walk.positions.keys(), ...walk.chosen.map(command => command.index)) + 1
}

/** The slot is read here, and on every way through the script when no branch leads here. */
export function use(walk: Walk, slot: Slot): void {
  slot.used = true
  if (walk.branch === 0) slot.sure = true
}
