// What one walk has found, put together as one command.
import type { CommandLine, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { withUniqueNames } from '../unique-names.ts'
import type { UsageReading } from '../usage.ts'
import { settleComparedFlags } from './leading-flag.ts'
import { createSlot, type Slot } from './slot.ts'
import { flagParameter, isText, positionalParameter } from './slot-parameter.ts'
import { flagsOf, type UsageView, usageFor } from './usage-view.ts'
import type { Walk } from './walk.ts'

export type BuiltCommand = {
  readonly command: InspectedCommand
  /** Why the command is not the whole interface; none when it is. */
  readonly gaps: readonly InspectionNote[]
}

/**
 * Parameters stand in the order in which they have to stand on the command line: what is read before the loop over
 * flags, the flags, what is read behind it.
 */
export function buildCommand(walk: Walk, usages: readonly UsageReading[]): BuiltCommand {
  settleComparedFlags(walk)
  const command = walk.chosen.map(({ word }) => word)
  const usage = usageFor(usages, command)
  const positionals = positionalsOf(walk, usage)
  const flags = walk.flags.flatMap(slot => flagOf(walk, slot, usage))
  const leading = walk.mixed ? positionals.length : positionals.filter(({ index }) => index < walk.leading).length
  const ordered = positionals.map(({ parameter }) => parameter)
  const fixed = walk.fixed.map(({ slot }) => walk.flags.indexOf(slot))
  const parameters = withUniqueNames([
    ...ordered.slice(0, leading),
    ...flags.filter((_, index) => !fixed.includes(index)),
    ...ordered.slice(leading),
    ...flags.filter((_, index) => fixed.includes(index)),
    ...(walk.stdin ? [stdinOf(walk, walk.stdin)] : []),
  ])
  const gaps = [...walk.notes, ...gapsOf(walk, positionals, flags, usage, leading)]
  const line = walk.lineAt(walk.chosen.at(-1)?.offset ?? 0)
  const convention: CommandLine = {
    type: 'command-line',
    command,
    parameters,
    exclusive: [],
    dashes: dashesOf(walk, positionals, leading),
    open: gaps.length > 0,
  }
  return {
    command: { convention, line, ...(usage.description === undefined ? {} : { description: usage.description }) },
    gaps,
  }
}

/** What usage texts write for "whatever the command takes". */
const GENERIC = /^(?:args?|arguments?|options?|opts|flags?|params?|command_args|command_options|subcommand)$/

type Positional = { readonly index: number; readonly slot: Slot; readonly parameter: ScriptParameter }

function positionalsOf(walk: Walk, usage: UsageView): readonly Positional[] {
  const chosen = new Set(walk.chosen.map(({ index }) => index))
  const rest = restOf(walk)
  const end = Math.max(-1, ...walk.positions.keys(), rest ? rest.from - 1 : -1, walk.least - 1) + 1
  const most = Math.min(rest ? rest.from : end, walk.most ?? end)
  const slots: { index: number; slot: Slot }[] = []
  for (let index = 0; index < most; index++) {
    if (chosen.has(index)) continue
    slots.push({ index, slot: walk.positions.get(index) ?? createSlot({ at: 'position', index }, 0, 0) })
  }
  if (rest) slots.push({ index: rest.from, slot: rest.slot })

  const told = slots.map((_, at) => usage.positionals?.[at])
  const needed = slots.map(({ index, slot }, at) => isRequired(walk, slot, index, told[at]))
  const last = needed.lastIndexOf(true)
  return slots.map(({ index, slot }, at) => ({
    index,
    slot,
    parameter: positionalParameter(slot, slot.place.at === 'rest' ? 'arguments' : `arg_${at + 1}`, {
      told: told[at],
      // A later one can only be reached past the earlier ones.
      required: at <= last,
      level: walk.chosen.filter(word => word.index < index).length,
      line: walk.lineAt(slot.offset),
    }),
  }))
}

/** The list behind the positionals; what only prints all arguments is none beside others that are read one by one. */
function restOf(walk: Walk): { slot: Slot; from: number } | undefined {
  const slot = walk.rest
  if (slot?.place.at !== 'rest') return undefined
  const { from } = slot.place
  const single = [...walk.positions].filter(([index]) => index >= from)
  const read = single.filter(([, other]) => other.used)
  if (slot.names.length === 0 && (read.length > 0 || walk.forwards)) return undefined
  for (const [, other] of single) if (other.required) slot.required = true
  return { slot, from: Math.max(from, ...read.map(([index]) => index + 1)) }
}

function isRequired(walk: Walk, slot: Slot, index: number, told: ScriptParameter | undefined): boolean {
  if (slot.required === true || index < walk.least) return true
  if (slot.required === false) return false
  // The script has counted its arguments, and this one was not among those it needs.
  if (slot.place.at === 'position' && walk.least > walk.chosen.length) return told?.required ?? false
  if (slot.place.at === 'rest' && !isText(slot)) return told?.required === true && told.schema.type === 'array'
  return told ? told.required : slot.sure
}

function flagOf(walk: Walk, slot: Slot, usage: UsageView): readonly ScriptParameter[] {
  if (slot.place.at !== 'flag') return []
  const { flag } = slot.place
  const told = usage.options.find(option => flagsOf(option).some(name => flag.flags.includes(name)))
  const required = flag.takes !== 'nothing' && slot.required === true && slot.initial === undefined
  return [flagParameter(slot, flag, { told, required, level: slot.level, line: walk.lineAt(slot.offset) })]
}

function stdinOf(walk: Walk, slot: Slot): ScriptParameter {
  return positionalParameter(slot, 'stdin', {
    told: undefined,
    required: slot.required === true,
    level: walk.chosen.length,
    line: walk.lineAt(slot.offset),
  })
}

/** A positional behind flags that begins with `-` would be taken for one, unless `--` ends them. */
function dashesOf(walk: Walk, positionals: readonly Positional[], leading: number): CommandLine['dashes'] {
  if (positionals.some(({ slot }) => slot.refusesDash)) return walk.terminator ? 'terminator' : 'refuse'
  if (walk.flags.length === 0 && !walk.loop) return 'pass'
  // The loop over flags has ended at the word of the command.
  if (walk.chosen.length > 0 && walk.flags.every(slot => slot.level < walk.chosen.length)) return 'pass'
  if (walk.terminator) return 'terminator'
  return positionals.length > leading || walk.mixed || walk.fixed.length > 0 ? 'refuse' : 'pass'
}

function gapsOf(
  walk: Walk,
  positionals: readonly Positional[],
  flags: readonly ScriptParameter[],
  usage: UsageView,
  leading: number,
): readonly InspectionNote[] {
  const gaps: InspectionNote[] = []
  const add = (message: string, line: number) => gaps.push({ message, line })
  if (walk.forwards) add('Hands its arguments on to another program', walk.lineAt(walk.forwards.offset))
  const before = positionals.slice(0, leading).find(({ parameter }) => !parameter.required)
  if (before && flags.length > 0)
    add(`Reads ${before.parameter.name} before its flags, and does without it`, before.parameter.line)
  if (walk.mixed && walk.rest && flags.length > 0)
    add('Reads flags and other words from the same arguments', walk.lineAt(walk.rest.offset))
  for (const { slot, index } of walk.fixed) {
    const misplaced = positionals.some(({ parameter, index: other }) => other >= index || !parameter.required)
    if (misplaced || walk.fixed.length > 1 || walk.loop)
      add('Looks for a flag at one place only', walk.lineAt(slot.offset))
  }
  for (const { index, slot } of positionals) {
    if (slot.place.at === 'position' && !walk.positions.has(index) && !walk.forwards)
      add(`Counts an argument that it does not read ($${index + 1})`, 1)
  }
  const list = positionals.find(({ slot }) => slot.place.at === 'rest')
  if (list?.slot.place.at === 'rest' && list.index > list.slot.place.from)
    add('Reads an argument by itself and again among all', list.parameter.line)
  const known = new Set(flags.flatMap(flagsOf))
  for (const option of usage.options) {
    if (flagsOf(option).some(flag => known.has(flag)) || walk.chosen.length > 0) continue
    add(`The usage text tells of ${flagsOf(option)[0]}, which the script does not read`, option.line)
  }
  const extra = usage.positionals?.[positionals.length]
  const explained = walk.rest || walk.forwards || walk.aliased || flags.some(({ name }) => name === extra?.name)
  if (extra && usage.own && !explained && !GENERIC.test(extra.name))
    add(`The usage text tells of ${extra.name}, which the script does not read`, extra.line)
  return gaps
}
