// One walk through a script in the order in which it runs, to see what becomes of its arguments.
import { ask, demand, emptyWhere } from './apply-condition.ts'
import { type Condition, negated, readCondition } from './condition.ts'
import { tells } from './endings.ts'
import { evaluateWord, useAsNumbers } from './evaluate-word.ts'
import { asFlagLoop, readFlagLoop } from './flag-loop.ts'
import { isGetopts, readGetopts } from './getopts.ts'
import { ifAsCase } from './if-as-case.ts'
import { readLeadingFlag } from './leading-flag.ts'
import { isSourceGuard } from './runs-something.ts'
import type { Command, Word } from './shell-syntax.ts'
import { UNKNOWN, type Value } from './slot.ts'
import { MOST_STEPS, nextPosition, note, restSlot, seeConditions, shiftScope, type Walk } from './walk.ts'
import { dispatches, walkCase } from './walk-case.ts'
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

/** Walks commands that may or may not run; `guarded` when they run whenever there are arguments. */
export function walkBranch(
  walk: Walk,
  commands: readonly Command[],
  empty: readonly string[] = [],
  guarded = false,
): void {
  const outer = walk.guarded
  walk.guarded = guarded
  const { scope } = walk
  const shifts = walk.shifts.maybe
  walk.branch++
  walk.empty.push(...empty.map(name => ({ name, branch: walk.branch })))
  walkCommands(walk, commands)
  walk.empty.length -= empty.length
  walk.branch--
  walk.guarded = outer
  const shifted = walk.shifts.maybe - shifts
  // A loop over flags in a branch has used up the arguments of that branch only.
  if (walk.scope !== scope && !walk.arm && !guarded) walk.scope = scope
  if (shifted > 0 && !walk.stopped && !walk.arm && walk.scope === scope)
    settleShift(walk, shifted, commands[0]?.offset ?? 0)
  walk.stopped = undefined
}

/** `if [ -n "$1" ]; then NAME="$1"; shift; fi` takes an argument when there is one; other shifts depend on values. */
function settleShift(walk: Walk, count: number, offset: number): void {
  const slot = walk.positions.get(walk.scope.rest ?? -1)
  if (!slot?.used && walk.scope.rest !== undefined) {
    note(walk, 'Shifts its arguments in one case only', offset)
    return
  }
  if (slot) slot.required ??= false
  shiftScope(walk, count)
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

function walkAndOr(walk: Walk, command: Extract<Command, { type: 'and' | 'or' }>): void {
  if (command.type === 'and' && isSourceGuard([command.left])) {
    walkCommand(walk, command.right)
    return
  }
  const { left, right } = command
  // `A && X=1 || X=2` is an `if` with an `else`.
  if (
    command.type === 'or' &&
    left.type === 'and' &&
    left.right.type === 'simple' &&
    readCondition(left.right).type === 'other'
  ) {
    const branches = [{ condition: [left.left], body: [left.right] }]
    walkIf(walk, { type: 'if', branches, otherwise: [right], offset: command.offset, redirects: [] })
    return
  }
  // `[ -z "$1" ] && echo "…" && exit 1`: the text does not decide anything.
  if (command.type === 'and' && left.type === 'and' && tells(left.right)) {
    walkAndOr(walk, { ...command, left: left.left })
    return
  }
  const condition = readCondition(left)
  const ending = walk.ends([right])
  if (ending === 'failure' || ending === 'help') {
    demand(walk, command.type === 'or' ? condition : negated(condition))
    return
  }
  const passes = command.type === 'and' ? condition : negated(condition)
  if (command.type === 'or' && condition.type === 'other') {
    // `shift || true`: the left side always runs.
    walkCommand(walk, command.left)
    walkBranch(walk, [command.right])
    return
  }
  if (readLeadingFlag(walk, passes, [command.right])) return
  ask(walk, condition)
  // `[ $# -gt 0 ] && shift` shifts whenever there is something to shift.
  if (condition.type === 'count' && isShift(command.right)) {
    walkCommand(walk, command.right)
    return
  }
  walkBranch(walk, [command.right], emptyWhere(passes))
}

function walkIf(walk: Walk, command: Extract<Command, { type: 'if' }>): void {
  const [first] = command.branches
  if (first && isSourceGuard(first.condition) && !/^(?:failure|help)$/.test(walk.ends(first.body))) {
    walkCommands(walk, first.body)
    return
  }
  const choice = command.branches.length > 1 ? ifAsCase(command) : undefined
  if (choice && dispatches(walk, choice)) {
    seeConditions(walk, command)
    walkCase(walk, choice)
    return
  }
  const otherwise: Condition[] = []
  let failsElsewhere = walk.ends(command.otherwise) === 'failure' && command.branches.length === 1
  for (const { condition, body } of command.branches) {
    walkCommands(walk, condition.slice(0, -1))
    const asked = condition.length > 0 ? readCondition(condition.at(-1)!) : undefined
    if (!asked) continue
    const ending = walk.ends(body)
    if (ending === 'failure' || ending === 'help') {
      if (otherwise.length === 0) demand(walk, negated(asked))
      else ask(walk, asked)
    } else if (failsElsewhere) {
      demand(walk, asked)
      failsElsewhere = false
      walkCommands(walk, body)
      return
    } else if (!readLeadingFlag(walk, asked, body)) {
      ask(walk, asked)
      walkBranch(walk, body, emptyWhere(asked), asked.type === 'count' && /-g|-ne/.test(asked.operator))
    }
    otherwise.push(negated(asked))
  }
  if (walk.ends(command.otherwise) !== 'failure') walkBranch(walk, command.otherwise, otherwise.flatMap(emptyWhere))
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

function isShift(command: Command): boolean {
  const [part] = command.type === 'simple' ? (command.words[0]?.parts ?? []) : []
  return part?.type === 'text' && part.text === 'shift'
}

function evaluate(walk: Walk, word: Word | undefined) {
  return evaluateWord(walk, word, commands => walkIsolated(walk, commands))
}
