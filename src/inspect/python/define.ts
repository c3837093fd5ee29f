// Statements that give names a meaning: assignments, imports, functions, classes.
import { externalAttribute } from './attributes.ts'
import { callValue } from './call.ts'
import { evaluate, itemsOf } from './evaluate.ts'
import { executeBlock } from './execute.ts'
import { importModule } from './import-module.ts'
import type { Machine } from './machine.ts'
import { setItem } from './methods.ts'
import { createScope, homeOf, lookUp, type Scope } from './scope.ts'
import type { ClassDefinition, Expression, FunctionDefinition, Import } from './syntax.ts'
import { type ClassValue, type FunctionValue, UNKNOWN, unsure, type Value } from './values.ts'

/** Gives a target its value: a name, an attribute, an item, or several by unpacking. */
export function assign(target: Expression, value: Value, scope: Scope, machine: Machine): void {
  switch (target.kind) {
    case 'name': {
      const home = homeOf(scope, target.name)
      // An assignment to another scope from an uncertain branch is not undone with the branch.
      home.names.set(target.name, home !== scope && machine.branch !== 0 ? UNKNOWN : value)
      return
    }
    case 'tuple':
    case 'list':
      unpack(target.items, value, scope, machine)
      return
    case 'attribute': {
      const object = evaluate(target.object, scope, machine)
      if (object.kind === 'instance') {
        object.attributes.set(target.name, object.born === machine.branch ? value : unsure(value))
      } else if (object.kind === 'parser') {
        object.attributes.set(target.name, value)
        if (target.name === 'description' && value.kind === 'str') object.parser.description = value.value
      } else if (object.kind === 'class') object.members.set(target.name, value)
      else if (object.kind === 'argument') changeArgument(object, target.name, value, machine)
      else if (object.kind === 'external' && object.path.startsWith('argparse'))
        machine.doubts.push({ message: 'The script changes argparse itself.', at: target.at })
      return
    }
    case 'index':
      setItem(evaluate(target.object, scope, machine), evaluate(target.index, scope, machine), value, machine)
      return
    case 'star':
      assign(target.value, value, scope, machine)
  }
}

function changeArgument(target: Extract<Value, { kind: 'argument' }>, name: string, value: Value, machine: Machine) {
  const argument = target.parser.arguments[target.index]
  if (!argument) return
  if (machine.branch !== target.parser.born)
    target.parser.doubts.push({ message: `\`${name}\` may change`, at: argument.at })
  if (name === 'required') argument.options.set('required', value)
  else if (name === 'default' || name === 'choices' || name === 'help' || name === 'type')
    argument.options.set(name, value)
}

function unpack(targets: readonly Expression[], value: Value, scope: Scope, machine: Machine): void {
  const items = itemsOf(value)
  const star = targets.findIndex(target => target.kind === 'star')
  const fits = items && (star < 0 ? items.length === targets.length : items.length >= targets.length - 1)
  if (!items || !fits) {
    for (const target of targets) assign(target, unsure(value), scope, machine)
    return
  }
  const extra = items.length - targets.length
  for (const [index, target] of targets.entries()) {
    if (index === star) {
      const middle: Value = { kind: 'list', items: items.slice(index, index + extra + 1), born: machine.branch }
      assign(target, middle, scope, machine)
    } else assign(target, items[star >= 0 && index > star ? index + extra : index] ?? UNKNOWN, scope, machine)
  }
}

/** Binds imported names, each resolved when it is first used. */
export function bindImport(statement: Import, scope: Scope, machine: Machine): void {
  if (statement.from === undefined) {
    for (const { name, as } of statement.names) {
      const bound = as ?? name.split('.')[0] ?? name
      const target = as ? name : bound
      scope.names.set(bound, { kind: 'lazy', resolve: () => importModule(target, 0, machine) })
    }
    return
  }
  const path = statement.from
  for (const { name, as } of statement.names) {
    if (name === '*') {
      const module = importModule(path, statement.dots, machine)
      const names = module.kind === 'module' ? module.scope()?.names : undefined
      for (const [key, value] of names ?? []) if (!key.startsWith('_')) scope.names.set(key, value)
      if (path === 'argparse') for (const key of ARGPARSE) scope.names.set(key, externalAttribute(path, key))
      continue
    }
    const resolve = (): Value => {
      const inside = importModule(path, statement.dots, machine)
      if (inside.kind === 'external') return externalAttribute(inside.path, name)
      const module = inside.kind === 'module' ? inside.scope() : undefined
      const found = module ? lookUp(module, name) : undefined
      if (found) return found
      return importModule(path ? `${path}.${name}` : name, statement.dots, machine)
    }
    scope.names.set(as ?? name, { kind: 'lazy', resolve })
  }
}

/** What `from argparse import *` brings, as far as it matters. */
const ARGPARSE = [
  'ArgumentParser',
  'BooleanOptionalAction',
  'FileType',
  'REMAINDER',
  'SUPPRESS',
  'OPTIONAL',
  'ZERO_OR_MORE',
  'ONE_OR_MORE',
]

export function defineFunction(statement: FunctionDefinition, scope: Scope, machine: Machine): Value {
  const plain = functionValue(statement, scope)
  return statement.decorators.reduceRight<Value>((value, decorator) => {
    if (BINDINGS.has(nameOf(decorator))) return value
    const made = callValue(evaluate(decorator, scope, machine), [value], machine, decorator.at)
    // A decorator from elsewhere is taken to keep the function as it is.
    return made.kind === 'function' || made.kind === 'instance' || made.kind === 'cli' ? made : value
  }, plain)
}

const BINDINGS = new Map<string, FunctionValue['binding']>([
  ['staticmethod', 'static'],
  ['classmethod', 'class'],
  ['property', 'property'],
  ['cached_property', 'property'],
])

function functionValue(statement: FunctionDefinition, scope: Scope): FunctionValue {
  const binding = statement.decorators.map(decorator => BINDINGS.get(nameOf(decorator))).find(Boolean)
  return {
    kind: 'function',
    name: statement.name,
    parameters: statement.parameters,
    body: { definition: statement },
    scope,
    binding: binding ?? 'plain',
  }
}

function nameOf(expression: Expression): string {
  if (expression.kind === 'attribute' || expression.kind === 'name') return expression.name
  return ''
}

export function defineClass(statement: ClassDefinition, scope: Scope, machine: Machine): Value {
  const inner = createScope(scope)
  const bases = statement.bases.filter(base => !base.name).map(base => evaluate(base.value, scope, machine))
  const body = statement.body()
  executeBlock(body, inner, machine)
  const fields = body.flatMap(item => {
    const target = item.kind === 'declare' ? item.target : item.kind === 'assign' && item.annotation && item.targets[0]
    return target && target.kind === 'name' ? [target.name] : []
  })
  const made: ClassValue = { kind: 'class', name: statement.name, bases, members: new Map(), fields }
  const isEnum = bases.some(base => base.kind === 'external' && /(^|\.)(Str|Int)?Enum$/.test(base.path))
  for (const name of inner.names.keys()) {
    const value = lookUp(inner, name) ?? UNKNOWN
    if (value.kind === 'function') made.members.set(name, { ...value, owner: made })
    else if (isEnum && !name.startsWith('_')) made.members.set(name, { kind: 'enum-member', of: made, name, value })
    else made.members.set(name, value)
  }
  return made
}
