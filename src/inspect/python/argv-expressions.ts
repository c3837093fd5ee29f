// Expressions of a script that reads `sys.argv` by hand: what they read, and what they make sure of.
import type { Json } from '../../types.ts'
import { CONVERSIONS, type Mapped, mappedWords } from './argv-mapped.ts'
import type { ArgvReading, ArgvState, Bounds, Flag, Names, Position, Ref } from './argv-model.ts'
import { constantOf, isHelp, refOf } from './argv-refs.ts'
import { type Outcome, test } from './argv-tests.ts'
import { dotted } from './does-run.ts'
import type { Body, Call, Expression, FunctionDefinition, Statement } from './syntax.ts'
import { partsOf } from './visit-syntax.ts'

export type ArgvContext = {
  readonly reading: ArgvReading
  /** The first argument, null for one that is not told, undefined when nothing is supposed of it. */
  readonly word: string | null | undefined
  readonly functions: ReadonlyMap<string, FunctionDefinition>
  /** Goes into a function; answers what it makes sure of. */
  readonly follow: (
    definition: FunctionDefinition,
    given: readonly (Ref | undefined)[],
    state: ArgvState,
    context: ArgvContext,
  ) => Bounds
  /** Steps that all walks have taken. */
  readonly budget: { steps: number }
  readonly read: (body: Body) => readonly Statement[]
  /** A function that is surely called gives up. */
  gaveUp: boolean
  depth: number
  /** Positions that were looked at since the last test, and those on which the code that is walked depends. */
  seen: Set<number>
  tested: ReadonlySet<number>
  /** The flag whose branch of a loop is walked. */
  flag?: string | undefined
}

type Type = Position['type']
type Wanted = {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly weak?: string | undefined
  readonly type?: Type
  readonly fallback?: Json | undefined
}

/** No command line is read by hand beyond it. */
const FURTHEST = 50

const ODD = 'The arguments are used in a way that could not be read.'

/** Notes what an expression reads; answers how many words there are for sure after it. */
export function look(expression: Expression, state: ArgvState, context: ArgvContext, wanted: Wanted = {}): Bounds {
  const ref = refOf(expression, state.names, context.flag)
  if (ref?.is === 'item') {
    const bounds = noteItem(ref.index, expression.at, state, context, wanted)
    // A name was given its value before, perhaps by default.
    return expression.kind === 'name' ? state.bounds : bounds
  }
  if (ref?.is === 'value') {
    noteValue(ref.flag, expression.at, context, wanted)
    return state.bounds
  }
  if (ref?.is === 'list' && !ref.mapped) {
    context.reading.doubts.push({ message: ODD, at: expression.at })
    return state.bounds
  }
  if (ref?.is === 'place') noteFlag(ref.flag, expression.at, context)
  if (ref && ref.is !== 'list') return state.bounds
  const mapped = ref && mappedWords(expression)
  if (mapped) return lookMapped(mapped, state, context, wanted)
  switch (expression.kind) {
    case 'conditional': {
      const outcome = test(expression.test, state, context)
      if (outcome.verdict !== undefined)
        return look(outcome.verdict ? expression.yes : expression.no, state, context, wanted)
      const [no, yes] = [expression.no, expression.yes].map(side => constantOf(side, state.names))
      const fallback = no === undefined ? yes : no
      under(outcome.seen, context, () => {
        look(expression.yes, { ...state, bounds: outcome.yes, sure: false }, context, { ...wanted, fallback })
        look(expression.no, { ...state, bounds: outcome.no, sure: false }, context, { ...wanted, fallback })
      })
      return state.bounds
    }
    case 'binary': {
      if (isLogical(expression)) return merged(test(expression, state, context), state)
      return parts(expression, state, context)
    }
    case 'unary':
      return expression.operator === 'not'
        ? merged(test(expression, state, context), state)
        : parts(expression, state, context)
    case 'call':
      return lookCall(expression, state, context, wanted)
    case 'lambda':
      return state.bounds
    default:
      return parts(expression, state, context)
  }
}

/** Walks what depends on the value of some positions. */
export function under<T>(positions: ReadonlySet<number>, context: ArgvContext, walk: () => T): T {
  const { tested } = context
  context.tested = new Set([...tested, ...positions])
  const result = walk()
  context.tested = tested
  return result
}

