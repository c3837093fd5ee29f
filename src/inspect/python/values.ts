// What the reader knows of a Python value without running anything.
import type { Json } from '../../types.ts'
import type { ParserModel } from './argparse-model.ts'
import type { CliObject, CliParameter } from './cli-model.ts'
import type { Scope } from './scope.ts'
import type { Expression, FunctionDefinition, Parameter } from './syntax.ts'

export type Value =
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int' | 'float'; readonly value: number }
  | { readonly kind: 'str'; readonly value: string }
  | Collection
  | Dict
  | FunctionValue
  | ClassValue
  | Instance
  | { readonly kind: 'enum-member'; readonly of: ClassValue; readonly name: string; readonly value: Value }
  /** A method of a value, as in `names.append`. */
  | { readonly kind: 'method'; readonly object: Value; readonly name: string }
  | { readonly kind: 'super'; readonly of: ClassValue; readonly object: Value }
  /** A module of the skill. */
  | { readonly kind: 'module'; readonly scope: () => Scope | undefined }
  /** Something outside the skill, by its dotted name: a builtin, `argparse.ArgumentParser`. */
  | { readonly kind: 'external'; readonly path: string }
  | { readonly kind: 'parser'; readonly parser: ParserModel; readonly of?: ClassValue; readonly attributes: Attributes }
  | { readonly kind: 'argument-group'; readonly parser: ParserModel; readonly exclusive?: number }
  | { readonly kind: 'sub-parsers'; readonly parser: ParserModel }
  | { readonly kind: 'argument'; readonly parser: ParserModel; readonly index: number }
  /** Something of click or typer: a command, an app, a type. */
  | { readonly kind: 'cli'; readonly cli: CliObject }
  /** Depends on where and when the script runs; `fallback` is what it is when nothing is set there. */
  | { readonly kind: 'runtime'; readonly fallback?: Value; readonly from?: string }
  | { readonly kind: 'unknown' }

export type Attributes = Map<string, Value>

/** `born` is the branch of the execution that made it: a change from another branch may or may not happen. */
export type Collection = {
  readonly kind: 'list' | 'tuple' | 'set'
  items: Value[]
  readonly born: number
  open?: boolean
}

export type Dict = {
  readonly kind: 'dict'
  readonly entries: Map<string, readonly [key: Value, value: Value]>
  readonly born: number
  open?: boolean
}

export type FunctionValue = {
  readonly kind: 'function'
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly lambda: Expression } | { readonly definition: FunctionDefinition }
  readonly scope: Scope
  readonly binding: 'plain' | 'static' | 'class' | 'property'
  /** The class that defines it. */
  readonly owner?: ClassValue
  readonly self?: Value
  /** What click's decorators have declared on it. */
  readonly declared?: readonly CliParameter[]
  /** What `functools.wraps` says it stands for. */
  readonly wraps?: FunctionValue
}

export type ClassValue = {
  readonly kind: 'class'
  readonly name: string
  readonly bases: readonly Value[]
  readonly members: Attributes
  /** Annotated names in order, for dataclasses and the like. */
  readonly fields: readonly string[]
}

export type Instance = {
  readonly kind: 'instance'
  readonly of: ClassValue
  readonly attributes: Attributes
  readonly born: number
}

export const NONE: Value = { kind: 'none' }
export const UNKNOWN: Value = { kind: 'unknown' }
export const RUNTIME: Value = { kind: 'runtime' }

export const text = (value: string): Value => ({ kind: 'str', value })
export const integer = (value: number): Value => ({ kind: 'int', value })
export const truth = (value: boolean): Value => ({ kind: 'bool', value })

/** What comes of mixing values of which one is not known. */
export function unsure(...values: readonly Value[]): Value {
  return values.some(value => value.kind === 'unknown') || !values.some(value => value.kind === 'runtime')
    ? UNKNOWN
    : RUNTIME
}

/** Whether Python takes it for true; undefined when that is not known. */
export function isTrue(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'none':
      return false
    case 'bool':
      return value.value
    case 'int':
    case 'float':
      return value.value !== 0
    case 'str':
      return value.value !== ''
    case 'list':
    case 'tuple':
    case 'set':
      return value.open ? undefined : value.items.length > 0
    case 'dict':
      return value.open ? undefined : value.entries.size > 0
    case 'runtime':
    case 'unknown':
      return undefined
    case 'external':
      return isOpaque(value) ? undefined : true
    default:
      return true
  }
}

const TYPES = new Set('int float str bool list dict tuple set frozenset bytes complex object type'.split(' '))

/** Something from elsewhere that may be a constant, so that nothing is known but its name. */
export function isOpaque(value: Value): boolean {
  return value.kind === 'external' && !TYPES.has(value.path)
}

