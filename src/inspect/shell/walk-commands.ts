// One walk through a script in the order in which it runs, to see what becomes of its arguments.
import { ask } from './apply-condition.ts'
import { readCondition } from './condition.ts'
import { evaluateWord, useAsNumbers } from './evaluate-word.ts'
import { asFlagLoop, readFlagLoop } from './flag-loop.ts'
import { isGetopts, readGetopts } from './getopts.ts'
import type { Command, Word } from './shell-syntax.ts'
import { UNKNOWN, type Value } from './slot.ts'
import { MOST_STEPS, nextPosition, note, restSlot, type Walk } from './walk.ts'
import { walkAndOr, walkBranch, walkIf } from './walk-branches.ts'
import { walkCase } from './walk-case.ts'
import { walkSimple } from './walk-simple.ts'
import { literalText } from './word-text.ts'

export function walkCommands(walk: Walk, commands: readonly Command[]): void {
  for (const command of commands) {
    if (walk.stopped || walk.choice) return
    walkCommand(walk, command)
  }
}

export function walkCommand(walk: Walk, command: Command): void {
  if (++walk.budget.steps > MOST_STEPS) {
    note(walk, 'Is too long to be followed to its end', 0)
    return
  }
  let fed = 0
  for (const { operator, target, body } of command.redirects) {
    evaluate(walk, body ?? target)
    if (operator.startsWith('<') && literalText(target) !== '/dev/tty') fed++
  }
  walk.fed += fed
  walkKind(walk, command)
  walk.fed -= fed
}

function walkKind(walk: Walk, command: Command): void {
  switch (command.type) {
    case 'simple':
      walkSimple(walk, command)
      return
    case 'function':
      return
    case 'group':
      walkGroup(walk, command)
      return
    case 'pipe':
      walkPipe(walk, command.commands)
      return
    case 'not':
      walkCommand(walk, command.command)
      return
    case 'and':
    case 'or':
      walkAndOr(walk, command)
      return
    case 'if':
      walkIf(walk, command)
      return
    case 'test':
      ask(walk, readCondition(command))
      return
    case 'arithmetic':
      useAsNumbers(walk, command.text, command.offset)
      return
    case 'case':
      walkCase(walk, command)
      return
    case 'loop': {
      if (isGetopts(command)) {
        readGetopts(walk, command)
        return
      }
      const flags = asFlagLoop(walk, command)
      if (flags) {
        readFlagLoop(walk, flags)
        return
      }
      walk.reading = true
      for (const condition of command.condition) ask(walk, readCondition(condition))
      walk.reading = false
      walkLoopBody(walk, command.body, command.offset)
      return
    }
    case 'for':
      walkFor(walk, command)
      return
  }
}

function walkGroup(walk: Walk, command: Extract<Command, { type: 'group' }>): void {
  if (command.subshell) walkIsolated(walk, command.body)
  else walkCommands(walk, command.body)
}

/** A subshell or a pipe: what it shifts and assigns is lost. */
function walkIsolated(walk: Walk, commands: readonly Command[]): void {
  const scope = walk.scope
  for (const command of commands) walkCommand(walk, command)
  walk.scope = scope
  walk.stopped = undefined
}

/** All but the first read what the one before writes. */
function walkPipe(walk: Walk, commands: readonly Command[]): void {
  const [first, ...others] = commands
  walkIsolated(walk, first ? [first] : [])
  walk.fed++
  for (const command of others) walkIsolated(walk, [command])
  walk.fed--
}

function walkLoopBody(walk: Walk, body: readonly Command[], offset: number): void {
  const before = walk.shifts.maybe
  const scope = walk.scope
  walk.branch++
  walkCommands(walk, body)
  walk.branch--
  walk.stopped = undefined
  if (walk.shifts.maybe > before && walk.arm === undefined) {
    // `while [ $# -gt 0 ]; do … "$1" …; shift; done` works on every argument in turn.
    if (scope.rest === undefined) return
    const first = walk.positions.get(scope.rest)
    if (first) {
      walk.positions.delete(scope.rest)
      const list = restSlot(walk, scope.rest, false, offset)
      list.names.push(...first.names)
      list.offset = first.offset
    }
    walk.scope = { known: [], rest: undefined }
  }
}

function walkFor(walk: Walk, command: Extract<Command, { type: 'for' }>): void {
  if (command.select) walk.interactive = true
  if (command.arithmetic !== undefined) useAsNumbers(walk, command.arithmetic, command.offset)
  const saved = walk.variables.get(command.variable)
  const overArguments =
    command.words === undefined || command.words.some(word => evaluate(walk, word).type === 'arguments')
  if (overArguments && command.words !== undefined && command.words.length > 1)
    note(walk, 'Mixes its arguments with other words', command.offset)
  const flags = overArguments ? asFlagLoop(walk, command) : undefined
  if (flags) {
    readFlagLoop(walk, flags)
    return
  }
  const source = command.words === undefined ? argumentsFrom(walk) : evaluate(walk, command.words[0]!)
  if (overArguments && source.type === 'arguments') {
    const slot = restSlot(walk, source.from, false, command.offset, source.name)
    slot.names.push(command.variable)
    if (walk.branch === 0) slot.sure = true
    walk.variables.set(command.variable, { type: 'slot', slot, derived: false })
  } else walk.variables.set(command.variable, wordsOf(command.words ?? []))
  walkBranch(walk, command.body)
  if (saved) walk.variables.set(command.variable, saved)
}

/** `for tool in curl jq`: literal words, which the loop has one after the other. */
function wordsOf(words: readonly Word[]): Value {
  const texts = words.map(literalText)
  return texts.length > 0 && texts.every(text => text !== undefined) ? { type: 'words', texts } : UNKNOWN
}

function argumentsFrom(walk: Walk) {
  return { type: 'arguments' as const, from: walk.scope.rest ?? nextPosition(walk), name: undefined }
}

function evaluate(walk: Walk, word: Word | undefined) {
  return evaluateWord(walk, word, commands => walkIsolated(walk, commands))
}
