// A flag that the script looks for at one place, without a loop: `if [ "$1" = "--json" ]; then JSON=1; shift; fi`.
import type { Condition } from './condition.ts'
import { evaluateWord } from './evaluate-word.ts'
import { isHelp, nameSwitch } from './flag-arm.ts'
import type { Command, Word } from './shell-syntax.ts'
import { createSlot } from './slot.ts'
import type { Walk } from './walk.ts'
import { walkCommands } from './walk-commands.ts'
import { literalText } from './word-text.ts'

/** Reads such a branch; false when the condition asks for something else. */
export function readLeadingFlag(walk: Walk, condition: Condition, body: readonly Command[]): boolean {
  if (walk.branch > 0 || walk.arm) return false
  const flags = flagsIn(condition)
  if (!flags || flags.some(isHelp)) return false
  const asking = walk.asking
  walk.asking = true
  const value = evaluateWord(walk, wordOf(condition), () => undefined)
  walk.asking = asking
  if (value.type !== 'slot' || value.derived || value.slot.place.at !== 'position' || value.slot.used) return false

  const { index } = value.slot.place
  const slot = createSlot(
    { at: 'flag', flag: { flags: [...flags], takes: 'nothing', repeats: false } },
    value.slot.offset,
    walk.chosen.length,
  )
  const { scope, shifts } = walk
  walk.positions.delete(index)
  walk.scope = {
    known: [
      { type: 'token', slot },
      { type: 'slot', slot, derived: false },
    ],
    rest: undefined,
  }
  walk.shifts = { sure: 0, maybe: 0 }
  walk.arm = { index: -1, taken: false, calls: walk.calls.length }
  walkCommands(walk, body)
  const shifted = walk.shifts.sure
  walk.arm = undefined
  walk.stopped = undefined
  walk.scope = scope
  walk.shifts = shifts
  walk.flags.push(slot)
  if (slot.used && slot.place.at === 'flag') slot.place.flag.takes = 'next'
  else nameSwitch(slot, body)
  if (shifted === 0) walk.fixed.push({ slot, index })
  else if (index > 0 && !walk.chosen.some(command => command.index === index - 1)) walk.leading = index
  if (shifted > 0) walk.loop = true
  return true
}

/** `MODE="$2"` that is only ever compared with `--json` is that flag, at that place. */
export function settleComparedFlags(walk: Walk): void {
  for (const [index, position] of walk.positions) {
    if (position.flagWords.length === 0) continue
    position.refusesDash = true
    if (position.spent || position.worded || position.choices || position.initial !== undefined) continue
    const flags = [...new Set(position.flagWords)]
    const slot = createSlot(
      { at: 'flag', flag: { flags, takes: 'nothing', repeats: false } },
      position.offset,
      position.level,
    )
    slot.names.push(...position.names)
    walk.positions.delete(index)
    walk.flags.push(slot)
    walk.fixed.push({ slot, index })
  }
}

function flagsIn(condition: Condition): readonly string[] | undefined {
  if (condition.type === 'or') {
    const parts = condition.parts.map(flagsIn)
    return parts.every(part => part !== undefined) ? parts.flat() : undefined
  }
  const text = condition.type === 'equal' ? literalText(condition.pattern) : undefined
  return text !== undefined && /^-{1,2}[A-Za-z][\w-]*$/.test(text) ? [text] : undefined
}

function wordOf(condition: Condition): Word | undefined {
  if (condition.type === 'or') return condition.parts[0] ? wordOf(condition.parts[0]) : undefined
  return condition.type === 'equal' ? condition.word : undefined
}
