// Statements, walked as Python would run them. A condition that is not known takes both ways.
import { assign, bindImport, defineClass, defineFunction } from './define.ts'
import { evaluate, itemsOf } from './evaluate.ts'
import { executeFor, executeWhile } from './execute-loop.ts'
import { charge, leaveSurePath, type Machine, RAISED, step } from './machine.ts'
import { removeItem } from './methods.ts'
import { binaryOperation } from './operators.ts'
import type { Lazy, Scope } from './scope.ts'
import { isStandardModule } from './standard-modules.ts'
import type { Body, Expression, Import, Statement } from './syntax.ts'
import { equals, isOpaque, isTrue, NONE, UNKNOWN, unsure, type Value } from './values.ts'

/** How a block ended. */
export type Flow = 'next' | 'break' | 'continue' | { readonly returned: Value }

export function executeBlock(statements: readonly Statement[], scope: Scope, machine: Machine): Flow {
  for (const statement of statements) {
    const flow = execute(statement, scope, machine)
    if (flow !== 'next') return flow
  }
  return 'next'
}

function execute(statement: Statement, scope: Scope, machine: Machine): Flow {
  step(machine)
  switch (statement.kind) {
    case 'expression':
      evaluate(statement.value, scope, machine)
      return 'next'
    case 'assign': {
      const value = evaluate(statement.value, scope, machine)
      for (const target of statement.targets) assign(target, value, scope, machine)
      return 'next'
    }
    case 'update': {
      const before = evaluate(statement.target, scope, machine)
      const change = evaluate(statement.value, scope, machine)
      assign(statement.target, updated(statement.operator, before, change, machine), scope, machine)
      return 'next'
    }
    case 'import':
      bindImport(statement, scope, machine)
      return 'next'
    case 'function':
      scope.names.set(statement.name, defineFunction(statement, scope, machine))
      return 'next'
    case 'class':
      scope.names.set(statement.name, defineClass(statement, scope, machine))
      return 'next'
    case 'delete':
      for (const target of statement.targets) remove(target, scope, machine)
      return 'next'
    case 'global':
      for (const name of statement.names) scope.elsewhere.add(name)
      return 'next'
    case 'return':
      return { returned: statement.value ? evaluate(statement.value, scope, machine) : NONE }
    case 'raise':
      if (statement.value) evaluate(statement.value, scope, machine)
      throw RAISED
    case 'break':
    case 'continue':
      return statement.kind
    case 'if': {
      for (const [index, branch] of statement.branches.entries()) {
        const taken = isTrue(evaluate(branch.test, scope, machine))
        if (taken === true) return executeBlock(branch.body(), scope, machine)
        if (taken === undefined) {
          const rest: Statement = { ...statement, branches: statement.branches.slice(index + 1) }
          return either([branch.body, () => [rest]], scope, machine)
        }
      }
      return statement.otherwise ? executeBlock(statement.otherwise(), scope, machine) : 'next'
    }
    case 'for':
      return executeFor(statement, scope, machine)
    case 'while':
      return executeWhile(statement, scope, machine)
    case 'with':
      for (const item of statement.items) {
        const value = evaluate(item.value, scope, machine)
        if (item.target) assign(item.target, value.kind === 'runtime' ? value : UNKNOWN, scope, machine)
      }
      return executeBlock(statement.body(), scope, machine)
    case 'try':
      return attempt(statement, scope, machine)
    case 'match':
      return either([...statement.cases, () => []], scope, machine)
    default:
      return 'next'
  }
}

function remove(target: Expression, scope: Scope, machine: Machine): void {
  if (target.kind === 'name') scope.names.delete(target.name)
  else if (target.kind === 'tuple') for (const item of target.items) remove(item, scope, machine)
  else if (target.kind === 'index')
    removeItem(evaluate(target.object, scope, machine), evaluate(target.index, scope, machine), machine)
}

/** `names += [...]` changes the list that others hold, too. */
function updated(operator: string, before: Value, change: Value, machine: Machine): Value {
  if (operator === '+' && before.kind === 'list') {
    const items = itemsOf(change)
    if (!items || before.born !== machine.branch) before.open = true
    else before.items = [...before.items, ...items]
    return charge(before, machine)
  }
  return binaryOperation(operator, before, change, machine)
}

