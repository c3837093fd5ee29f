// What a word holds when the script runs, and what reading it tells about the arguments in it.
import type { Command, Expansion, Word } from './shell-syntax.ts'
import { type Slot, UNKNOWN, type Value } from './slot.ts'
import { argumentAt, nextPosition, note, restSlot, type Walk } from './walk.ts'
import { literalText, soleExpansion } from './word-text.ts'

/** Evaluates a word; `walkCommands` reads the commands of its substitutions. */
export function evaluateWord(
  walk: Walk,
  word: Word | undefined,
  walkCommands: (commands: readonly Command[]) => void,
): Value {
  if (!word) return { type: 'text', text: '' }
  const literal = literalText(word)
  if (literal !== undefined) return { type: 'text', text: literal }
  const sole = soleExpansion(word)
  if (sole) return evaluateExpansion(walk, sole, word.offset, walkCommands)
  const values: Value[] = []
  for (const part of word.parts) {
    if (part.type === 'expansion') values.push(evaluateExpansion(walk, part, word.offset, walkCommands))
    else if (part.type === 'arithmetic') useAsNumbers(walk, part.text, word.offset)
    else if (part.type === 'command') {
      walkCommands(part.commands)
      values.push(readBy(walk, part.commands, walkCommands))
    }
  }
  return combined(values, word, walk)
}