/** A key under which equal values meet; undefined for values that cannot be compared. */
export function keyOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'none':
      return 'none'
    case 'bool':
      return `n${Number(value.value)}`
    case 'int':
    case 'float':
      return `n${value.value}`
    case 'str':
      return `s${value.value}`
    case 'tuple': {
      if (isTooBig(value)) return undefined
      const keys = value.items.map(keyOf)
      return keys.includes(undefined) ? undefined : `t${keys.map(key => `${key?.length}:${key}`).join('')}`
    }
    case 'enum-member':
      return `e${value.of.name}.${value.name}`
    case 'external':
      return `x${value.path}`
    default:
      return undefined
  }
}

/** Whether `==` holds; undefined when that is not known. */
export function equals(left: Value, right: Value): boolean | undefined {
  const a = keyOf(left)
  const b = keyOf(right)
  if (a !== undefined && b !== undefined) return a === b || (isOpaque(left) || isOpaque(right) ? undefined : false)
  if (left === right && left.kind !== 'unknown' && left.kind !== 'runtime') return true
  const plain = ['none', 'bool', 'int', 'float', 'str', 'list', 'tuple', 'set', 'dict']
  if (left.kind !== right.kind && plain.includes(left.kind) && plain.includes(right.kind)) return false
  return undefined
}

/** Heavier values are of no use to a reader, and their parts may be shared so often that counting them never ends. */
const HEAVIEST = 100_000

export function isTooBig(value: Value): boolean {
  return weigh(value) > HEAVIEST
}

/** How many parts it has, those of its parts included; more than `HEAVIEST` is not counted to the end. */
function weigh(value: Value, soFar = 0): number {
  let weight = soFar + 1
  const parts = 'items' in value ? value.items : value.kind === 'dict' ? value.entries.values() : []
  for (const part of parts) {
    if (weight > HEAVIEST) return weight
    weight = weigh(Array.isArray(part) ? part[1] : (part as Value), weight)
  }
  return weight
}

/** The value as JSON; undefined when it has no such form or is not known. */
export function toJson(value: Value): Json | undefined {
  if (isTooBig(value)) return undefined
  return json(value)
}

function json(value: Value): Json | undefined {
  switch (value.kind) {
    case 'none':
      return null
    case 'bool':
    case 'str':
      return value.value
    case 'int':
    case 'float':
      return Number.isFinite(value.value) ? value.value : undefined
    case 'list':
    case 'tuple':
    case 'set': {
      if (value.open) return undefined
      const items = value.items.map(json)
      return items.includes(undefined) ? undefined : (items as Json[])
    }
    case 'dict': {
      if (value.open) return undefined
      const result: Record<string, Json> = {}
      for (const [key, item] of value.entries.values()) {
        const plain = json(item)
        const name = toText(key)
        if (plain === undefined || name === undefined) return undefined
        result[name] = plain
      }
      return result
    }
    default:
      return undefined
  }
}

/** What `str()` makes of it; undefined when that is not known. */
export function toText(value: Value): string | undefined {
  switch (value.kind) {
    case 'str':
      return value.value
    case 'none':
      return 'None'
    case 'bool':
      return value.value ? 'True' : 'False'
    case 'int':
      return String(value.value)
    case 'float':
      return Number.isInteger(value.value) && Math.abs(value.value) < 1e16 ? `${value.value}.0` : String(value.value)
    case 'list':
    case 'tuple':
    case 'set':
    case 'dict':
      return toRepr(value)
    case 'enum-member':
      return `${value.of.name}.${value.name}`
    default:
      return undefined
  }
}

/** What `repr()` makes of it; undefined when that is not known. */
export function toRepr(value: Value): string | undefined {
  return isTooBig(value) ? undefined : repr(value)
}

function repr(value: Value): string | undefined {
  if (value.kind === 'str') {
    const quote = value.value.includes("'") && !value.value.includes('"') ? '"' : "'"
    const escaped = value.value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
    return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
  }
  if (value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set') {
    const items = value.items.map(repr)
    if (value.open || items.includes(undefined)) return undefined
    const inner = items.join(', ')
    if (value.kind === 'list') return `[${inner}]`
    if (value.kind === 'set') return `{${inner}}`
    return items.length === 1 ? `(${inner},)` : `(${inner})`
  }
  if (value.kind === 'dict') {
    const items = [...value.entries.values()].map(([key, item]) => [repr(key), repr(item)])
    if (value.open || items.some(pair => pair.includes(undefined))) return undefined
    return `{${items.map(pair => pair.join(': ')).join(', ')}}`
  }
  return toText(value)
}
