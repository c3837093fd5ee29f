// What a condition tells about the arguments: when the script goes on only if it holds, and when it merely asks.
import type { Comparison, Condition } from './condition.ts'
import { demandEnvironment, evaluateWord, useAsNumbers } from './evaluate-word.ts'
import { isHelp } from './flag-arm.ts'
import type { Word } from './shell-syntax.ts'
import type { Slot, Value } from './slot.ts'
import { isForeignProgram } from './standard-programs.ts'
import { note, type Walk } from './walk.ts'
import { walkCommand, walkCommands } from './walk-commands.ts'
import { literalText, soleExpansion } from './word-text.ts'

/** The script fails unless the condition holds. */
export function demand(walk: Walk, condition: Condition): void {
  switch (condition.type) {
    case 'and':
      for (const part of condition.parts) demand(walk, part)
      return
    case 'or':
      demandOneOf(walk, condition.parts)
      return
    case 'count':
      demandCount(walk, condition.operator, condition.number)
      return
    case 'filled': {
      const sole = soleExpansion(condition.word)
      demandFilled(walk, askedValue(walk, condition.word))
      if (sole) demandEnvironment(walk, sole, condition.word.offset)
      return
    }
    case 'unequal':
      ask(walk, condition)
      return
    case 'match':
      demandMatch(walk, condition.word, literalText(condition.expression) ?? '')
      return
    case 'compare':
      demandRange(walk, condition.left, condition.operator, condition.right)
      return
    case 'program':
      demandPrograms(walk, condition.name)
      return
    default:
      ask(walk, condition)
  }
}

/** The script looks at the condition and goes on either way. */
export function ask(walk: Walk, condition: Condition): void {
  switch (condition.type) {
    case 'and':
    case 'or':
      for (const part of condition.parts) ask(walk, part)
      return
    case 'empty':
    case 'filled': {
      const slot = slotOf(askedValue(walk, condition.word))
      if (slot) slot.required ??= false
      return
    }
    case 'equal':
    case 'unequal': {
      const value = askedValue(walk, condition.word)
      const pattern = literalText(condition.pattern)
      askedValue(walk, condition.pattern)
      if (value.type === 'arguments') note(walk, 'Looks for a word among all its arguments', condition.word.offset)
      if (value.type !== 'slot' || pattern === undefined) return
      if (/^--?[A-Za-z][\w-]*$/.test(pattern) && !isHelp(pattern)) value.slot.flagWords.push(pattern)
      else if (/^-+(?:[A-Za-z*?]|$)/.test(pattern)) value.slot.refusesDash = true
      else if (!/^-?\d+$/.test(pattern)) value.slot.worded = true
      return
    }
    case 'match':
    case 'mismatch': {
      const value = askedValue(walk, condition.word)
      if (value.type === 'arguments') note(walk, 'Looks for a word among all its arguments', condition.word.offset)
      if (value.type === 'slot' && /^\^-/.test(literalText(condition.expression) ?? '')) value.slot.refusesDash = true
      return
    }
    case 'compare':
      for (const word of [condition.left, condition.right]) {
        const slot = exactSlot(askedValue(walk, word))
        if (slot) slot.numeric = true
      }
      return
    case 'other':
      for (const word of condition.words) askedValue(walk, word)
      if (condition.command?.type === 'arithmetic') useAsNumbers(walk, condition.command.text, condition.command.offset)
      else if (condition.command) walkCommand(walk, condition.command)
      return
    case 'count':
    case 'program':
    case 'no-program':
      return
  }
}

/** Variables that are empty where the condition holds. */
export function emptyWhere(condition: Condition): readonly string[] {
  if (condition.type === 'and') return condition.parts.flatMap(emptyWhere)
  if (condition.type === 'count') return /-lt|-eq|-le/.test(condition.operator) ? ['*'] : []
  if (condition.type !== 'empty') return []
  return condition.word.parts.flatMap(part => (part.type === 'expansion' ? [part.name] : []))
}

function demandPrograms(walk: Walk, name: Word): void {
  const value = askedValue(walk, name)
  const names = value.type === 'words' ? value.texts : value.type === 'text' ? [value.text] : []
  for (const program of names) {
    if (isForeignProgram(program) && !walk.programs.has(program)) walk.programs.set(program, name.offset)
  }
}