/** Every variable and argument in an arithmetic text is a number. */
export function useAsNumbers(walk: Walk, text: string, offset: number): void {
  for (const [, positional, name = ''] of text.matchAll(/\$\{?(\d)\b|(?<![\w$])\$?\{?([A-Za-z_]\w*)/g)) {
    const value = positional ? argumentAt(walk, Number(positional), offset) : walk.variables.get(name)
    if (value?.type === 'slot' && !value.derived) value.slot.numeric = true
  }
  if (/\$[@*]/.test(text)) note(walk, 'Calculates with all arguments at once', offset)
}

function evaluateExpansion(
  walk: Walk,
  expansion: Expansion,
  offset: number,
  walkCommands: (commands: readonly Command[]) => void,
): Value {
  const { operator, argument } = expansion
  // `${1+"$@"}` is an old way to write `"$@"`.
  const all = /^:?\+$/.test(operator) && expansion.name === '1' ? soleExpansion(argument) : undefined
  if (all?.name === '@') return allArguments(walk, all, offset)
  const base = baseValue(walk, expansion, offset)
  if (operator === '' || (operator === ':' && base.type === 'arguments')) return base
  if (base.type === 'token' && (operator === '#' || operator === '##' || operator === '/')) {
    if (base.slot.place.at === 'flag') base.slot.place.flag.takes = 'equals'
    return { type: 'slot', slot: base.slot, derived: false }
  }
  if (base.type === 'token' && operator === ':') return base
  // What stands in for a missing value is read only then.
  walk.branch++
  const given = evaluateWord(walk, argument, walkCommands)
  walk.branch--
  switch (operator) {
    case ':-':
    case '-':
    case ':=':
    case '=':
      if (base.type === 'slot') offerDefault(base.slot, given)
      if (base.type === 'text' && base.text === '' && given.type === 'text') return given
      if (base.type === 'unknown' && given.type !== 'unknown') return given
      return base
    case ':?':
    case '?':
      demandEnvironment(walk, expansion, offset)
      if (base.type === 'slot' && walk.branch === 0) base.slot.required ??= true
      return base
    case ':+':
    case '+':
      if (base.type === 'slot') base.slot.required ??= false
      return UNKNOWN
    default:
      if (base.type === 'arguments') note(walk, 'Changes all its arguments at once', offset)
      return base.type === 'slot' ? { ...base, derived: true } : UNKNOWN
  }
}

function baseValue(walk: Walk, expansion: Expansion, offset: number): Value {
  const { name, prefix, index } = expansion
  if (prefix === '#') return UNKNOWN
  if (prefix === '!') {
    const held = walk.variables.get(name)
    const given = held?.type === 'slot' && !held.derived
    if (given || /^(?:i|n|idx|index|arg|OPTIND)$/.test(name))
      note(walk, 'Reads arguments by a computed position', offset)
    return UNKNOWN
  }
  if (name === '!' && expansion.operator === '#') note(walk, 'Reads arguments by a computed position', offset)
  if (/^\d+$/.test(name)) return argumentAt(walk, Number(name), offset, expansion.operator === '')
  if (name === '@' || name === '*') return allArguments(walk, expansion, offset)
  if (name === '#') return UNKNOWN
  const value = walk.variables.get(name) ?? UNKNOWN
  if (value.type !== 'arguments') return value
  if (index === undefined) return { type: 'slot', slot: listItem(walk, value.from, 0, offset), derived: false }
  if (/^\d+$/.test(index))
    return { type: 'slot', slot: listItem(walk, value.from, Number(index), offset), derived: false }
  if (index === '@' || index === '*') return value
  note(walk, 'Reads arguments by a computed position', offset)
  return UNKNOWN
}

function listItem(walk: Walk, from: number, at: number, offset: number) {
  const saved = walk.scope
  walk.scope = { known: [], rest: from }
  const value = argumentAt(walk, at + 1, offset)
  walk.scope = saved
  return value.type === 'slot' ? value.slot : restSlot(walk, from, false, offset)
}

/** `"$@"`, `$*`, and slices such as `"${@:2}"`. */
function allArguments(walk: Walk, expansion: Expansion, offset: number): Value {
  const { known, rest } = walk.scope
  walk.seen.add(offset)
  let skip = 0
  if (expansion.operator === ':') {
    const [, start = '', length = ''] =
      /^\s*(\$?\{?\w+\}?|\$\(\(.*\)\))\s*(?::\s*(\w+))?$/.exec(sliceText(expansion)) ?? []
    if (/OPTIND/.test(start))
      return length === '1' ? argumentAt(walk, 1, offset) : { type: 'arguments', from: rest ?? nextPosition(walk) }
    if (!/^\d+$/.test(start)) {
      note(walk, 'Reads a part of the arguments that depends on a variable', offset)
      return UNKNOWN
    }
    if (length === '1') return argumentAt(walk, Number(start), offset)
    skip = Math.max(0, Number(start) - 1)
  }
  if (rest === undefined) return known.length === 1 && skip === 0 ? known[0]! : UNKNOWN
  return { type: 'arguments', from: rest + Math.max(0, skip - known.length) }
}

function sliceText(expansion: Expansion): string {
  return (expansion.argument?.parts ?? [])
    .map(part =>
      part.type === 'text' || part.type === 'arithmetic' ? part.text : part.type === 'expansion' ? `$${part.name}` : '',
    )
    .join('')
}

/** `${API_KEY:?}` of a variable that the script does not set comes from its environment. */
export function demandEnvironment(walk: Walk, { name }: Expansion, offset: number): void {
  if (walk.branch > 0 || walk.arm || !/^[A-Z][A-Z0-9_]+$/.test(name) || walk.variables.has(name)) return
  if (!walk.environment.has(name)) walk.environment.set(name, offset)
}

function offerDefault(slot: Slot, given: Value): void {
  slot.required ??= false
  if (given.type === 'text' && given.text !== '') slot.initial ??= given.text
}

/** A text around one value is derived from it. */
function combined(values: readonly Value[], word: Word, walk: Walk): Value {
  for (const value of values) {
    if (value.type === 'arguments' && walk.asking) return value
    if (value.type === 'arguments')
      return { type: 'slot', slot: restSlot(walk, value.from, true, word.offset), derived: true }
  }
  const stray = values.find(value => value.type === 'stray')
  if (stray) return stray
  const slots = values.filter(value => value.type === 'slot')
  for (const { slot } of slots) slot.spent ||= !walk.asking
  const [only] = slots
  return slots.length === 1 && only ? { ...only, derived: true, partly: word.parts.length > 1 } : UNKNOWN
}

/** `X=$(realpath "$1")` is derived from the argument that its commands read. */
function readBy(walk: Walk, commands: readonly Command[], walkCommands: (commands: readonly Command[]) => void): Value {
  const values: Value[] = []
  const visit = (list: readonly Command[]): void => {
    for (const command of list) {
      if (command.type === 'pipe') visit(command.commands)
      else if (command.type === 'and') visit([command.left, command.right])
      else if (command.type === 'simple') {
        for (const word of command.words.slice(1)) {
          const sole = soleExpansion(word)
          if (sole) values.push(evaluateExpansion(walk, sole, word.offset, walkCommands))
        }
      }
    }
  }
  visit(commands)
  const found = values.filter(value => value.type === 'slot' || value.type === 'token')
  for (const { slot } of found) slot.spent = true
  const [only] = found
  if (found.length !== 1 || !only) return UNKNOWN
  if (only.type === 'slot') return { ...only, derived: true }
  if (only.slot.place.at !== 'flag' || !splitsAtEquals(commands)) return UNKNOWN
  only.slot.place.flag.takes = 'equals'
  return { type: 'slot', slot: only.slot, derived: false }
}

function splitsAtEquals(commands: readonly Command[]): boolean {
  return commands.some(
    command =>
      (command.type === 'pipe' && splitsAtEquals(command.commands)) ||
      (command.type === 'simple' && /^(?:cut|sed|awk)$/.test(literalText(command.words[0]) ?? '')),
  )
}
