// Items and methods of strings, lists, sets and dicts.
import { distinct, itemsOf } from './evaluate.ts'
import { type Arguments, charge, LONGEST_TEXT, type Machine } from './machine.ts'
import { formatValue, sorted } from './operators.ts'
import { callStringMethod } from './string-methods.ts'
import {
  type Collection,
  type Dict,
  equals,
  keyOf,
  NONE,
  RUNTIME,
  text,
  toText,
  UNKNOWN,
  unsure,
  type Value,
} from './values.ts'

/** `object[index]`. */
export function itemAt(object: Value, index: Value): Value {
  if (object.kind === 'dict') {
    const key = keyOf(index)
    return (key === undefined ? undefined : object.entries.get(key)?.[1]) ?? unsure(index)
  }
  if (object.kind === 'class') {
    return index.kind === 'str' ? (object.members.get(index.value) ?? UNKNOWN) : object
  }
  // `list[str]`, `os.environ["X"]`
  if (object.kind === 'external') return object.path === 'os.environ' ? RUNTIME : object
  const items = itemsOf(object)
  if (!items || index.kind !== 'int') return unsure(object, index)
  return items.at(index.value) ?? UNKNOWN
}

/** `object[a:b:c]`. */
export function sliceOf(object: Value, bounds: readonly Value[], machine: Machine): Value {
  const numbers = bounds.map(bound =>
    bound.kind === 'int' ? bound.value : bound.kind === 'none' ? undefined : Number.NaN,
  )
  const items = itemsOf(object)
  if (!items || numbers.some(Number.isNaN) || object.kind === 'dict') return unsure(object)
  const [from, to, every = 1] = numbers
  let part = every < 0 && from === undefined && to === undefined ? [...items].reverse() : items.slice(from ?? 0, to)
  if (every !== 1 && every !== -1) part = part.filter((_, index) => index % Math.abs(every) === 0)
  if (object.kind === 'str') return text(part.map(item => toText(item)).join(''))
  return { kind: object.kind === 'tuple' ? 'tuple' : 'list', items: part, born: machine.branch }
}

/** `object[index] = value`. */
export function setItem(object: Value, index: Value, value: Value, machine: Machine): void {
  if (object.kind === 'dict') {
    const key = keyOf(index)
    if (key === undefined || object.born !== machine.branch) object.open = true
    else object.entries.set(key, [index, value])
  } else if (object.kind === 'list') {
    if (index.kind !== 'int' || object.born !== machine.branch) object.open = true
    else object.items.splice(index.value, 1, value)
  }
}

/** `del object[index]`. */
export function removeItem(object: Value, index: Value, machine: Machine): void {
  if (object.kind === 'dict') {
    const key = keyOf(index)
    if (key === undefined || object.born !== machine.branch) object.open = true
    else object.entries.delete(key)
  } else if (object.kind === 'list') {
    if (index.kind !== 'int' || object.born !== machine.branch) object.open = true
    else object.items.splice(index.value, 1)
  }
}

/** A method of a plain value; undefined when the value has none that is known. */
export function callMethod(object: Value, name: string, args: Arguments, machine: Machine): Value | undefined {
  switch (object.kind) {
    case 'str':
      if (name === 'format') return formatMethod(object.value, args)
      return callStringMethod(object.value, name, args, machine)
    case 'list':
    case 'tuple':
    case 'set':
      return collectionMethod(object, name, args, machine)
    case 'dict':
      return dictMethod(object, name, args, machine)
    default:
      return undefined
  }
}

function formatMethod(template: string, args: Arguments): Value {
  let next = 0
  let length = template.length
  const missing: Value[] = []
  const result = template.replace(
    /\{\{|\}\}|\{(\w*)(![rs])?(:[^}]*)?\}/g,
    (whole, name: string | undefined, ...rest) => {
      if (whole === '{{') return '{'
      if (whole === '}}') return '}'
      const [conversion, spec] = rest as [string | undefined, string | undefined]
      const value = !name
        ? args.positional[next++]
        : /^\d+$/.test(name)
          ? args.positional[Number(name)]
          : args.named.get(name)
      const piece = value && formatValue(value, (conversion ?? '') + (spec ?? ''))
      length += piece?.length ?? 0
      if (piece === undefined || length > LONGEST_TEXT) missing.push(value ?? UNKNOWN)
      return missing.length > 0 ? '' : (piece ?? '')
    },
  )
  return missing.length > 0 ? unsure(...missing) : text(result)
}

