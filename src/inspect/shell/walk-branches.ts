// What runs or does not: `if`, `&&` and `||`.
import { ask, demand, emptyWhere } from './apply-condition.ts'
import { type Condition, negated, readCondition } from './condition.ts'
import { tells } from './endings.ts'
import { ifAsCase } from './if-as-case.ts'
import { readLeadingFlag } from './leading-flag.ts'
import { isSourceGuard } from './runs-something.ts'
import type { Command } from './shell-syntax.ts'
import { note, seeConditions, shiftScope, type Walk } from './walk.ts'
import { dispatches, walkCase } from './walk-case.ts'
import { walkCommand, walkCommands } from './walk-commands.ts'

export function walkAndOr(walk: Walk, command: Extract<Command, { type: 'and' | 'or' }>): void {
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

export function walkIf(walk: Walk, command: Extract<Command, { type: 'if' }>): void {
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

function isShift(command: Command): boolean {
  const [part] = command.type === 'simple' ? (command.words[0]?.parts ?? []) : []
  return part?.type === 'text' && part.text === 'shift'
}
