// Loops: over what is known they are walked round by round.
import { assign } from './define.ts'
import { evaluate, itemsOf } from './evaluate.ts'
import { either, executeBlock, type Flow } from './execute.ts'
import type { Machine } from './machine.ts'
import type { Lazy, Scope } from './scope.ts'
import type { Body, Statement } from './syntax.ts'
import { isTrue, UNKNOWN, unsure, type Value } from './values.ts'

const LONGEST_LOOP = 300

export function executeFor(statement: Extract<Statement, { kind: 'for' }>, scope: Scope, machine: Machine): Flow {
  const source = evaluate(statement.source, scope, machine)
  const items = itemsOf(source)
  if (!items || items.length > LONGEST_LOOP) {
    assign(statement.target, unsure(source), scope, machine)
    return perhaps(statement.body, scope, machine)
  }
  return rounds(scope, machine, () => {
    for (const item of items) {
      assign(statement.target, item, scope, machine)
      const flow = executeBlock(statement.body(), scope, machine)
      if (flow === 'break') return 'next'
      if (typeof flow === 'object') return flow
    }
    return statement.otherwise ? executeBlock(statement.otherwise(), scope, machine) : 'next'
  })
}

export function executeWhile(statement: Extract<Statement, { kind: 'while' }>, scope: Scope, machine: Machine): Flow {
  return rounds(scope, machine, () => {
    for (let round = 0; round < LONGEST_LOOP; round++) {
      const test = isTrue(evaluate(statement.test, scope, machine))
      if (test === false) return 'next'
      if (test === undefined) break
      const flow = executeBlock(statement.body(), scope, machine)
      if (flow === 'break') return 'next'
      if (typeof flow === 'object') return flow
    }
    return perhaps(statement.body, scope, machine)
  })
}

/** Runs a loop. If a round may have ended it, what the loop assigned is not known after. */
function rounds(scope: Scope, machine: Machine, run: () => Flow): Flow {
  const { branch, leaps } = machine
  const earlier = scope.returns.length
  const before = new Map(scope.names)
  const flow = run()
  if (machine.leaps > leaps) forget(before, scope)
  machine.leaps = leaps
  if (scope.returns.length === earlier) machine.branch = branch
  return flow
}

/** A body that runs any number of times: walked once, and what it assigns is not known after. */
function perhaps(body: Body, scope: Scope, machine: Machine): Flow {
  const { leaps, branch } = machine
  const earlier = scope.returns.length
  const before = new Map(scope.names)
  either([body, () => []], scope, machine)
  forget(before, scope)
  machine.leaps = leaps
  if (scope.returns.length === earlier) machine.branch = branch
  return 'next'
}

function forget(before: ReadonlyMap<string, Value | Lazy>, scope: Scope): void {
  for (const [name, value] of scope.names) if (before.get(name) !== value) scope.names.set(name, UNKNOWN)
}
