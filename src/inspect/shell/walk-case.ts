// `case` outside of loops over flags: sub-commands, or the choices of a value.

import { demandCount } from './apply-condition.ts'
import { onlyComplains } from './endings.ts'
import { evaluateWord } from './evaluate-word.ts'
import { isHelp } from './flag-arm.ts'
import { patternText } from './flag-loop.ts'
import type { CaseArm, CaseCommand, Command } from './shell-syntax.ts'
import type { Slot, Value } from './slot.ts'
import { note, type Walk } from './walk.ts'
import { walkBranch } from './walk-branches.ts'
import { walkCommands } from './walk-commands.ts'
import { literalText, soleExpansion } from './word-text.ts'
import { readsArguments, someWord } from './words-in.ts'

type Case = CaseCommand & { readonly offset: number }

/** Names that an argument has when it is a command. */
const COMMAND_NAME = /^(?:cmd|command|action|subcommand|sub_?cmd|sub_?command|verb|op|operation|task)$/i
/** More commands than any script has; it also bounds the time. */
const MOST_COMMANDS = 80

export function dispatches(walk: Walk, command: Case): boolean {
  const subject = subjectOf(walk, command)
  return subject.type === 'slot' && !subject.derived && isDispatch(walk, subject.slot, command)
}

function subjectOf(walk: Walk, command: Case): Value {
  const asking = walk.asking
  walk.asking = true
  const subject = evaluateWord(walk, command.subject, commands => walkCommands(walk, commands))
  walk.asking = asking
  return subject
}

export function walkCase(walk: Walk, command: Case): void {
  if (soleExpansion(command.subject)?.name === '#') readCounts(walk, command)
  const subject = subjectOf(walk, command)
  if (walk.arm && (subject.type === 'token' || subject.type === 'stray') && !walk.arm.taken) {
    walk.arm.taken = true
    walkCommands(walk, command.arms[walk.arm.index]?.body ?? [])
    return
  }
  const slot = subject.type === 'slot' && !subject.derived ? subject.slot : undefined
  if (slot && isDispatch(walk, slot, command)) {
    chooseCommand(walk, slot, command)
    return
  }
  if (slot) readChoices(walk, slot, command)
  for (const arm of command.arms) {
    const ending = walk.ends(arm.body)
    if (ending !== 'failure' && ending !== 'help') walkBranch(walk, arm.body)
  }
}

/** Words of the arms that do something, each with its arm. */
function wordsOf(walk: Walk, command: Case): readonly { word: string; arm: CaseArm }[] {
  return command.arms.flatMap(arm => {
    const words = arm.patterns.map(patternText).filter(word => /^-{0,2}[A-Za-z0-9][\w.:+/-]*$/.test(word))
    const [word] = words
    if (word === undefined || words.some(isHelp) || words.includes('help') || words.includes('version')) return []
    return isFailing(walk, arm) ? [] : [{ word, arm }]
  })
}

function isDispatch(walk: Walk, slot: Slot, command: Case): boolean {
  if (!walk.path || slot.place.at !== 'position' || walk.branch > 0 || walk.arm) return false
  const next = Math.max(-1, ...walk.chosen.map(chosen => chosen.index)) + 1
  if (slot.place.index !== next || slot.choices) return false
  const words = wordsOf(walk, command)
  if (words.length === 0 || words.length > MOST_COMMANDS) return false
  if (
    command.arms.some(arm =>
      arm.patterns.some(pattern => /[*?[]/.test(patternText(pattern)) && patternText(pattern) !== '*'),
    )
  )
    return false
  const fallback = command.arms.find(arm => arm.patterns.some(pattern => patternText(pattern) === '*'))
  const falls = fallback && fallback.body.length > 0 ? walk.ends(fallback.body) : 'failure'
  if ((falls === 'open' || falls === 'success') && !onlyComplains(fallback?.body ?? [])) return false
  if (words.some(({ word }) => word.startsWith('-')))
    return fallback !== undefined && slot.names.length === 0 && words.length > 1
  const named = slot.names.length === 0 || slot.names.some(name => COMMAND_NAME.test(name))
  if (words.every(({ arm }) => arm.body.every(isAssignment))) return false
  return named ? words.length > 1 || falls !== 'open' : words.some(({ arm }) => takesArguments(arm.body))
}

/** Takes the arm of the path, or stops and tells which there are. */
function chooseCommand(walk: Walk, slot: Slot, command: Case): void {
  const words = wordsOf(walk, command)
  const wanted = walk.path?.[walk.chosen.length]
  const found = words.find(({ word }) => word === wanted)
  if (!found) {
    walk.choice = words.map(({ word, arm }) => ({ word, offset: arm.offset }))
    return
  }
  walk.chosen.push({
    word: found.word,
    index: slot.place.at === 'position' ? slot.place.index : 0,
    offset: found.arm.offset,
    loose: !command.arms.some(arm => arm.patterns.some(pattern => patternText(pattern) === '*')),
  })
  walkCommands(walk, found.arm.body)
}

/** `case $# in 1) … 2) … *) usage; exit 1`: so many arguments, and no others. */
function readCounts(walk: Walk, command: Case): void {
  const arms = command.arms.filter(arm => !isFailing(walk, arm))
  const counts = arms.flatMap(arm => arm.patterns.map(pattern => Number(patternText(pattern))))
  const fallback = command.arms.some(
    arm => isFailing(walk, arm) && arm.patterns.some(pattern => patternText(pattern) === '*'),
  )
  if (!fallback || counts.length === 0 || counts.some(Number.isNaN)) return
  demandCount(walk, '-ge', Math.min(...counts))
  demandCount(walk, '-le', Math.max(...counts))
}

/** Words that a failing `*)` leaves as the only ones. */
function readChoices(walk: Walk, slot: Slot, command: Case): void {
  const patterns = command.arms.flatMap(arm => (isFailing(walk, arm) ? [] : arm.patterns.map(patternText)))
  const fallback = command.arms.find(arm => arm.patterns.some(pattern => patternText(pattern) === '*'))
  const words = patterns.filter(pattern => pattern !== '')
  if (fallback && isFailing(walk, fallback) && words.every(word => /^[\w.:+/-]+$/.test(word)) && words.length > 0) {
    if (walk.branch === 0) slot.choices ??= [...new Set(words)]
  } else if (words.some(word => /[A-Za-z]/.test(word))) slot.worded = true
  const all = command.arms.flatMap(arm => arm.patterns.map(patternText))
  if (words.some(word => /^--?[A-Za-z]/.test(word) && !isHelp(word)) && slot.place.at === 'position' && !walk.arm) {
    note(walk, 'Looks for a flag at one place only', command.offset)
  }
  const fails = fallback && walk.ends(fallback.body) === 'failure' && !words.some(word => /^\**$/.test(word))
  if (fails && patterns.length === words.length && walk.branch === 0 && !walk.arm && slot.initial === undefined)
    slot.required = true
  if (all.some(word => /^-+(?:[A-Za-z*?]|$)/.test(word))) slot.refusesDash = true
}

function isFailing(walk: Walk, arm: CaseArm): boolean {
  const ending = walk.ends(arm.body)
  return ending === 'failure' || ending === 'help' || onlyComplains(arm.body)
}

function isAssignment(command: Command): boolean {
  return command.type === 'simple' && command.words.length === 0
}

function takesArguments(body: readonly Command[]): boolean {
  return someWord(body, word => readsArguments(word) || literalText(word) === 'shift')
}