/** A test whose result is only kept tells nothing of what follows. */
function merged(_: Outcome, state: ArgvState): Bounds {
  return state.bounds
}

export function isLogical(expression: Extract<Expression, { kind: 'binary' }>): boolean {
  return /^(and|or|==|!=|<|>|<=|>=|in|not in|is|is not)$/.test(expression.operator)
}

function parts(expression: Expression, state: ArgvState, context: ArgvContext): Bounds {
  let { bounds } = state
  for (const part of partsOf(expression)) bounds = look(part, { ...state, bounds }, context)
  return bounds
}

const SAME = /(^|\.)(Path|str|abspath|expanduser|realpath|normpath|loads|resolve)$/

/** Every word from a position on is treated alike, unless some of them turn out to be flags. */
function lookMapped(
  { source, target, looked, type }: Mapped,
  state: ArgvState,
  context: ArgvContext,
  wanted: Wanted,
): Bounds {
  const list = refOf(source, state.names, context.flag)
  if (list?.is !== 'list') return state.bounds
  const { reading } = context
  const before = reading.flags.size + reading.doubts.length
  const names: Names = new Map(state.names)
  const word = target?.kind === 'name' ? target.name : undefined
  if (word) names.set(word, { is: 'loop-item' })
  for (const part of looked) {
    test(part, { ...state, names, sure: false }, context)
    const definition = word ? undefined : context.functions.get(dotted(part))
    if (definition) checkFlags(definition, part.at, context)
  }
  if (reading.flags.size + reading.doubts.length > before) {
    reading.doubts.push({ message: ODD, at: source.at })
    return state.bounds
  }
  if (list.mapped) return look(source, state, context, wanted)
  // Names such as `x` say nothing.
  const name = wanted.name ?? (word && word.length > 1 ? word : undefined)
  const depends = [...context.tested].some(index => index >= list.offset)
  const rest = { from: list.offset, joined: false, type: depends ? 'string' : type, at: source.at } as const
  noteRest(reading, name ? { ...rest, name } : rest)
  return state.bounds
}

