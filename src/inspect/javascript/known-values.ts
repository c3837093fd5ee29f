// Arithmetic on constants that are already known.
import type { Json } from '../../types.ts'
import type { Step } from './bindings.ts'

/** A known value; `null` is a value too. */
export type Known = { readonly value: Json }

// Hostile sources double a constant until memory ends.
const LONGEST_TEXT = 20_000

/** Goes down a path into a value; undefined where there is nothing. */
export function walk(known: Known, path: readonly Step[]): Known | undefined {
  let { value } = known
  for (const step of path) {
    if ('from' in step) return Array.isArray(value) ? { value: value.slice(step.from) } : undefined
    const next: Json | undefined = Array.isArray(value)
      ? value[Number(step.at)]
      : isRecord(value) && Object.hasOwn(value, step.at)
        ? value[step.at]
        : undefined
    if (next === undefined) return undefined
    value = next
  }
  return { value }
}

export function combine(operator: string, left: Json, right: Json): Known | undefined {
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) {
    return typeof left === 'object' || typeof right === 'object' ? undefined : short(`${left}${right}`)
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  const result = ARITHMETIC[operator]?.(left, right)
  return result !== undefined && Number.isFinite(result) ? { value: result } : undefined
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
}

export function numeric(text: string): Known | undefined {
  const value = Number(text.replaceAll('_', ''))
  return Number.isFinite(value) ? { value } : undefined
}

export function short(text: string): Known | undefined {
  return text.length <= LONGEST_TEXT ? { value: text } : undefined
}

export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
