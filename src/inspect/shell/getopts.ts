// `while getopts "ab:c:" opt; do case $opt in …`.

import { evaluateWord } from './evaluate-word.ts'
import { isHelp, nameSwitch } from './flag-arm.ts'
import { patternText } from './flag-loop.ts'
import type { CaseArm, LoopCommand } from './shell-syntax.ts'
import { createSlot, type Slot } from './slot.ts'
import { note, type Walk } from './walk.ts'
import { walkCommands } from './walk-commands.ts'
import { literalText } from './word-text.ts'

type Loop = LoopCommand & { readonly offset: number }

export function isGetopts(loop: LoopCommand): boolean {
  const [command] = loop.condition
  return command?.type === 'simple' && literalText(command.words[0]) === 'getopts'
}

export function readGetopts(walk: Walk, loop: Loop): void {
  const [command] = loop.condition
  if (command?.type !== 'simple') return
  const letters = evaluateWord(walk, command.words[1], () => undefined)
  if (letters.type !== 'text') {
    note(walk, 'Builds its list of options while it runs', loop.offset)
    return
  }
  for (const [index, slot] of walk.positions) if (!slot.used) walk.positions.delete(index)
  if (walk.branch > 0 && !walk.guarded) note(walk, 'Reads flags in one case only', loop.offset)
  walk.loop = true
  walk.initials = new Map(walk.variables)
  walk.terminator = true
  walk.least = 0
  const arms = loop.body.flatMap(part => (part.type === 'case' ? part.arms : []))
  if (arms.length === 0) note(walk, 'Handles its options in a way that cannot be followed', loop.offset)
  for (const [, letter = '', value] of letters.text.matchAll(/([^:])(:?)/g))
    readLetter(walk, loop, arms, letter, value === ':')
  // Until `shift $((OPTIND - 1))`, `$1` is still the first option.
  walk.scope = { known: [], rest: undefined }
  walk.unshifted = true
}

function readLetter(walk: Walk, loop: Loop, arms: readonly CaseArm[], letter: string, takesValue: boolean): void {
  if (letter === '-') {
    note(walk, 'Reads long options through getopts', loop.offset)
    return
  }
  const arm = arms.find(candidate => candidate.patterns.some(pattern => patternText(pattern) === letter))
  const ending = arm ? walk.ends(arm.body) : 'open'
  if ((letter === 'h' && !takesValue) || isHelp(`-${letter}`) || ending === 'help') return
  const slot = createSlot(
    { at: 'flag', flag: { flags: [`-${letter}`], takes: takesValue ? 'next' : 'nothing', repeats: false } },
    arm?.offset ?? loop.offset,
    walk.chosen.length,
  )
  walk.flags.push(slot)
  if (arm) walkLetter(walk, slot, arm, takesValue)
}

function walkLetter(walk: Walk, slot: Slot, arm: CaseArm, takesValue: boolean): void {
  const { scope, branch } = walk
  walk.variables.set('OPTARG', takesValue ? { type: 'slot', slot, derived: false } : { type: 'unknown' })
  walk.scope = { known: [{ type: 'token', slot }], rest: undefined }
  walk.branch = 0
  walk.arm = { index: -1, taken: false, calls: walk.calls.length }
  walkCommands(walk, arm.body)
  walk.arm = undefined
  walk.stopped = undefined
  walk.scope = scope
  walk.branch = branch
  if (!takesValue) nameSwitch(slot, arm.body)
}
