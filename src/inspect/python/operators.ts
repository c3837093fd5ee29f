// Operators on values that are known.
import { type Arguments, LONGEST_TEXT, type Machine } from './machine.ts'
import { equals, isOpaque, isTrue, keyOf, text, toRepr, toText, truth, UNKNOWN, unsure, type Value } from './values.ts'

export function unaryOperation(operator: string, operand: Value): Value {
  if (operator === 'not') {
    const known = isTrue(operand)
    return known === undefined ? unsure(operand) : truth(!known)
  }
  if (operand.kind !== 'int' && operand.kind !== 'float') return unsure(operand)
  return operator === '-' ? { kind: operand.kind, value: -operand.value } : operator === '+' ? operand : UNKNOWN
}

export function compare(operator: string, left: Value, right: Value): Value {
  const result = comparison(operator, left, right)
  return result === undefined ? unsure(left, right) : truth(result)
}

function comparison(operator: string, left: Value, right: Value): boolean | undefined {
  switch (operator) {
    case '==':
    case 'is':
      return equals(left, right)
    case '!=':
    case 'is not': {
      const same = equals(left, right)
      return same === undefined ? undefined : !same
    }
    case 'in':
      return contains(right, left)
    case 'not in': {
      const found = contains(right, left)
      return found === undefined ? undefined : !found
    }
  }
  const a = orderable(left)
  const b = orderable(right)
  if (a === undefined || b === undefined || typeof a !== typeof b) return undefined
  return operator === '<' ? a < b : operator === '>' ? a > b : operator === '<=' ? a <= b : a >= b
}

function orderable(value: Value): number | string | undefined {
  if (value.kind === 'int' || value.kind === 'float' || value.kind === 'str') return value.value
  return value.kind === 'bool' ? Number(value.value) : undefined
}

function contains(container: Value, item: Value): boolean | undefined {
  if (container.kind === 'str' && item.kind === 'str') return container.value.includes(item.value)
  const key = keyOf(item)
  if (key === undefined) return undefined
  if (isOpaque(item)) return undefined
  if (container.kind === 'dict') return container.entries.has(key) || (container.open ? undefined : false)
  if (container.kind !== 'list' && container.kind !== 'tuple' && container.kind !== 'set') return undefined
  const keys = container.items.map(keyOf)
  const isSure = !container.open && !keys.includes(undefined) && !container.items.some(isOpaque)
  return keys.includes(key) || (isSure ? false : undefined)
}

export function binaryOperation(operator: string, left: Value, right: Value, machine: Machine): Value {
  if (isNumber(left) && isNumber(right)) return arithmetic(operator, left, right)
  if (left.kind === 'str') {
    if (operator === '+' && right.kind === 'str') return text(left.value + right.value)
    if (operator === '*' && right.kind === 'int')
      return text(left.value.repeat(Math.min(Math.max(0, right.value), 1_000)))
    if (operator === '%') return percent(left.value, right)
  }
  if (isSequence(left) && operator === '+' && right.kind === left.kind) {
    const open = left.open || right.open
    return { kind: left.kind, items: [...left.items, ...right.items], born: machine.branch, ...(open ? { open } : {}) }
  }
  if (isSequence(left) && operator === '*' && right.kind === 'int' && right.value * left.items.length <= 1_000) {
    const items = Array.from({ length: Math.max(0, right.value) }, () => left.items).flat()
    return { kind: left.kind, items, born: machine.branch }
  }
  if (left.kind === 'set' && right.kind === 'set' && !left.open && !right.open)
    return setOperation(operator, left, right)
  if (left.kind === 'dict' && right.kind === 'dict' && operator === '|' && !left.open && !right.open) {
    return { kind: 'dict', entries: new Map([...left.entries, ...right.entries]), born: machine.branch }
  }
  return unsure(left, right)
}

type Collected = Extract<Value, { kind: 'list' | 'tuple' | 'set' }>

