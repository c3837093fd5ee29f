// Builtin functions on values that are known.

import { attributeOf } from './attributes.ts'
import { callValue } from './call.ts'
import { distinct, itemsOf } from './evaluate.ts'
import { type Arguments, type Machine, RAISED } from './machine.ts'
import { sorted } from './operators.ts'
import { integer, isTrue, keyOf, NONE, text, toRepr, toText, truth, UNKNOWN, unsure, type Value } from './values.ts'

/** Answers a builtin; undefined when there is none of that name. */
export function callBuiltin(name: string, args: Arguments, machine: Machine): Value | undefined {
  const [first, second] = args.positional
  const list = (items: readonly Value[], kind: 'list' | 'tuple' | 'set' = 'list'): Value => ({
    kind,
    items: [...items],
    born: machine.branch,
  })
  const items = first && itemsOf(first)
  switch (name) {
    case 'str':
    case 'int':
    case 'float':
    case 'bool':
    case 'repr':
    case 'abs':
      return first ? convert(name, first) : name === 'str' ? text('') : UNKNOWN
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
    case 'sorted':
    case 'reversed': {
      if (!first) return list([], name === 'tuple' ? 'tuple' : name === 'list' ? 'list' : 'set')
      if (!items) return unsure(first)
      if (name === 'sorted') {
        const ordered = sorted(items, args)
        return ordered ? list(ordered) : unsure(...items)
      }
      if (name === 'reversed') return list([...items].reverse())
      return name === 'list' ? list(items) : name === 'tuple' ? list(items, 'tuple') : list(distinct(items), 'set')
    }
    case 'dict':
      return dict(args, machine)
    case 'len':
      return items ? integer(items.length) : unsure(first ?? UNKNOWN)
    case 'range':
      return range(args.positional, machine)
    case 'enumerate': {
      const start = second ?? args.named.get('start')
      const offset = start?.kind === 'int' ? start.value : 0
      return items
        ? list(items.map((item, index) => list([integer(index + offset), item], 'tuple')))
        : unsure(first ?? UNKNOWN)
    }
    case 'zip': {
      const rows = args.positional.map(itemsOf)
      if (rows.includes(undefined)) return unsure(...args.positional)
      const shortest = Math.min(...rows.map(row => row?.length ?? 0))
      return list(
        Array.from({ length: shortest }, (_, at) =>
          list(
            rows.map(row => row?.[at] ?? UNKNOWN),
            'tuple',
          ),
        ),
      )
    }
    case 'map':
    case 'filter': {
      const source = second && itemsOf(second)
      if (!first || !source || source.length > 300) return unsure(second ?? UNKNOWN)
      const results = source.map(item => callValue(first, [item], machine, 0))
      if (name === 'map') return list(results)
      const kept = results.map(isTrue)
      return kept.includes(undefined) ? UNKNOWN : list(source.filter((_, index) => kept[index]))
    }
    case 'min':
    case 'max':
    case 'sum': {
      const numbers = (args.positional.length > 1 ? args.positional : (items ?? [UNKNOWN])).map(item =>
        item.kind === 'int' || item.kind === 'float' ? item.value : Number.NaN,
      )
      if (numbers.some(Number.isNaN) || numbers.length === 0) return unsure(...args.positional)
      const result = name === 'sum' ? numbers.reduce((a, b) => a + b) : Math[name](...numbers)
      return { kind: Number.isInteger(result) ? 'int' : 'float', value: result }
    }
    case 'getattr':
      return first && second?.kind === 'str' ? attributeOf(first, second.value, machine) : UNKNOWN
    case 'any':
    case 'all': {
      const known = items?.map(isTrue)
      if (!known || known.includes(undefined)) return unsure(first ?? UNKNOWN)
      return truth(name === 'any' ? known.some(Boolean) : known.every(Boolean))
    }
    case 'print':
      return NONE
    case 'isinstance':
      return isInstance(first, second) ?? unsure(first ?? UNKNOWN)
    case 'hasattr':
    case 'callable':
    case 'type':
    case 'vars':
    case 'iter':
    case 'next':
    case 'round':
    case 'globals':
    case 'locals':
      return unsure(first ?? UNKNOWN)
    default:
      return undefined
  }
}

