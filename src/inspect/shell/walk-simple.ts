// Simple commands: the builtins that move arguments about, calls of the script's own functions, and other programs.
import { assign, shadow } from './assign.ts'
import { evaluate, readStdin } from './evaluate.ts'
import type { SimpleCommand, Word } from './shell-syntax.ts'
import { type Scope, UNKNOWN, type Value } from './slot.ts'
import { isForeignProgram } from './standard-programs.ts'
import { nextPosition, note, restSlot, shiftScope, use, type Walk } from './walk.ts'
import { walkCommand } from './walk-commands.ts'
import { literalText } from './word-text.ts'

type Simple = SimpleCommand & {
  readonly offset: number
  readonly redirects: readonly { operator: string; target?: Word }[]
}

const RUNS_ANOTHER = /^(?:exec|sudo|env|nohup|nice|time|command|builtin|-[a-zA-Z]+|\w+=.*)$/
const DEEPEST_CALL = 12
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
      noteCode(walk, command.words.slice(1), command.offset)
      return
    case 'cat':
      if (walk.fed === 0 && command.words.every((word, index) => index === 0 || literalText(word) === '-')) {
        readStdin(walk, command.offset)
      }
      useWords(walk, command.words, command.offset, name)
      return
    case 'trap':
      noteCode(walk, command.words.slice(1), command.offset)
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

/** `trap 'rm "$1"' EXIT`: code in a text. */
function noteCode(walk: Walk, words: readonly Word[], offset: number): void {
  if (words.some(word => /\$\{?[1-9@*]/.test(literalText(word) ?? '')))
    note(walk, 'Reads arguments in a text that it runs', offset)
}

/** Words handed to a program: reading them is all that can be known. */
function useWords(walk: Walk, words: readonly Word[], offset: number, program: string): void {
  for (const [index, word] of words.entries()) {
    const value = evaluate(walk, word)
    if (value.type === 'slot') value.slot.spent = true
    if (value.type === 'arguments') {
      if (/^(?:echo|printf)$/.test(program)) use(walk, restSlot(walk, value.from, true, offset))
      else if (value.collected && walk.strict) use(walk, restSlot(walk, value.from, false, offset, value.name))
      else if (program !== 'getopt') walk.forwards ??= { from: value.from, offset }
    } else if (value.type === 'stray') restSlot(walk, nextPosition(walk), false, offset)
    else if (value.type === 'slot' && !value.derived && countsWith(program, words[index - 1])) markCount(value)
  }
}

/** `head -n "$N"`: a number, when the default is one too. */
function countsWith(program: string, before: Word | undefined): boolean {
  return /^(?:head|tail|shuf)$/.test(program) && literalText(before) === '-n'
}

function markCount(value: Extract<Value, { type: 'slot' }>): void {
  if (/^\d+$/.test(value.slot.initial ?? '')) value.slot.numeric = true
}

function callFunction(walk: Walk, name: string, command: Simple): void {
  const scope = scopeOf(walk, command.words.slice(1), command.offset)
  const matters =
    scope.rest !== undefined || scope.known.some(value => value.type !== 'text' && value.type !== 'unknown')
  const body = walk.functions.get(name)!
  if (walk.calls.length > DEEPEST_CALL && matters)
    note(walk, 'Hands its arguments on too often to follow', command.offset)
  if (walk.calls.includes(name) || walk.calls.length > DEEPEST_CALL) return
  if (!matters && walk.visited.has(name)) return
  walk.visited.add(name)
  const { scope: outer, shifts } = walk
  walk.scope = scope
  walk.shifts = { sure: 0, maybe: 0 }
  walk.calls.push(name)
  walk.frames.push(new Map())
  walkCommand(walk, body)
  for (const [variable, value] of walk.frames.pop()!) {
    if (value) walk.variables.set(variable, value)
    else walk.variables.delete(variable)
  }
  walk.calls.pop()
  walk.scope = outer
  walk.shifts = shifts
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
    if (word.parts.some(part => part.type === 'arithmetic' && part.text.includes('OPTIND'))) {
      if (walk.unshifted) walk.scope = { known: [], rest: nextPosition(walk) }
      walk.unshifted = false
      return
    }
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
