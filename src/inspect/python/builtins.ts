// Builtin functions on values that are known.

import { attributeOf } from './attributes.ts'
import { callValue } from './call.ts'
import { distinct, itemsOf } from './evaluate.ts'
import type { Arguments, Machine } from './machine.ts'
import { integer, isTrue, NONE, text, toRepr, toText, truth, UNKNOWN, unsure, type Value } from './values.ts'

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
      if (name === 'sorted') return sorted(items, args) ?? unsure(...items)
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
  const number = Number(String(value.value).trim().replaceAll('_', '') || Number.NaN)
  if (!Number.isFinite(number)) return UNKNOWN
  return name === 'int' ? integer(Math.trunc(number)) : { kind: 'float', value: number }
}

function sorted(items: readonly Value[], args: Arguments): Value | undefined {
  if (args.named.has('key')) return undefined
  const kinds = new Set(items.map(item => item.kind))
  if (kinds.size > 1 || items.some(item => item.kind !== 'str' && item.kind !== 'int' && item.kind !== 'float'))
    return undefined
  const copy = [...items].sort((left, right) => {
    const [a, b] = [left, right].map(item => ('value' in item ? (item.value as string | number) : 0))
    return a !== undefined && b !== undefined && a < b ? -1 : a === b ? 0 : 1
  })
  const reverse = args.named.get('reverse')
  if (reverse && isTrue(reverse)) copy.reverse()
  return { kind: 'list', items: copy, born: 0 }
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
