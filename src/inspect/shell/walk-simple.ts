// Simple commands: assignments, the builtins that move arguments about, and calls of the script's own functions.
import { evaluateWord } from './evaluate-word.ts'
import type { Assignment, SimpleCommand, Word } from './shell-syntax.ts'
import { createSlot, type Scope, type Slot, UNKNOWN, type Value } from './slot.ts'
import { isForeignProgram } from './standard-programs.ts'
import { nextPosition, note, positionSlot, restSlot, shiftScope, type Walk } from './walk.ts'
import { walkCommand, walkCommands } from './walk-commands.ts'
import { literalText } from './word-text.ts'

type Simple = SimpleCommand & {
  readonly offset: number
  readonly redirects: readonly { operator: string; target?: Word }[]
}

const RUNS_ANOTHER = /^(?:exec|sudo|env|nohup|nice|time|command|builtin|-[a-zA-Z]+|\w+=.*)$/
const DECLARES = /^(?:local|declare|typeset|readonly|export)$/

export function walkSimple(walk: Walk, command: Simple): void {
  const name = literalText(command.words[0])
  if (command.words.length === 0 || (name !== undefined && DECLARES.test(name))) {
    for (const assignment of command.assignments)
      assign(walk, assignment, name === 'local' || name === 'declare' || name === 'typeset', command.offset)
    if (name === 'local') for (const word of command.words.slice(1)) shadow(walk, literalText(word) ?? '', UNKNOWN)
    return
  }
  for (const assignment of command.assignments) evaluate(walk, assignment.value)
  const body = name === undefined ? undefined : walk.functions.get(name)
  if (name !== undefined && body) {
    callFunction(walk, name, command)
    return
  }

  switch (name) {
    case 'exit':
    case 'return':
    case 'break':
    case 'continue':
      walk.stopped = name
      return
    case 'shift':
      shift(walk, command)
      return
    case 'set':
      setArguments(walk, command)
      return
    case 'read':
      readInput(walk, command)
      return
    case 'eval':
      if (/^set\b/.test(literalText(command.words[1]) ?? '') || literalText(command.words[1]) === 'set')
        walk.terminator = true
      else useWords(walk, command.words.slice(1), command.offset, 'eval')
      return
    case 'cat':
      if (walk.fed === 0 && command.words.every((word, index) => index === 0 || literalText(word) === '-')) {
        readStdin(walk, command.offset)
      }
      useWords(walk, command.words, command.offset, name)
      return
    default:
      runProgram(walk, command.words, command.offset)
      useWords(walk, command.words, command.offset, name ?? '')
      if (name === 'exec' && command.words.length > 1) walk.stopped = 'exit'
  }
}

/** What runs on every way through the script has to be there. */
function runProgram(walk: Walk, words: readonly Word[], offset: number): void {
  const name = words.map(literalText).find(text => text === undefined || !RUNS_ANOTHER.test(text))
  if (name === undefined || walk.branch > 0 || walk.arm || walk.programs.has(name) || !isForeignProgram(name)) return
  walk.programs.set(name, offset)
}

/** Words handed to a program: reading them is all that can be known. */
function useWords(walk: Walk, words: readonly Word[], offset: number, program: string): void {
  for (const [index, word] of words.entries()) {
    const value = evaluate(walk, word)
    if (value.type === 'slot') value.slot.spent = true
    if (value.type === 'arguments') {
      if (/^(?:echo|printf)$/.test(program)) use(walk, restSlot(walk, value.from, true, offset))
      else if (value.collected) use(walk, restSlot(walk, value.from, false, offset, value.name))
      else if (program !== 'getopt') walk.forwards ??= { from: value.from, offset }
    } else if (value.type === 'stray') restSlot(walk, nextPosition(walk), false, offset)
    else if (value.type === 'slot' && !value.derived && countsWith(program, words[index - 1])) markCount(value)
  }
}

function use(walk: Walk, slot: ReturnType<typeof restSlot>): void {
  slot.used = true
  if (walk.branch === 0) slot.sure = true
}

/** `head -n "$N"`: a number, when the default is one too. */
function countsWith(program: string, before: Word | undefined): boolean {
  return /^(?:head|tail|shuf)$/.test(program) && literalText(before) === '-n'
}

function markCount(value: Extract<Value, { type: 'slot' }>): void {
  if (/^\d+$/.test(value.slot.initial ?? '')) value.slot.numeric = true
}

