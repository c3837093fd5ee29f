// Expressions, as far as their value is known without running the script.
import { attributeOf } from './attributes.ts'
import { type CallArguments, callValue } from './call.ts'
import { assign } from './define.ts'
import { charge, type Machine, step } from './machine.ts'
import { itemAt, sliceOf } from './methods.ts'
import { binaryOperation, compare, formatValue, unaryOperation } from './operators.ts'
import { createScope, lookUp, type Scope } from './scope.ts'
import type { Argument, Comprehension, Expression } from './syntax.ts'
import { isTrue, keyOf, NONE, RUNTIME, text, truth, UNKNOWN, unsure, type Value } from './values.ts'

/** The value of an expression. Calls into the script are followed. */
export function evaluate(expression: Expression, scope: Scope, machine: Machine): Value {
  step(machine)
  switch (expression.kind) {
    case 'string':
      return text(expression.value)
    case 'number':
      return { kind: expression.float ? 'float' : 'int', value: expression.value }
    case 'constant':
      return expression.value === null ? NONE : truth(expression.value)
    case 'name':
      return lookUp(scope, expression.name) ?? builtinName(expression.name)
    case 'format':
      return formatted(expression.parts, scope, machine)
    case 'attribute':
      return attributeOf(evaluate(expression.object, scope, machine), expression.name, machine)
    case 'index': {
      const object = evaluate(expression.object, scope, machine)
      if (expression.index.kind !== 'slice') return itemAt(object, evaluate(expression.index, scope, machine))
      const bounds = expression.index.bounds.map(bound => (bound ? evaluate(bound, scope, machine) : NONE))
      return sliceOf(object, bounds, machine)
    }
    case 'call':
      return evaluateCall(expression, scope, machine)
    case 'list':
    case 'tuple':
    case 'set':
      return collection(expression.kind, expression.items, scope, machine)
    case 'dict':
      return dict(expression.entries, scope, machine)
    case 'comprehension':
      return comprehend(expression, scope, machine)
    case 'unary':
      return unaryOperation(expression.operator, evaluate(expression.operand, scope, machine))
    case 'binary':
      return binary(expression, scope, machine)
    case 'conditional': {
      const test = evaluate(expression.test, scope, machine)
      const taken = isTrue(test)
      if (taken !== undefined) return evaluate(taken ? expression.yes : expression.no, scope, machine)
      const [yes, no] = [evaluate(expression.yes, scope, machine), evaluate(expression.no, scope, machine)]
      const key = keyOf(yes)
      return key !== undefined && key === keyOf(no) ? yes : unsure(test)
    }
    case 'lambda':
      return {
        kind: 'function',
        name: '<lambda>',
        parameters: expression.parameters,
        body: { lambda: expression.body },
        scope,
        binding: 'plain',
      }
    case 'walrus': {
      const value = evaluate(expression.value, scope, machine)
      assign({ kind: 'name', name: expression.name, at: expression.at }, value, scope, machine)
      return value
    }
    case 'await':
      return evaluate(expression.value, scope, machine)
    default:
      return UNKNOWN
  }
}

/** Items of something that can be looped over; undefined when they are not known. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  switch (value.kind) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.open ? undefined : value.items
    case 'dict':
      return value.open ? undefined : [...value.entries.values()].map(([key]) => key)
    case 'str':
      return [...value.value].map(text)
    case 'class': {
      const members = [...value.members.values()].filter(member => member.kind === 'enum-member')
      return members.length > 0 ? members : undefined
    }
    default:
      return undefined
  }
}

/** Names of Python itself. Anything else that was never defined came from where we could not look. */
function builtinName(name: string): Value {
  if (name === '__name__') return text('__main__')
  if (name === '__file__') return RUNTIME
  if (name === '__doc__') return UNKNOWN
  return { kind: 'external', path: name }
}

function formatted(parts: Extract<Expression, { kind: 'format' }>['parts'], scope: Scope, machine: Machine): Value {
  let result = ''
  const missing: Value[] = []
  for (const part of parts) {
    if (typeof part === 'string') {
      result += part
      continue
    }
    const value = evaluate(part.value, scope, machine)
    const piece = formatValue(value, part.spec)
    if (piece === undefined) missing.push(value)
    else result += piece
  }
  return missing.length > 0 ? unsure(...missing) : charge(text(result), machine)
}

function evaluateCall(expression: Extract<Expression, { kind: 'call' }>, scope: Scope, machine: Machine): Value {
  const { callee } = expression
  if (callee.kind === 'name' && callee.name === 'super') return superOf(scope)
  const target = evaluate(callee, scope, machine)
  const args = readArguments(expression.args, scope, machine)
  return charge(callValue(target, args.positional, machine, expression.at, args), machine)
}

function superOf(scope: Scope): Value {
  const owner = lookUp(scope, '__class__')
  const self = lookUp(scope, '__self__')
  return owner?.kind === 'class' && self ? { kind: 'super', of: owner, object: self } : UNKNOWN
}