function demandFilled(walk: Walk, value: Value): void {
  if (walk.branch > 0 || walk.arm) return
  const slot = slotOf(value)
  if (!slot) return
  if (slot.initial === undefined) slot.required = true
}

/** `$#` counts what is left after `shift`. */
export function demandCount(walk: Walk, operator: Comparison, number: number): void {
  const { known, rest } = walk.scope
  if (rest === undefined || walk.branch > 0) return
  const before = rest - known.length
  const least = {
    '-ge': number,
    '-gt': number + 1,
    '-eq': number,
    '-ne': number === 0 ? 1 : undefined,
    '-lt': undefined,
    '-le': undefined,
  }[operator]
  const most = {
    '-le': number,
    '-lt': number - 1,
    '-eq': number,
    '-ge': undefined,
    '-gt': undefined,
    '-ne': undefined,
  }[operator]
  if (least !== undefined) walk.least = Math.max(walk.least, before + least)
  if (most !== undefined) walk.most = Math.min(walk.most ?? Number.POSITIVE_INFINITY, before + most)
}

/** One value that must equal one of several words is a choice. */
function demandOneOf(walk: Walk, parts: readonly Condition[]): void {
  const slots = new Set<Slot | undefined>()
  const words: string[] = []
  for (const part of parts.flatMap(flattened)) {
    const word = part.type === 'equal' ? literalText(part.pattern) : undefined
    if (part.type !== 'equal' || word === undefined || /[*?[]/.test(word)) {
      for (const each of parts) ask(walk, each)
      return
    }
    slots.add(exactSlot(askedValue(walk, part.word)))
    words.push(word)
  }
  const [slot] = slots
  if (slots.size === 1 && slot && words.length > 1) slot.choices ??= words
}

function flattened(condition: Condition): readonly Condition[] {
  return condition.type === 'or' ? condition.parts.flatMap(flattened) : [condition]
}

function demandMatch(walk: Walk, word: Word, expression: string): void {
  const slot = exactSlot(askedValue(walk, word))
  if (!slot) return
  if (/^\^-?\??\[0-9\]\+\$$|^\^-?\??\[\[:digit:\]\]\+\$$|^\^-?\??\\d\+\$$|^\^\[1-9\]\[0-9\]\*\$$/.test(expression)) {
    slot.numeric = true
    if (!expression.startsWith('^-')) slot.minimum ??= expression.startsWith('^[1-9]') ? 1 : 0
    return
  }
  const choices = /^\^\(([\w.|-]+)\)\$$/.exec(expression)?.[1]
  if (choices) slot.choices ??= choices.split('|')
}

function demandRange(walk: Walk, left: Word, operator: Comparison, right: Word): void {
  const length = soleExpansion(left)
  const list = length?.prefix === '#' ? walk.variables.get(length.name) : undefined
  if (list?.type === 'arguments' && /^\d+$/.test(literalText(right) ?? '')) {
    const scope = walk.scope
    walk.scope = { known: [], rest: list.from }
    demandCount(walk, operator, Number(literalText(right)))
    walk.scope = scope
    return
  }
  const slot = exactSlot(askedValue(walk, left))
  exactSlot(askedValue(walk, right))
  const limit = literalText(right)
  if (!slot) return
  slot.numeric = true
  if (limit === undefined || !/^-?\d+$/.test(limit)) return
  if (operator === '-ge') slot.minimum = Number(limit)
  if (operator === '-gt') slot.minimum = Number(limit) + 1
  if (operator === '-le') slot.maximum = Number(limit)
  if (operator === '-lt') slot.maximum = Number(limit) - 1
}

function askedValue(walk: Walk, word: Word): Value {
  const before = walk.asking
  walk.asking = true
  const value = evaluateWord(walk, word, commands => walkCommands(walk, commands))
  walk.asking = before
  return value
}

function slotOf(value: Value): Slot | undefined {
  return value.type === 'slot' ? value.slot : undefined
}

function exactSlot(value: Value): Slot | undefined {
  return value.type === 'slot' && !value.derived ? value.slot : undefined
}