function assign(walk: Walk, assignment: Assignment, local: boolean, offset: number): void {
  if (assignment.items) {
    assignList(walk, assignment)
    return
  }
  const value = evaluate(walk, assignment.value)
  const before = walk.variables.get(assignment.name)
  if (value.type === 'stray' && walk.arm?.taken === false) {
    set(walk, assignment.name, value, local)
    return
  }
  if (value.type === 'stray') {
    takeStray(walk, assignment, before, offset)
    return
  }
  const counted = countsUp(walk, assignment)
  if (counted) return
  if (value.type === 'slot') {
    const names = value.derived ? value.slot.derivedNames : value.slot.names
    if (!names.includes(assignment.name)) names.push(assignment.name)
    const { place } = value.slot
    if (place.at === 'flag') {
      const adds = assignment.append || mentions(assignment.value, assignment.name)
      if (adds && walk.arm) place.flag.repeats = true
      else if (before?.type === 'text' && before.text !== '' && !value.derived && value.slot.initial === undefined)
        value.slot.initial = before.text
    }
  }
  if (value.type === 'arguments') {
    const slot = restSlot(walk, value.from, true, offset)
    slot.names.push(assignment.name)
    use(walk, slot)
    set(walk, assignment.name, { type: 'slot', slot, derived: false }, local)
    return
  }
  if (before?.type === 'slot' && value.type !== 'slot' && walk.branch > 0) {
    const isEmpty = walk.empty.includes(assignment.name) || walk.empty.includes('*')
    if (isEmpty) {
      before.slot.required ??= false
      if (value.type === 'text' && value.text !== '') before.slot.initial ??= value.text
    }
    return
  }
  const mixed = assignment.append || (walk.branch > 0 && before?.type === 'unknown')
  const other =
    value.type === 'slot' && before?.type === 'slot' && before.slot !== value.slot && (walk.branch > 0 || walk.arm)
  if (walk.branch > 0 && value.type === 'slot' && before?.type === 'text' && before.text !== '') {
    value.slot.required ??= false
    if (!value.derived) value.slot.initial ??= before.text
  }
  // What one branch sets does not hold in the next.
  const elsewhere = walk.branch > 0 && value.type === 'text' && walk.empty.length === 0
  set(walk, assignment.name, elsewhere || (value.type === 'slot' && (mixed || other)) ? UNKNOWN : value, local)
}

function assignList(walk: Walk, assignment: Assignment): void {
  for (const item of assignment.items ?? []) {
    const value = evaluate(walk, item)
    const { name } = assignment
    if (value.type === 'arguments') set(walk, name, { ...value, name }, false)
    if (value.type === 'stray')
      set(walk, name, { type: 'arguments', from: nextPosition(walk), name, collected: true }, false)
    if (value.type !== 'slot') continue
    if (!value.slot.names.includes(assignment.name)) value.slot.names.push(assignment.name)
    if (value.slot.place.at === 'flag' && walk.arm && assignment.append) value.slot.place.flag.repeats = true
  }
  if (!assignment.append && assignment.items?.length === 0) set(walk, assignment.name, UNKNOWN, false)
}

/** A loop's word that is no flag becomes the next positional, or joins a list of them. */
function takeStray(walk: Walk, assignment: Assignment, before: Value | undefined, offset: number): void {
  if (before?.type === 'slot' && before.slot.names.includes(assignment.name)) {
    // A word that means the same as a flag: the flag is enough to call the script.
    walk.aliased = true
    return
  }
  const joins = assignment.append || mentions(assignment.value, assignment.name)
  const slot = joins ? restSlot(walk, nextPosition(walk), true, offset) : positionSlot(walk, nextPosition(walk), offset)
  slot.used = true
  slot.names.push(assignment.name)
  if (before?.type === 'text' && before.text !== '') slot.initial = before.text
  walk.variables.set(assignment.name, { type: 'slot', slot, derived: false })
}

/** `VERBOSE=$((VERBOSE + 1))` in the arm of a flag. */
function countsUp(walk: Walk, assignment: Assignment): boolean {
  const [part] = assignment.value?.parts ?? []
  if (part?.type !== 'arithmetic' || !part.text.includes(assignment.name) || !/\+\s*1/.test(part.text)) return false
  const [token] = walk.scope.known
  if (token?.type === 'token' && token.slot.place.at === 'flag') token.slot.place.flag.takes = 'count'
  return true
}

function mentions(word: Word | undefined, name: string): boolean {
  return word?.parts.some(part => part.type === 'expansion' && part.name === name && part.operator === '') ?? false
}

function set(walk: Walk, name: string, value: Value, local: boolean): void {
  if (local) shadow(walk, name, value)
  else walk.variables.set(name, value)
}

/** Locals live in the frame of the function that is walked; `callFunction` brings the old value back. */
function shadow(walk: Walk, name: string, value: Value): void {
  const frame = walk.frames.at(-1)
  if (frame && !frame.has(name)) frame.set(name, walk.variables.get(name))
  walk.variables.set(name, value)
}