function readArguments(args: readonly Argument[], scope: Scope, machine: Machine): CallArguments {
  const positional: Value[] = []
  const named = new Map<string, Value>()
  let open = false
  for (const arg of args) {
    const value = evaluate(arg.value, scope, machine)
    if (arg.name) named.set(arg.name, value)
    else if (!arg.spread) positional.push(value)
    else if (arg.spread === '*') {
      const items = itemsOf(value)
      if (items) positional.push(...items)
      else open = true
    } else if (value.kind === 'dict' && !value.open) {
      for (const [key, item] of value.entries.values()) if (key.kind === 'str') named.set(key.value, item)
    } else open = true
  }
  return { positional, named, open }
}

function collection(
  kind: 'list' | 'tuple' | 'set',
  expressions: readonly Expression[],
  scope: Scope,
  machine: Machine,
): Value {
  const items: Value[] = []
  let open = false
  for (const expression of expressions) {
    const value = evaluate(expression.kind === 'star' ? expression.value : expression, scope, machine)
    const spread = expression.kind === 'star' ? itemsOf(value) : [value]
    if (spread) items.push(...spread)
    else open = true
  }
  return charge({ kind, items, born: machine.branch, ...(open ? { open } : {}) }, machine)
}

function dict(entries: Extract<Expression, { kind: 'dict' }>['entries'], scope: Scope, machine: Machine): Value {
  const result: Extract<Value, { kind: 'dict' }> = { kind: 'dict', entries: new Map(), born: machine.branch }
  for (const entry of entries) {
    const value = evaluate(entry.value, scope, machine)
    const key = entry.key && evaluate(entry.key, scope, machine)
    const name = key && keyOf(key)
    if (key && name !== undefined) result.entries.set(name, [key, value])
    else if (!key && value.kind === 'dict' && !value.open) {
      for (const [spread, pair] of value.entries) result.entries.set(spread, pair)
    } else result.open = true
  }
  return result
}

function comprehend(expression: Comprehension, scope: Scope, machine: Machine): Value {
  const inner = createScope(scope)
  const items: Value[] = []
  const entries = new Map<string, readonly [Value, Value]>()
  let doubt: Value | undefined
  const visit = (index: number): void => {
    const clause = expression.clauses[index]
    if (!clause) {
      const element = evaluate(expression.element, inner, machine)
      if (!expression.value) items.push(element)
      else {
        const key = keyOf(element)
        if (key === undefined) doubt = UNKNOWN
        else entries.set(key, [element, evaluate(expression.value, inner, machine)])
      }
      return
    }
    const source = evaluate(clause.source, inner, machine)
    const values = itemsOf(source)
    if (!values) {
      doubt = unsure(source)
      return
    }
    for (const value of values) {
      assign(clause.target, value, inner, machine)
      const tests = clause.tests.map(test => evaluate(test, inner, machine))
      const passed = tests.map(isTrue)
      if (passed.includes(undefined)) doubt = unsure(...tests)
      if (passed.every(Boolean)) visit(index + 1)
    }
  }
  visit(0)
  if (doubt) return doubt
  if (expression.form === 'dict') return { kind: 'dict', entries, born: machine.branch }
  const kind = expression.form === 'set' ? 'set' : 'list'
  return { kind, items: kind === 'set' ? distinct(items) : items, born: machine.branch }
}

/** Without repetitions, in order of first appearance. */
export function distinct(items: readonly Value[]): Value[] {
  const seen = new Set<string>()
  return items.filter(item => {
    const key = keyOf(item)
    if (key === undefined) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function binary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope, machine: Machine): Value {
  const left = evaluate(expression.left, scope, machine)
  const { operator } = expression
  if (operator === 'and' || operator === 'or') {
    const taken = isTrue(left)
    if (taken !== undefined) return taken === (operator === 'and') ? evaluate(expression.right, scope, machine) : left
    const right = evaluate(expression.right, scope, machine)
    // `os.environ.get("X") or "y"` is "y" when nothing is set.
    if (operator === 'or' && left.kind === 'runtime' && left.from !== undefined) {
      const unset = left.fallback === undefined || isTrue(left.fallback) === false
      return { ...left, fallback: unset ? right : (left.fallback ?? right) }
    }
    return unsure(left)
  }
  const right = evaluate(expression.right, scope, machine)
  const { left: before } = expression
  // `a < b < c` nests to the left, and means `a < b and b < c`; with parentheses the left begins later.
  const isChain = before.kind === 'binary' && before.at === expression.at && isComparison(before.operator)
  if (isChain && isComparison(operator)) {
    const first = isTrue(left)
    if (first === false) return left
    const second = compare(operator, evaluate(before.right, scope, machine), right)
    return first === undefined ? unsure(left) : second
  }
  if (isComparison(operator)) return compare(operator, left, right)
  return charge(binaryOperation(operator, left, right, machine), machine)
}

function isComparison(operator: string): boolean {
  return ['==', '!=', '<', '>', '<=', '>=', 'in', 'not in', 'is', 'is not'].includes(operator)
}
