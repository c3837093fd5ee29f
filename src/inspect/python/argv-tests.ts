// Conditions on the command line: how many words there are on either side, and which flag or command is meant.
import { type ArgvContext, look, noteFlag } from './argv-expressions.ts'
import type { ArgvState, Bounds } from './argv-model.ts'
import { constantOf, isHelp, refOf, wordsOf } from './argv-refs.ts'
import type { Expression } from './syntax.ts'

export type Outcome = {
  readonly yes: Bounds
  readonly no: Bounds
  /** Known when the first argument is supposed to be a certain word. */
  readonly verdict?: boolean
  /** True only when help is asked for. */
  readonly help?: boolean
  /** The flag that is asked for. */
  readonly member?: string
  /** The flag that a loop has come to. */
  readonly flag?: string
}

type Binary = Extract<Expression, { kind: 'binary' }>

export function test(
  expression: Expression,
  state: ArgvState,
  context: ArgvContext,
): Outcome & { readonly seen: ReadonlySet<number> } {
  const { seen } = context
  context.seen = new Set()
  const outcome = { ...decide(expression, state, context), seen: context.seen }
  context.seen = new Set([...seen, ...outcome.seen])
  return outcome
}

function decide(expression: Expression, state: ArgvState, context: ArgvContext): Outcome {
  const outcome = judge(expression, state, context)
  if (outcome.verdict !== undefined) return outcome
  // A number of words that cannot be decides the matter.
  if (outcome.yes.min > outcome.yes.max) return { ...outcome, verdict: false }
  return outcome.no.min > outcome.no.max ? { ...outcome, verdict: true } : outcome
}

function judge(expression: Expression, state: ArgvState, context: ArgvContext): Outcome {
  const open: Outcome = { yes: state.bounds, no: state.bounds }
  const ref = refOf(expression, state.names, context.flag)
  if (ref?.is === 'list') return split(state.bounds, '>', ref.offset)
  if (ref?.is === 'length') return split(state.bounds, '>', ref.offset)
  // `if not name: sys.exit(1)` asks for the argument where its default is nothing.
  if (ref?.is === 'item' && context.reading.positions.get(ref.index)?.empty) {
    const bounds = look(expression, state, context)
    return { yes: narrow(bounds, ref.index + 1, Number.POSITIVE_INFINITY), no: bounds }
  }
  if (expression.kind === 'unary' && expression.operator === 'not')
    return inverse(decide(expression.operand, state, context))
  if (expression.kind === 'binary') {
    if (expression.operator === 'and' || expression.operator === 'or') return both(expression, state, context)
    return comparison(expression, state, context) ?? { ...open, ...after(expression, state, context) }
  }
  if (expression.kind === 'call' && expression.callee.kind === 'attribute' && expression.callee.name === 'startswith') {
    const object = refOf(expression.callee.object, state.names, context.flag)
    const [first] = expression.args
    const start = first && constantOf(first.value, state.names)
    if (object?.is === 'loop-item' && typeof start === 'string')
      return { ...open, ...prefix(start, expression.at, context) }
  }
  return { ...open, ...after(expression, state, context) }
}

function after(expression: Expression, state: ArgvState, context: ArgvContext): { yes: Bounds; no: Bounds } {
  if (expression.kind === 'binary') {
    const left = look(expression.left, state, context)
    const bounds = look(expression.right, { ...state, bounds: left }, context)
    return { yes: bounds, no: bounds }
  }
  const bounds = look(expression, state, context)
  return { yes: bounds, no: bounds }
}

/** `--name=` begins a flag with its value; `--` alone says nothing. */
function prefix(start: string, at: number, context: ArgvContext): { flag?: string } {
  if (!/^--?\w[\w-]*=$/.test(start)) {
    if (start.startsWith('-')) context.reading.doubts.push({ message: 'Flags are told apart by hand.', at })
    return {}
  }
  const flag = noteFlag(start.slice(0, -1), at, context)
  if (!flag) return {}
  flag.joined = true
  flag.value ??= { type: 'string' }
  return { flag: flag.flag }
}

function inverse({ yes, no, verdict }: Outcome): Outcome {
  return { yes: no, no: yes, ...(verdict === undefined ? {} : { verdict: !verdict }) }
}

function both({ operator, left, right }: Binary, state: ArgvState, context: ArgvContext): Outcome {
  const one = decide(left, state, context)
  const isAnd = operator === 'and'
  if (one.verdict === !isAnd) return one
  const bounds = isAnd ? one.yes : one.no
  const sure = state.sure && one.verdict === undefined ? false : state.sure
  const two = decide(right, { ...state, bounds, sure }, context)
  const verdict =
    two.verdict === !isAnd ? two.verdict : one.verdict === isAnd && two.verdict === isAnd ? isAnd : undefined
  const flag = one.flag ?? two.flag
  const member = !isAnd && one.member && two.member ? sameFlag(one.member, two.member, context) : undefined
  return {
    yes: isAnd ? two.yes : union(one.yes, two.yes),
    no: isAnd ? union(one.no, two.no) : two.no,
    ...(verdict === undefined ? {} : { verdict }),
    ...(one.help && two.help ? { help: true } : {}),
    ...(isAnd && (one.help || two.help) ? { help: true } : {}),
    ...(flag === undefined ? {} : { flag }),
    ...(member === undefined ? {} : { member }),
  }
}