function callFunction(walk: Walk, name: string, command: Simple): void {
  const scope = scopeOf(walk, command.words.slice(1), command.offset)
  const matters =
    scope.rest !== undefined || scope.known.some(value => value.type !== 'text' && value.type !== 'unknown')
  const body = walk.functions.get(name)!
  if (walk.calls.includes(name) || walk.calls.length > 12) return
  if (!matters && walk.visited.has(name)) return
  walk.visited.add(name)
  const outer = walk.scope
  walk.scope = scope
  walk.calls.push(name)
  walk.frames.push(new Map())
  walkCommand(walk, body)
  for (const [variable, value] of walk.frames.pop()!) {
    if (value) walk.variables.set(variable, value)
    else walk.variables.delete(variable)
  }
  walk.calls.pop()
  walk.scope = outer
  if (walk.stopped === 'return') walk.stopped = undefined
}

function scopeOf(walk: Walk, words: readonly Word[], offset: number): Scope {
  const known: Value[] = []
  for (const [index, word] of words.entries()) {
    const value = evaluate(walk, word)
    if (value.type !== 'arguments') known.push(value)
    else if (words.slice(index + 1).every(other => evaluate(walk, other).type === 'arguments'))
      return { known, rest: value.from }
    else note(walk, 'Puts other words after its arguments', offset)
  }
  return { known, rest: undefined }
}

function shift(walk: Walk, command: Simple): void {
  const word = command.words[1]
  const text = literalText(word)
  if (word && text === undefined) {
    if (word.parts.some(part => part.type === 'arithmetic' && part.text.includes('OPTIND'))) return
    note(walk, 'Shifts its arguments by a computed number', command.offset)
    evaluate(walk, word)
    walk.scope = { known: [], rest: undefined }
    return
  }
  const count = Number(text ?? 1)
  if (walk.branch > 0) walk.shifts.maybe += count
  else walk.shifts.sure += count
  if (walk.branch === 0 || walk.arm) shiftScope(walk, count)
}

/** `set -- …` replaces the arguments; `set -u` makes a missing one an error. */
function setArguments(walk: Walk, command: Simple): void {
  const words = command.words.slice(1)
  const [first] = words.map(literalText)
  if (first === '--' || (first === undefined && words.length > 0)) {
    const scope = scopeOf(walk, words.slice(first === '--' ? 1 : 0), command.offset)
    if (walk.branch > 0) {
      if (scope.known.some(value => value.type === 'text'))
        note(walk, 'Sets its arguments anew in one case', command.offset)
      return
    }
    walk.scope = scope
    return
  }
  if (
    words.some(
      (word, index) => /^-\w*u/.test(literalText(word) ?? '') || (literalText(word) === 'nounset' && index > 0),
    )
  )
    walk.nounset = true
}

/** `read` waits for somebody at a terminal, unless something feeds it; a loop that reads without a prompt takes data. */
function readInput(walk: Walk, command: Simple): void {
  const flags = command.words.slice(1).map(literalText)
  const asks = flags.some(flag => flag !== undefined && /^-\w*[psn]/.test(flag))
  if (walk.fed === 0 && walk.reading && !asks) readStdin(walk, command.offset)
  else if (walk.fed === 0) walk.interactive = true
  for (const name of flags)
    if (name && /^[A-Za-z_]\w*$/.test(name) && walk.branch === 0) walk.variables.set(name, UNKNOWN)
}

function evaluate(walk: Walk, word: Word | undefined): Value {
  const stdin = readsStdin(word)
  if (stdin && walk.fed === 0 && walk.arm === undefined) {
    return { type: 'slot', slot: readStdin(walk, word!.offset), derived: false }
  }
  return evaluateWord(walk, word, commands => {
    const scope = walk.scope
    walkCommands(walk, commands)
    walk.scope = scope
    walk.stopped = undefined
  })
}

function readStdin(walk: Walk, offset: number): Slot {
  walk.stdin ??= createSlot({ at: 'stdin' }, offset, walk.chosen.length)
  return walk.stdin
}

/** `$(cat)`: all of stdin. */
function readsStdin(word: Word | undefined): boolean {
  const [part, ...more] = word?.parts ?? []
  if (part?.type !== 'command' || more.length > 0) return false
  const [command, ...others] = part.commands
  if (
    command?.type !== 'simple' ||
    others.length > 0 ||
    command.redirects.some(redirect => redirect.operator.startsWith('<'))
  )
    return false
  const words = command.words.map(literalText)
  return (
    words[0] === 'cat' && (words.length === 1 || (words.length === 2 && /^(?:-|\/dev\/stdin)$/.test(words[1] ?? '')))
  )
}
