// The state of one reading: the script is walked as Python would run it, on what is known of its values.
import type { Doubt, ParserModel } from './argparse-model.ts'
import type { Launch } from './cli-model.ts'
import type { Scope } from './scope.ts'
import { UNKNOWN, type Value } from './values.ts'

export type Machine = {
  /** 0 is the path that is surely taken; every branch on an unknown condition gets its own number. */
  branch: number
  branches: number
  steps: number
  depth: number
  /** Where the current function may spend its last step. */
  limit: number
  /** Where the script called into another file. */
  site: number | undefined
  /** How often a loop may have been left early, or a round of it cut short. */
  leaps: number
  /** True in a function that itself asks for the arguments. */
  asking: boolean
  readonly parses: ParseEvent[]
  readonly launches: Launch[]
  /** What may change any parser. */
  readonly doubts: Doubt[]
  /** Text of a file of the skill. */
  readonly sibling: (path: string) => string | undefined
  readonly modules: Map<string, Scope | undefined>
}

/** A parser was asked for its arguments. */
export type ParseEvent = {
  readonly parser: ParserModel
  readonly way: 'all' | 'known' | 'intermixed'
  readonly certain: boolean
  /** Argv that is not the script's own, as in `parse_args(["--x"])`. */
  readonly argv: 'own' | 'other'
  readonly at: number
}

const MOST_STEPS = 30_000
/** Enough for helpers that compute a constant; the rest of a script does not matter here. */
export const SIDE_STEPS = 3_000
const DEEPEST = 40

// Thrown to unwind; made once, for a stack trace each time would cost more than the walk.
export const RAISED = new Error('the script raises or exits here')
export const FINISHED = new Error('the arguments are read')
export const EXHAUSTED = new Error('the walk was too long')

export function createMachine(sibling: Machine['sibling']): Machine {
  return {
    branch: 0,
    branches: 0,
    steps: 0,
    depth: 0,
    site: undefined,
    leaps: 0,
    asking: false,
    limit: MOST_STEPS,
    parses: [],
    launches: [],
    doubts: [],
    sibling,
    modules: new Map(),
  }
}

/** From here on it is not sure that the script comes by. */
export function leaveSurePath(machine: Machine): void {
  machine.branch = ++machine.branches
}

/** Counts one step; throws `EXHAUSTED` past the limit. */
export function step(machine: Machine): void {
  if (++machine.steps > machine.limit) throw EXHAUSTED
}

const MOST_ITEMS = 70_000
export const LONGEST_TEXT = 200_000

/** Counts what it costs to build a value, and forgets one that is too big: a list that doubles fills any memory. */
export function charge(value: Value, machine: Machine): Value {
  const size = value.kind === 'str' ? value.value.length / 4 : 'items' in value ? value.items.length : 0
  if (size > MOST_ITEMS) return UNKNOWN
  machine.steps += size >> 5
  return value
}

/** Runs a function one level deeper; undefined when that is too deep. */
export function deeper<T>(machine: Machine, run: () => T): T | undefined {
  if (machine.depth >= DEEPEST) return undefined
  machine.depth++
  try {
    return run()
  } finally {
    machine.depth--
  }
}

/** Arguments of a call as values. `open` when a spread could not be read. */
export type Arguments = {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  readonly open: boolean
}