/** `"-v" in argv or "--verbose" in argv` asks for one flag with two spellings. */
function sameFlag(left: string, right: string, { reading }: ArgvContext): string {
  const [kept, other] = right.startsWith('--') && !left.startsWith('--') ? [right, left] : [left, right]
  reading.flags.get(kept)?.aliases.push(other)
  reading.flags.delete(other)
  return kept
}

function union(left: Bounds, right: Bounds): Bounds {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) }
}

function comparison(expression: Binary, state: ArgvState, context: ArgvContext): Outcome | undefined {
  const { left, right, operator } = expression
  const ref = refOf(left, state.names, context.flag)
  const value = constantOf(right, state.names)
  const open: Outcome = { yes: state.bounds, no: state.bounds }
  if (left.kind === 'name' && left.name === '__name__' && value === '__main__')
    return { ...open, verdict: operator === '==' }
  if (ref?.is === 'length') {
    if (typeof value === 'number') return split(state.bounds, operator, value + ref.offset)
    const counts = (operator === 'in' || operator === 'not in') && numbersOf(right)
    if (!counts) return open
    const inside: Outcome = {
      yes: narrow(state.bounds, Math.min(...counts) + ref.offset, Math.max(...counts) + ref.offset),
      no: state.bounds,
    }
    return operator === 'in' ? inside : inverse(inside)
  }
  const length = refOf(right, state.names, context.flag)
  // `i + 1 < len(argv)` guards a flag's value.
  if (length?.is === 'length') return open
  if ((operator === 'in' || operator === 'not in') && length?.is === 'list') {
    const flag = constantOf(left, state.names)
    if (typeof flag !== 'string') return undefined
    if (isHelp(flag)) return operator === 'in' ? { ...open, help: true } : open
    noteFlag(flag, expression.at, context)
    return operator === 'in' ? { ...open, member: flag } : open
  }
  if (ref?.is !== 'item' && ref?.is !== 'loop-item') return undefined
  const words = typeof value === 'string' ? [value] : wordsOf(right, state.names)
  if (!words) return undefined
  const positive = operator === '==' || operator === 'in'
  if (!positive && operator !== '!=' && operator !== 'not in') return undefined
  const outcome =
    ref.is === 'item' ? itemIs(ref.index, words, expression, state, context) : loopIs(words, expression, state, context)
  return positive ? outcome : inverse(outcome)
}

function itemIs(
  index: number,
  words: readonly string[],
  expression: Binary,
  state: ArgvState,
  context: ArgvContext,
): Outcome {
  const bounds = look(expression.left, state, context)
  const yes = expression.left.kind === 'name' ? bounds : narrow(bounds, index + 1, Number.POSITIVE_INFINITY)
  const known: Outcome = { yes, no: bounds }
  const position = context.reading.positions.get(index)
  for (const word of words) if (!isHelp(word)) position?.choices.add(word)
  if (words.every(isHelp))
    return { ...known, help: true, ...(context.word === undefined || index !== 1 ? {} : { verdict: false }) }
  if (index !== 1) return known
  for (const word of words) if (!isHelp(word)) context.reading.words.set(word, expression.at)
  if (context.word === undefined) return known
  return { ...known, verdict: context.word !== null && words.includes(context.word) }
}

function loopIs(words: readonly string[], expression: Binary, state: ArgvState, context: ArgvContext): Outcome {
  const open: Outcome = { yes: state.bounds, no: state.bounds }
  if (words.every(isHelp)) return { ...open, help: true }
  const flags = words.filter(word => word.startsWith('-'))
  const long = flags.find(word => word.startsWith('--')) ?? flags[0]
  if (long === undefined) {
    context.reading.doubts.push({
      message: 'Words among the arguments have a meaning of their own.',
      at: expression.at,
    })
    return open
  }
  noteFlag(long, expression.at, context)
  return { ...open, flag: long }
}

function numbersOf(expression: Expression): readonly number[] | undefined {
  if (expression.kind !== 'list' && expression.kind !== 'tuple' && expression.kind !== 'set') return undefined
  const numbers = expression.items.map(item => constantOf(item))
  return numbers.length > 0 && numbers.every(number => typeof number === 'number') ? numbers : undefined
}

/** `len(argv) <operator> count` on either side. */
function split(bounds: Bounds, operator: string, count: number): Outcome {
  const at = (min: number, max: number) => narrow(bounds, min, max)
  switch (operator) {
    case '<':
      return { yes: at(0, count - 1), no: at(count, Infinity) }
    case '<=':
      return { yes: at(0, count), no: at(count + 1, Infinity) }
    case '>':
      return { yes: at(count + 1, Infinity), no: at(0, count) }
    case '>=':
      return { yes: at(count, Infinity), no: at(0, count - 1) }
    case '==':
      return { yes: at(count, count), no: bounds.min === count ? at(count + 1, Infinity) : bounds }
    case '!=':
      return inverse(split(bounds, '==', count))
    default:
      return { yes: bounds, no: bounds }
  }
}

function narrow(bounds: Bounds, min: number, max: number): Bounds {
  return { min: Math.max(bounds.min, min), max: Math.min(bounds.max, max) }
}