function attempt(statement: Extract<Statement, { kind: 'try' }>, scope: Scope, machine: Machine): Flow {
  const before = new Map(scope.names)
  const handlers = statement.handlers.map(handler => handler.body)
  const recoveries = handlers.map(handler => recovery(handler, before, scope, machine))
  const { branch } = machine
  let flow: Flow = 'next'
  let raised = false
  try {
    flow = tryBody(statement.body(), scope, machine, recoveries.some(Boolean))
  } catch (error) {
    if (error !== RAISED) throw error
    raised = true
  } finally {
    machine.branch = branch
  }
  if (raised) {
    if (handlers.length === 0) throw RAISED
    flow = either(handlers, scope, machine)
  } else {
    if (flow === 'next' && statement.otherwise) flow = executeBlock(statement.otherwise(), scope, machine)
    for (const names of recoveries) {
      // The body went well, but the handler may have run instead: names that it sets otherwise are not known.
      for (const [name, value] of names ?? []) {
        if (value !== before.get(name)) scope.names.set(name, join(scope.names.get(name), value))
      }
    }
  }
  if (statement.finally) executeBlock(statement.finally(), scope, machine)
  return flow
}

/** What an import brings may be missing: when the script lives on without it, what follows the import is not sure. */
function tryBody(body: readonly Statement[], scope: Scope, machine: Machine, survives: boolean): Flow {
  for (const statement of body) {
    const flow = execute(statement, scope, machine)
    if (flow !== 'next') return flow
    if (survives && statement.kind === 'import' && !isAlwaysThere(statement)) leaveSurePath(machine)
  }
  return 'next'
}

function isAlwaysThere(statement: Import): boolean {
  const names = statement.from === undefined ? statement.names.map(({ name }) => name) : [statement.from]
  return statement.dots === 0 && names.every(isStandardModule)
}

/** Names as a handler leaves them; undefined when it ends the block. */
function recovery(handler: Body, before: Scope['names'], scope: Scope, machine: Machine): Scope['names'] | undefined {
  const attempt: Scope = { ...scope, names: new Map(before), returns: [] }
  const outcome = inBranch(handler, attempt, machine)
  return outcome === 'raised' || typeof outcome === 'object' ? undefined : attempt.names
}

/** Walks every body as if it might be the one; names they set differently are not known after. */
export function either(bodies: readonly Body[], scope: Scope, machine: Machine): Flow {
  const before = new Map(scope.names)
  const { leaps } = machine
  const earlier = scope.returns.length
  const returned: Value[] = []
  const flows = new Set<'next' | 'break' | 'continue'>()
  let joined: Scope['names'] | undefined
  for (const body of bodies) {
    const attempt: Scope = { ...scope, names: new Map(before) }
    const outcome = inBranch(body, attempt, machine)
    if (outcome === 'raised') continue
    if (typeof outcome === 'object') returned.push(outcome.returned)
    else {
      flows.add(outcome)
      joined = joined ? joinNames(joined, attempt.names) : attempt.names
    }
  }
  if (joined) {
    replaceNames(scope, joined)
    scope.returns.push(...returned)
    if (flows.size > 1) machine.leaps++
    // Leaving early a function that asks for the arguments means not to ask: then nothing after matters.
    const isLeft = scope.returns.length > earlier && !machine.asking
    if (machine.leaps > leaps || isLeft) leaveSurePath(machine)
    return flows.has('next') ? 'next' : ([...flows][0] ?? 'next')
  }
  if (returned.length === 0) throw RAISED
  return { returned: returned.reduce((left, right) => join(left, right)) }
}

function inBranch(body: Body, scope: Scope, machine: Machine): Flow | 'raised' {
  const branch = machine.branch
  machine.branch = ++machine.branches
  try {
    return executeBlock(body(), scope, machine)
  } catch (error) {
    if (error !== RAISED) throw error
    return 'raised'
  } finally {
    machine.branch = branch
  }
}

function replaceNames(scope: Scope, names: Scope['names']): void {
  scope.names.clear()
  for (const [name, value] of names) scope.names.set(name, value)
}

function joinNames(left: Scope['names'], right: Scope['names']): Scope['names'] {
  const names = new Map(left)
  for (const [name, value] of right) names.set(name, join(left.get(name), value))
  for (const [name, value] of left) if (!right.has(name)) names.set(name, join(undefined, value))
  return names
}

/** One of two values: known only when they agree. A name that one way does not set is as the other leaves it. */
export function join(left: Value, right: Value): Value
export function join(left: Value | Lazy | undefined, right: Value | Lazy): Value | Lazy
export function join(left: Value | Lazy | undefined, right: Value | Lazy): Value | Lazy {
  if (!left || left === right) return right
  // `try: import x` with `import y as x` for the other case: either will do.
  if (left.kind === 'lazy' && right.kind === 'lazy') return left
  if (left.kind === 'lazy') return { kind: 'lazy', resolve: () => join(left.resolve(), right as Value) }
  if (right.kind === 'lazy') return { kind: 'lazy', resolve: () => join(left, right.resolve()) }
  if (equals(left, right)) return left
  // A module or `None`: of a module from elsewhere it is not known anyway whether it is there.
  if (left.kind === 'none' && isOpaque(right)) return right
  if (right.kind === 'none' && isOpaque(left)) return left
  return unsure(left, right)
}