function isSequence(value: Value): value is Collected {
  return value.kind === 'list' || value.kind === 'tuple'
}

function setOperation(operator: string, left: Collected, right: Collected): Value {
  const keys = new Set(right.items.map(keyOf))
  const items =
    operator === '|'
      ? [...left.items, ...right.items.filter(item => !left.items.some(other => keyOf(other) === keyOf(item)))]
      : operator === '&'
        ? left.items.filter(item => keys.has(keyOf(item)))
        : operator === '-'
          ? left.items.filter(item => !keys.has(keyOf(item)))
          : undefined
  return items ? { kind: 'set', items, born: left.born } : UNKNOWN
}

type Numeric = Extract<Value, { kind: 'int' | 'float' }>

function isNumber(value: Value): value is Numeric {
  return value.kind === 'int' || value.kind === 'float'
}

function arithmetic(operator: string, left: Numeric, right: Numeric): Value {
  const result = calculate(operator, left.value, right.value)
  if (result === undefined || !Number.isFinite(result)) return UNKNOWN
  const float = left.kind === 'float' || right.kind === 'float' || operator === '/' || !Number.isInteger(result)
  if (!float && !Number.isSafeInteger(result)) return UNKNOWN
  return { kind: float ? 'float' : 'int', value: result }
}

function calculate(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '//':
      return Math.floor(a / b)
    case '%':
      return a - b * Math.floor(a / b)
    case '**':
      return a ** b
    case '<<':
      return a * 2 ** b
    case '|':
      return a <= 0x7fffffff && b <= 0x7fffffff ? a | b : undefined
    default:
      return undefined
  }
}

/** `"%s of %d" % (a, b)`, in its plain forms. */
function percent(template: string, right: Value): Value {
  const values = right.kind === 'tuple' ? [...right.items] : [right]
  let known = true
  let length = template.length
  const result = template.replace(/%(\(\w+\))?([a-z%])/g, (_, name: string | undefined, letter: string) => {
    if (letter === '%') return '%'
    const value = name
      ? right.kind === 'dict'
        ? right.entries.get(`s${name.slice(1, -1)}`)?.[1]
        : undefined
      : values.shift()
    const piece =
      value && (letter === 's' || letter === 'd' ? toText(value) : letter === 'r' ? toRepr(value) : undefined)
    length += piece?.length ?? 0
    if (piece === undefined || length > LONGEST_TEXT) known = false
    return known ? (piece ?? '') : ''
  })
  return known && !/%[^a-z%]/.test(template) ? text(result) : unsure(right)
}

/** A piece of an f-string or of `format`; undefined when it is not known. */
export function formatValue(value: Value, spec: string): string | undefined {
  if (spec === '' || spec === '!s') return toText(value)
  if (spec === '!r') return toRepr(value)
  if (spec === ':,' && value.kind === 'int') return value.value.toLocaleString('en-US')
  const fixed = /^:\.(\d)f$/.exec(spec)
  if (fixed && isNumber(value)) return value.value.toFixed(Number(fixed[1]))
  const padded = /^:([<>]?)(\d{1,3})$/.exec(spec)
  const plain = padded && value.kind === 'str' ? value.value : undefined
  if (plain === undefined) return undefined
  return padded?.[1] === '>' ? plain.padStart(Number(padded[2])) : plain.padEnd(Number(padded?.[2]))
}

/** In the order of `sorted(items, reverse=…)`; undefined when that is not known. */
export function sorted(items: readonly Value[], args: Arguments): Value[] | undefined {
  const keys = items.map(orderable)
  if (args.named.has('key') || keys.includes(undefined) || new Set(keys.map(key => typeof key)).size > 1)
    return undefined
  const copy = [...items].sort((left, right) => {
    const [a, b] = [orderable(left), orderable(right)]
    return a === b ? 0 : a !== undefined && b !== undefined && a < b ? -1 : 1
  })
  const reverse = args.named.get('reverse')
  return reverse && isTrue(reverse) ? copy.reverse() : copy
}
