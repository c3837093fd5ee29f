// One arm of a loop over flags: does it take a value, and where from?
import type { ArmKind, FlagLoop } from './flag-loop.ts'
import type { Command } from './shell-syntax.ts'
import { createSlot, type Slot, type Value } from './slot.ts'
import { type Ending, note, type Walk } from './walk.ts'
import { walkCommands } from './walk-commands.ts'

/** Walks the loop's body as it runs for this arm; gives how it left the body. */
export function readFlagArm(walk: Walk, loop: FlagLoop, index: number, kind: ArmKind, ending: Ending): Walk['stopped'] {
  if (kind.type !== 'flags') {
    const stray: Value = { type: 'stray' }
    return walkArm(walk, loop, index, stray, [stray, stray, stray]).stopped
  }
  const names = kind.flags.map(flag => flag.name)
  if (names.some(isHelp) || (ending === 'help' && names.some(isAbout))) return undefined

  const known = walk.flags.find(
    slot => slot.place.at === 'flag' && slot.place.flag.flags.some(flag => names.includes(flag)),
  )
  const before = known?.place.at === 'flag' ? known.place.flag.takes : 'nothing'
  const slot =
    known ??
    createSlot(
      { at: 'flag', flag: { flags: [], takes: 'nothing', repeats: false } },
      loop.body[0]?.offset ?? loop.offset,
      walk.chosen.length,
    )
  if (slot.place.at !== 'flag') return undefined
  const { flag } = slot.place
  for (const name of names) if (!flag.flags.includes(name)) flag.flags.push(name)
  if (!known) walk.flags.push(slot)

  const used = slot.used
  slot.used = false
  const result = walkArm(walk, loop, index, { type: 'token', slot }, [{ type: 'slot', slot, derived: false }])
  slot.offset = known ? slot.offset : result.offset
  if (slot.used && loop.type !== 'for') flag.takes = 'next'
  if (flag.takes === 'nothing') nameSwitch(slot, armBody(loop, index))
  settle(walk, slot, flag.takes, result, ending, loop)
  if (before === 'next') flag.takes = 'next'
  slot.used ||= used
  return result.stopped
}

type ArmResult = { readonly stopped: Walk['stopped']; readonly shifts: number; readonly offset: number }

function walkArm(walk: Walk, loop: FlagLoop, index: number, first: Value, second: readonly Value[]): ArmResult {
  const { scope, branch, shifts } = walk
  const saved = loop.type === 'for' ? walk.variables.get(loop.variable) : undefined
  if (loop.type === 'for') walk.variables.set(loop.variable, first)
  walk.scope = { known: loop.type === 'for' ? [] : [first, ...second], rest: undefined }
  walk.branch = 0
  walk.shifts = { sure: 0, maybe: 0 }
  walk.arm = { index, taken: false, calls: walk.calls.length }
  walkCommands(walk, loop.body)
  const result = { stopped: walk.stopped, shifts: walk.shifts.sure + walk.shifts.maybe, offset: armOffset(loop, index) }
  walk.stopped = undefined
  walk.arm = undefined
  walk.scope = scope
  walk.branch = branch
  walk.shifts = shifts
  if (saved && loop.type === 'for') walk.variables.set(loop.variable, saved)
  return result
}

/** A flag shifts itself and its value, or the loop would read the value as the next flag. */
function settle(walk: Walk, slot: Slot, takes: string, result: ArmResult, ending: Ending, loop: FlagLoop): void {
  if (slot.place.at !== 'flag') return
  const [name] = slot.place.flag.flags
  if (loop.type === 'for') {
    if (result.shifts > 0) note(walk, `Reads the value of ${name} in a way that cannot be followed`, result.offset)
    return
  }
  const expected = takes === 'next' ? 2 : 1
  const leaves = result.stopped === 'break' || result.stopped === 'exit' || ending !== 'open'
  if (result.shifts !== expected && !leaves) note(walk, `Moves on by ${result.shifts} after ${name}`, result.offset)
}

function armBody(loop: FlagLoop, index: number): readonly Command[] {
  for (const command of loop.body) if (command.type === 'case') return command.arms[index]?.body ?? []
  return []
}

function armOffset(loop: FlagLoop, index: number): number {
  for (const command of loop.body) if (command.type === 'case') return command.arms[index]?.offset ?? command.offset
  return loop.offset
}

/** Flags that every script may have and no tool needs. */
export function isHelp(flag: string): boolean {
  return /^(?:-h|--help|-\?|--usage|-help)$/.test(flag)
}

/** Flags that print something about the script, when all that they do is to print. */
function isAbout(flag: string): boolean {
  return /^(?:-v|-V|--version|--list-options)$/.test(flag)
}

/** A letter says little: the variable that the commands set says more. */
export function nameSwitch(slot: Slot, body: readonly Command[]): void {
  for (const command of body) {
    if (command.type === 'simple') slot.names.push(...command.assignments.map(assignment => assignment.name))
  }
}
