// Calls: functions and classes of the skill are followed, others answer what is known of them.
import { callParserMethod, createParser } from './argparse-calls.ts'
import { memberOf } from './attributes.ts'
import { callCli, callCliMethod } from './cli-calls.ts'
import { evaluate } from './evaluate.ts'
import { executeBlock, type Flow, join } from './execute.ts'
import { callExternal } from './externals.ts'
import { type Arguments, deeper, EXHAUSTED, type Machine, SIDE_STEPS } from './machine.ts'
import { callMethod } from './methods.ts'
import { createScope, type Scope } from './scope.ts'
import { type ClassValue, type FunctionValue, NONE, text, UNKNOWN, unsure, type Value } from './values.ts'

export type CallArguments = Arguments

/** Calls a value. */
export function callValue(
  target: Value,
  positional: readonly Value[],
  machine: Machine,
  at: number,
  args: Arguments = { positional, named: new Map(), open: false },
): Value {
  switch (target.kind) {
    case 'function': {
      const { site } = machine
      if (target.scope.foreign) machine.site ??= at
      const result = callFunction(target, args, machine)
      machine.site = site
      return result
    }
    case 'class':
      return construct(target, args, machine, at)
    case 'external':
      return callExternal(target.path, args, machine, at)
    case 'method':
      return boundMethod(target, args, machine, at)
    case 'instance': {
      const call = memberOf(target.of, '__call__')
      return call?.kind === 'function'
        ? callFunction({ ...call, self: target }, args, machine)
        : handOver(args, machine, at)
    }
    case 'cli':
      return callCli(target, args, machine, at)
    case 'runtime':
      return target
    default:
      return handOver(args, machine, at)
  }
}

/** Runs a function of the skill and answers what it returns. */
export function callFunction(target: FunctionValue, args: Arguments, machine: Machine): Value {
  const scope = createScope(target.scope)
  bindParameters(target, args, scope, machine)
  const result = deeper(machine, () => {
    if ('lambda' in target.body) return evaluate(target.body.lambda, scope, machine)
    return target.body.definition.text().includes('argument') || machine.limit - machine.steps < SIDE_STEPS
      ? runBody(target, scope, machine)
      : runAside(target, scope, machine)
  })
  return result ?? UNKNOWN
}

function runBody(target: FunctionValue, scope: Scope, machine: Machine): Value {
  if ('lambda' in target.body) return UNKNOWN
  const { branch, asking, leaps } = machine
  machine.asking = ASKS.test(target.body.definition.text())
  let flow: Flow
  try {
    flow = executeBlock(target.body.definition.body(), scope, machine)
  } finally {
    Object.assign(machine, { branch, asking, leaps })
  }
  const returned = typeof flow === 'object' ? flow.returned : NONE
  const all = [...scope.returns, returned]
  if (GENERATES.test(target.body.definition.text())) return UNKNOWN
  return all.reduce((left, right) => join(left, right))
}

const GENERATES = /\byield\b/
const ASKS = /\.parse_(known_|intermixed_|known_intermixed_)?args\b/

/** What has no parser in it gets few steps: its value matters at most for a default. */
function runAside(target: FunctionValue, scope: Scope, machine: Machine): Value {
  const { limit } = machine
  const parent = machine.steps
  machine.limit = Math.min(limit, parent + SIDE_STEPS)
  try {
    return runBody(target, scope, machine)
  } catch (error) {
    if (error !== EXHAUSTED || machine.steps >= limit) throw error
    return UNKNOWN
  } finally {
    machine.limit = limit
  }
}

function bindParameters(target: FunctionValue, args: Arguments, scope: Scope, machine: Machine): void {
  const values = target.self ? [target.self, ...args.positional] : [...args.positional]
  const named = new Map(args.named)
  if (target.owner && target.self) {
    scope.names.set('__class__', target.owner)
    scope.names.set('__self__', target.self)
  }
  for (const parameter of target.parameters) {
    const { name, form } = parameter
    if (form === 'args') {
      scope.names.set(name, {
        kind: 'tuple',
        items: values.splice(0),
        born: machine.branch,
        ...(args.open ? { open: true } : {}),
      })
    } else if (form === 'kwargs') {
      const entries = new Map([...named].map(([key, value]) => [`s${key}`, [text(key), value] as const]))
      scope.names.set(name, { kind: 'dict', entries, born: machine.branch, ...(args.open ? { open: true } : {}) })
    } else {
      const given = named.get(name) ?? (form === 'keyword-only' ? undefined : values.shift())
      named.delete(name)
      scope.names.set(name, given ?? fallback(parameter.fallback, target, args, machine))
    }
  }
}

function fallback(
  expression: FunctionValue['parameters'][number]['fallback'],
  target: FunctionValue,
  args: Arguments,
  machine: Machine,
): Value {
  return expression && !args.open ? evaluate(expression, target.scope, machine) : UNKNOWN
}

function construct(target: ClassValue, args: Arguments, machine: Machine, at: number): Value {
  const initialise = memberOf(target, '__init__')
  if (isParserClass(target)) {
    const parser = createParser(
      initialise ? { positional: [], named: new Map(), open: false } : args,
      machine,
      at,
      target,
    )
    if (initialise?.kind === 'function') callFunction({ ...initialise, self: parser }, args, machine)
    return parser
  }
  const lookedUp = [...target.members.values()].find(
    member =>
      member.kind === 'enum-member' &&
      args.positional[0]?.kind === 'str' &&
      member.value.kind === 'str' &&
      member.value.value === args.positional[0].value,
  )
  if (lookedUp) return lookedUp
  const made: Value = { kind: 'instance', of: target, attributes: new Map(), born: machine.branch }
  if (initialise?.kind === 'function') callFunction({ ...initialise, self: made }, args, machine)
  else {
    for (const [index, field] of target.fields.entries()) {
      const value = args.named.get(field) ?? args.positional[index]
      if (value) made.attributes.set(field, value)
    }
    handOver(args, machine, at)
  }
  return made
}

function isParserClass(target: ClassValue, depth = 0): boolean {
  return target.bases.some(
    base =>
      (base.kind === 'external' && /(^|\.)ArgumentParser$/.test(base.path)) ||
      (base.kind === 'class' && depth < 10 && isParserClass(base, depth + 1)),
  )
}

function boundMethod(target: Extract<Value, { kind: 'method' }>, args: Arguments, machine: Machine, at: number): Value {
  const { object, name } = target
  if (object.kind === 'parser' || object.kind === 'argument-group' || object.kind === 'sub-parsers') {
    return callParserMethod(object, name, args, machine, at)
  }
  if (object.kind === 'cli') return callCliMethod(object, name, args, machine, at)
  return callMethod(object, name, args, machine) ?? handOver(args, machine, at, object)
}

/** A call that cannot be followed: a parser or list handed to it may be changed there. */
export function handOver(args: Arguments, _machine: Machine, at: number, ...others: readonly Value[]): Value {
  const values = [...args.positional, ...args.named.values()]
  for (const value of values) {
    if (value.kind === 'parser' || value.kind === 'argument-group' || value.kind === 'sub-parsers') {
      value.parser.doubts.push({ message: 'The parser is handed to code that could not be read.', at })
    } else if (value.kind === 'list' || value.kind === 'dict') value.open = true
  }
  return unsure(...values, ...others)
}