function collectionMethod(object: Collection, name: string, args: Arguments, machine: Machine): Value {
  const [first] = args.positional
  const certain = object.born === machine.branch && charge(object, machine) === object
  switch (name) {
    case 'append':
    case 'add':
      if (!certain || !first) object.open = true
      else object.items = object.kind === 'set' ? distinct([...object.items, first]) : [...object.items, first]
      return NONE
    case 'extend':
    case 'update': {
      const items = first && itemsOf(first)
      if (!certain || !items) object.open = true
      else object.items = object.kind === 'set' ? distinct([...object.items, ...items]) : [...object.items, ...items]
      return NONE
    }
    case 'insert': {
      const value = args.positional[1]
      if (!certain || first?.kind !== 'int' || !value) object.open = true
      else object.items = object.items.toSpliced(first.value, 0, value)
      return NONE
    }
    case 'remove':
    case 'discard':
      if (!certain || !first) object.open = true
      else object.items = object.items.filter(item => !equals(item, first))
      return NONE
    case 'copy':
      return { ...object, items: [...object.items], born: machine.branch }
    case 'union': {
      const items = args.positional.map(itemsOf)
      if (object.open || items.includes(undefined)) return unsure(object, ...args.positional)
      return {
        kind: 'set',
        items: distinct([...object.items, ...items.flatMap(list => list ?? [])]),
        born: machine.branch,
      }
    }
    case 'index': {
      const position = first ? object.items.findIndex(item => equals(item, first)) : -1
      return position >= 0 && !object.open ? { kind: 'int', value: position } : UNKNOWN
    }
    case 'count':
      return UNKNOWN
    case 'sort':
    case 'reverse': {
      const ordered = name === 'sort' ? sorted(object.items, args) : [...object.items].reverse()
      if (!certain || !ordered) object.open = true
      else object.items = ordered
      return NONE
    }
    case 'pop': {
      const position = first ?? { kind: 'int', value: -1 }
      if (!certain || object.open || position.kind !== 'int') {
        object.open = true
        return UNKNOWN
      }
      const [taken] = object.items.splice(position.value, 1)
      return taken ?? UNKNOWN
    }
    case 'clear':
      if (certain) object.items = []
      else object.open = true
      return NONE
    default:
      object.open = true
      return UNKNOWN
  }
}

function dictMethod(object: Dict, name: string, args: Arguments, machine: Machine): Value {
  const [first, second] = args.positional
  const list = (items: readonly Value[]): Value => ({
    kind: 'list',
    items: [...items],
    born: machine.branch,
    ...(object.open ? { open: true } : {}),
  })
  const pairs = [...object.entries.values()]
  switch (name) {
    case 'keys':
      return list(pairs.map(([key]) => key))
    case 'values':
      return list(pairs.map(([, value]) => value))
    case 'items':
      return list(pairs.map(([key, value]) => ({ kind: 'tuple', items: [key, value], born: machine.branch })))
    case 'get': {
      const key = first && keyOf(first)
      if (key === undefined) return unsure(first ?? UNKNOWN)
      return object.entries.get(key)?.[1] ?? (object.open ? UNKNOWN : (second ?? NONE))
    }
    case 'copy':
      return { ...object, entries: new Map(object.entries), born: machine.branch }
    case 'update': {
      if (object.born !== machine.branch || (first && (first.kind !== 'dict' || first.open)) || args.open)
        object.open = true
      else if (first?.kind === 'dict') for (const [key, pair] of first.entries) object.entries.set(key, pair)
      for (const [key, value] of args.named) object.entries.set(`s${key}`, [text(key), value])
      return NONE
    }
    case 'setdefault': {
      const key = first && keyOf(first)
      const found = key === undefined ? undefined : object.entries.get(key)?.[1]
      if (found) return found
      if (first) setItem(object, first, second ?? NONE, machine)
      return second ?? NONE
    }
    case 'pop': {
      const key = first && keyOf(first)
      const found = key === undefined ? undefined : object.entries.get(key)?.[1]
      if (key === undefined || object.born !== machine.branch) object.open = true
      else object.entries.delete(key)
      return found ?? second ?? UNKNOWN
    }
    default:
      object.open = true
      return UNKNOWN
  }
}