const INTEGER = /^[+-]?\d+(_\d+)*$/
const FLOAT = /^[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?$/i
const INFINITE = /^([+-]?)inf(inity)?$/i

/** What Python's `int` and `float` make of it; undefined when they refuse. */
function toNumber(plain: string, name: string, isText: boolean): number | undefined {
  if (name === 'int') {
    if (isText) return INTEGER.test(plain) ? Number(plain.replaceAll('_', '')) : undefined
    return Math.trunc(Number(plain))
  }
  const infinite = INFINITE.exec(plain)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(plain)) return Number.NaN
  return FLOAT.test(plain) || !isText ? Number(plain.replaceAll('_', '')) : undefined
}

const KINDS: Record<string, readonly Value['kind'][]> = {
  str: ['str'],
  int: ['int', 'bool'],
  float: ['float'],
  bool: ['bool'],
  list: ['list'],
  tuple: ['tuple'],
  dict: ['dict'],
  set: ['set'],
}

function isInstance(value: Value | undefined, types: Value | undefined): Value | undefined {
  const wanted = types && (types.kind === 'tuple' ? types.items : [types]).map(keyOf)
  const kinds = wanted?.map(key => KINDS[key?.slice(1) ?? ''])
  const isPlain = value && Object.values(KINDS).some(known => known.includes(value.kind))
  return isPlain && kinds?.every(Boolean) ? truth(kinds.flat().includes(value.kind)) : undefined
}

/** Conversions reach through to what an unset environment gives. */
function convert(name: string, value: Value): Value {
  if (value.kind === 'runtime') {
    return value.fallback && value.fallback.kind !== 'none'
      ? { ...value, fallback: convert(name, value.fallback) }
      : value
  }
  const plain = name === 'repr' ? toRepr(value) : toText(value)
  switch (name) {
    case 'str':
    case 'repr':
      return plain === undefined ? unsure(value) : text(plain)
    case 'bool': {
      const known = isTrue(value)
      return known === undefined ? unsure(value) : truth(known)
    }
    case 'abs':
      return value.kind === 'int' || value.kind === 'float'
        ? { kind: value.kind, value: Math.abs(value.value) }
        : UNKNOWN
  }
  if (value.kind !== 'str' && value.kind !== 'int' && value.kind !== 'float') return unsure(value)
  const number = toNumber(String(value.value).trim(), name, value.kind === 'str')
  // `int("x")` ends in an exception.
  if (number === undefined) throw RAISED
  if (name === 'int' && !Number.isSafeInteger(number)) return UNKNOWN
  return { kind: name === 'int' ? 'int' : 'float', value: number }
}

function dict(args: Arguments, machine: Machine): Value {
  const [first] = args.positional
  const made: Extract<Value, { kind: 'dict' }> = { kind: 'dict', entries: new Map(), born: machine.branch }
  if (first?.kind === 'dict' && !first.open) for (const [key, pair] of first.entries) made.entries.set(key, pair)
  else if (first || args.open) made.open = true
  for (const [key, value] of args.named) made.entries.set(`s${key}`, [text(key), value])
  return made
}

function range(bounds: readonly Value[], machine: Machine): Value {
  const numbers = bounds.map(bound => (bound.kind === 'int' ? bound.value : Number.NaN))
  if (numbers.some(Number.isNaN)) return unsure(...bounds)
  const [from, to, every] =
    numbers.length === 1 ? [0, numbers[0] ?? 0, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1]
  const length = Math.max(0, Math.ceil((to - from) / every))
  // A port range as a list of choices helps nobody; its bounds do.
  if (length > 70_000 || !Number.isFinite(length)) return UNKNOWN
  return {
    kind: 'list',
    items: Array.from({ length }, (_, index) => integer(from + index * every)),
    born: machine.branch,
  }
}