/** A function that is handed the words one by one may tell flags apart. */
function checkFlags(definition: FunctionDefinition, at: number, { reading }: ArgvContext): void {
  if (/["']-/.test(definition.text())) reading.doubts.push({ message: 'Flags are told apart by hand.', at })
}

function lookCall(call: Call, state: ArgvState, context: ArgvContext, wanted: Wanted): Bounds {
  const name = dotted(call.callee)
  const [first] = call.args
  const refs = call.args.map(arg => refOf(arg.value, state.names, context.flag))
  if (call.callee.kind === 'attribute') {
    const object = refOf(call.callee.object, state.names, context.flag)
    if (object?.is === 'list') return listMethod(call, call.callee.name, state, context)
    if (object?.is === 'item' || object?.is === 'value') return itemMethod(call, call.callee, state, context, wanted)
    const list = refs[0]
    if (call.callee.name === 'join' && name !== 'shlex.join' && list?.is === 'list' && !list.mapped) {
      const { name: given } = wanted
      const at = first?.value.at ?? call.at
      noteRest(context.reading, {
        from: list.offset,
        joined: true,
        type: 'string',
        at,
        ...(given ? { name: given } : {}),
      })
      return state.bounds
    }
  }
  const type = CONVERSIONS[name]
  if (type && first) return look(first.value, state, context, { ...wanted, type })
  if (/^(print|logging\.\w+|logger\.\w+|len|repr)$/.test(name)) {
    for (const [index, ref] of refs.entries())
      if (ref?.is === 'list' && !ref.mapped && name !== 'len')
        notePrinted(context.reading, ref.offset, call.args[index]?.value.at ?? call.at)
    return call.args
      .filter((_, index) => !isPlainList(refs[index]))
      .reduce((bounds, arg) => look(arg.value, { ...state, bounds }, context), state.bounds)
  }
  const definition = context.functions.get(name)
  let { bounds } = state
  for (const [index, arg] of call.args.entries()) {
    const ref = refs[index]
    if (definition && ref?.is === 'loop-item') checkFlags(definition, call.at, context)
    if (ref?.is === 'list' && !ref.mapped) {
      if (!definition) context.reading.doubts.push({ message: 'The arguments are handed on.', at: call.at })
      continue
    }
    const hint = arg.name ?? definition?.parameters[index]?.name
    const only = call.args.length === 1 && !definition ? wanted.name : undefined
    // `Path(argv[1])` keeps the name of the value.
    const own = SAME.test(name) ? only : undefined
    const keep = call.args.length === 1 ? wanted.fallback : undefined
    bounds = look(arg.value, { ...state, bounds }, context, { name: own, hint, weak: only, fallback: keep })
  }
  if (call.callee.kind !== 'name') bounds = look(call.callee, { ...state, bounds }, context)
  const reads = definition && (/\bargv\b/.test(definition.text()) || refs.some(ref => ref?.is === 'list'))
  const leads = definition && context.depth < 3 && definition.parameters.length === 0
  return definition && (reads || leads) ? context.follow(definition, refs, { ...state, bounds }, context) : bounds
}

function isPlainList(ref: Ref | undefined): boolean {
  return ref?.is === 'list' && !ref.mapped
}

/** The furthest list tells most: `print(argv)` shows what is read elsewhere. */
function notePrinted(reading: ArgvReading, from: number, at: number): void {
  if (from > (reading.printed?.from ?? 0)) reading.printed = { from, joined: false, type: 'string', at }
}

function listMethod(call: Call, name: string, state: ArgvState, context: ArgvContext): Bounds {
  const [first] = call.args
  const constant = first && constantOf(first.value, state.names)
  const list = call.callee.kind === 'attribute' ? refOf(call.callee.object, state.names, context.flag) : undefined
  if (list?.is === 'list' && list.mapped) return parts(call, state, context)
  if (name === 'index' && typeof constant === 'string') noteFlag(constant, call.at, context)
  else if (name === 'copy' || name === 'count') return state.bounds
  // What was looked for as a flag is taken out.
  else if (!(name === 'remove' && typeof constant === 'string' && context.reading.flags.has(constant)))
    context.reading.doubts.push({ message: ODD, at: call.at })
  return state.bounds
}

function itemMethod(
  call: Call,
  callee: Extract<Expression, { kind: 'attribute' }>,
  state: ArgvState,
  context: ArgvContext,
  wanted: Wanted,
): Bounds {
  const ref = refOf(callee.object, state.names, context.flag)
  const bounds = look(
    callee.object,
    state,
    context,
    callee.name === 'startswith' ? {} : { name: wanted.name, fallback: wanted.fallback },
  )
  const [first] = call.args
  const start = first && constantOf(first.value, state.names)
  const position = ref?.is === 'item' ? context.reading.positions.get(ref.index) : undefined
  if (position && callee.name === 'startswith' && typeof start === 'string' && start.startsWith('-'))
    position.guarded = true
  return bounds
}

function noteItem(index: number, at: number, state: ArgvState, context: ArgvContext, wanted: Wanted): Bounds {
  if (index <= 0) return state.bounds
  if (index > FURTHEST) {
    context.reading.doubts.push({ message: ODD, at })
    return state.bounds
  }
  const { positions } = context.reading
  const position: Position = positions.get(index) ?? {
    choices: new Set(),
    type: 'string',
    loose: false,
    guarded: false,
    at,
  }
  positions.set(index, position)
  if (wanted.name) {
    const twin = [...positions].some(([other, { name }]) => other !== index && name === wanted.name)
    if (twin) context.reading.doubts.push({ message: `\`${wanted.name}\` can stand in two places.`, at })
    position.name ??= wanted.name
  }
  if (wanted.hint) position.hint ??= wanted.hint
  if (wanted.weak) position.weak ??= wanted.weak
  // A number that is one only under a condition on it may be a word, too.
  if (wanted.type && !context.tested.has(index)) position.type = wanted.type
  context.seen.add(index)
  if (wanted.fallback !== undefined && wanted.fallback !== null) position.fallback ??= wanted.fallback
  if (wanted.fallback === null) position.empty = true
  if (index < state.bounds.min) return state.bounds
  if (state.sure) return { ...state.bounds, min: index + 1 }
  position.loose = true
  return state.bounds
}

/** A flag that the script looks for. */
export function noteFlag(flag: string, at: number, context: ArgvContext): Flag | undefined {
  if (isHelp(flag)) return undefined
  const found: Flag = context.reading.flags.get(flag) ?? { flag, aliases: [], joined: false, at }
  context.reading.flags.set(flag, found)
  return found
}

function noteValue(flag: string, at: number, context: ArgvContext, { name, hint, type, fallback }: Wanted): void {
  const found = noteFlag(flag, at, context)
  if (!found) return
  found.value ??= { type: 'string' }
  if (type) found.value.type = type
  const given = name ?? hint
  if (given) found.value.name ??= given
  if (fallback !== undefined && fallback !== null) found.value.fallback ??= fallback
}

export function noteRest(reading: ArgvReading, rest: NonNullable<ArgvReading['rest']>): void {
  if (reading.rest && reading.rest.from !== rest.from)
    reading.doubts.push({ message: 'The arguments are read in two ways.', at: rest.at })
  const before = reading.rest ?? rest
  const type = before.type === rest.type ? rest.type : 'string'
  reading.rest = { ...before, joined: before.joined && rest.joined, type }
}

/** Gives the target of an assignment its meaning. */
export function nameTarget(target: Expression, value: Expression, state: ArgvState, context: ArgvContext): Bounds {
  if (target.kind === 'tuple' || target.kind === 'list') return unpack(target.items, value, state, context)
  if (target.kind !== 'name') return state.bounds
  const ref = refOf(value, state.names, context.flag) ?? innerRef(value, state, context)
  const constant = constantOf(value, state.names)
  const before = state.names.get(target.name)
  if (ref?.is === 'item' && before?.is === 'constant') {
    const position = context.reading.positions.get(ref.index)
    if (position && before.value !== null) position.fallback ??= before.value
  }
  if (ref?.is === 'value' && before?.is === 'constant') {
    const flag = context.reading.flags.get(ref.flag)
    if (flag?.value && before.value !== null) flag.value.fallback ??= before.value
  }
  if (ref) state.names.set(target.name, ref)
  else if (constant !== undefined) state.names.set(target.name, { is: 'constant', value: constant })
  else state.names.delete(target.name)
  return state.bounds
}

/** `int(argv[1])`, `argv[1].lower()` and `argv[1] if … else …` are still that argument. */
function innerRef(value: Expression, state: ArgvState, context: ArgvContext): Ref | undefined {
  const inner =
    value.kind === 'conditional'
      ? value.yes
      : value.kind !== 'call'
        ? undefined
        : value.callee.kind === 'attribute' && /^(strip|lower|upper)$/.test(value.callee.name)
          ? value.callee.object
          : value.args.length === 1 && /^(int|float|str|Path)$/.test(dotted(value.callee))
            ? value.args[0]?.value
            : undefined
  const ref = inner && (refOf(inner, state.names, context.flag) ?? innerRef(inner, state, context))
  return ref?.is === 'item' || ref?.is === 'value' || ref?.is === 'loop-item' ? ref : undefined
}

/** `_, source, target = sys.argv`, `source, target = sys.argv[1:3]`. */
function unpack(targets: readonly Expression[], given: Expression, state: ArgvState, context: ArgvContext): Bounds {
  const mapped = mappedWords(given)
  const value = mapped?.source ?? given
  const sliced = value.kind === 'index' && value.index.kind === 'slice' ? value : undefined
  const from = sliced?.index.kind === 'slice' ? sliced.index.bounds[0] : undefined
  const start = from ? constantOf(from, state.names) : undefined
  const whole = refOf(value, state.names, context.flag)
  const base = sliced && whole?.is !== 'list' ? refOf(sliced.object, state.names, context.flag) : undefined
  const offset =
    whole?.is === 'list'
      ? whole.offset
      : base?.is === 'list' && typeof start === 'number' && start >= 0
        ? base.offset + start
        : undefined
  if (offset === undefined) {
    for (const target of targets) if (target.kind === 'name') state.names.delete(target.name)
    return state.bounds
  }
  const type = mapped?.type ?? 'string'
  let { bounds } = state
  for (const [index, target] of targets.entries()) {
    if (target.kind === 'star') {
      const name = target.value.kind === 'name' ? target.value.name : undefined
      if (index < targets.length - 1) context.reading.doubts.push({ message: ODD, at: target.at })
      else
        noteRest(context.reading, {
          from: offset + index,
          joined: false,
          type,
          at: target.at,
          ...(name ? { name } : {}),
        })
      continue
    }
    if (target.kind !== 'name') continue
    bounds = noteItem(offset + index, target.at, { ...state, bounds }, context, { name: target.name, type })
    state.names.set(target.name, { is: 'item', index: offset + index })
  }
  return bounds
}
