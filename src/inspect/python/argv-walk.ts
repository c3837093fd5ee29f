// Follows a script that reads `sys.argv` by hand, statement by statement, with how many words there must be.
import { type ArgvContext, look, nameTarget, noteRest, under } from './argv-expressions.ts'
import { mappedWords } from './argv-mapped.ts'
import { type ArgvReading, type ArgvState, type Bounds, createReading, type Names, type Ref } from './argv-model.ts'
import { constantOf, refOf } from './argv-refs.ts'
import { test } from './argv-tests.ts'
import { dotted } from './does-run.ts'
import type { Body, Call, Expression, FunctionDefinition, Statement } from './syntax.ts'

export type ArgvWalk = { readonly reading: ArgvReading; readonly bounds: Bounds; readonly ended: Ending }

/** How a block ends: it goes on, the script gives up, or it is done. */
export type Ending = 'next' | 'gives-up' | 'done'

/** For all walks together. */
const MOST_STEPS = 5_000
const DEEPEST = 8
const MOST_BRANCHES = 200

/** Answers what a script reads if its first argument is `word`: null for one that is not told, undefined for any. */
export type ArgvWalker = (word: string | null | undefined) => ArgvWalk

export function createArgvWalker(statements: readonly Statement[]): ArgvWalker {
  const functions = new Map(
    statements.flatMap(statement => (statement.kind === 'function' ? [[statement.name, statement] as const] : [])),
  )
  const read = readOnce()
  const budget = { steps: 0 }
  return word => {
    const context: ArgvContext = {
      reading: createReading(),
      word,
      budget,
      gaveUp: false,
      functions,
      read,
      depth: 0,
      follow,
      seen: new Set(),
      tested: new Set(),
    }
    const bounds: Bounds = { min: typeof word === 'string' ? 2 : 1, max: Number.POSITIVE_INFINITY }
    const { ended, state } = walkBlock(statements, { names: new Map(), bounds, sure: true }, context)
    return { reading: context.reading, bounds: state.bounds, ended: context.gaveUp ? 'gives-up' : ended }
  }
}

/** Bodies are read from the source each time they are asked for, which several walks would pay for. */
function readOnce(): (body: Body) => readonly Statement[] {
  const known = new WeakMap<Body, readonly Statement[]>()
  return body => {
    const statements = known.get(body) ?? body()
    known.set(body, statements)
    return statements
  }
}

type Outcome = { readonly ended: Ending; readonly state: ArgvState }

function walkBlock(statements: readonly Statement[], state: ArgvState, context: ArgvContext): Outcome {
  let current = state
  for (const statement of statements) {
    if (++context.budget.steps > MOST_STEPS) {
      const message = 'The script is too long to follow.'
      if (!context.reading.doubts.some(doubt => doubt.message === message))
        context.reading.doubts.push({ message, at: statement.at })
      return { ended: 'done', state: current }
    }
    const outcome = walkStatement(statement, current, context)
    current = outcome.state
    if (outcome.ended !== 'next') return { ended: outcome.ended, state: current }
  }
  return { ended: 'next', state: current }
}

function walkStatement(statement: Statement, state: ArgvState, context: ArgvContext): Outcome {
  const next = (bounds = state.bounds): Outcome => ({ ended: 'next', state: { ...state, bounds } })
  switch (statement.kind) {
    case 'expression':
      return walkExpression(statement.value, state, context)
    case 'import':
      for (const { name, as } of statement.from === 'sys' ? statement.names : [])
        if (name === 'argv') state.names.set(as ?? name, { is: 'list', offset: 0, plain: false })
      return next()
    case 'assign': {
      const pairs = pairsOf(statement)
      if (pairs) return walkBlock(pairs, state, context)
      const { value, targets } = statement
      const [target] = targets
      const words = (target?.kind === 'tuple' && mappedWords(value)?.source) || value
      const source = target?.kind === 'tuple' && words.kind === 'index' ? words.object : words
      const list = refOf(source, state.names, context.flag)
      const isKept = list?.is === 'list' && (!list.mapped || target?.kind === 'tuple')
      const outcome = isKept ? next() : walkExpression(value, state, context, target)
      let { bounds } = outcome.state
      for (const one of targets) bounds = nameTarget(one, value, { ...outcome.state, bounds }, context)
      if (target && dotted(target) === 'sys.argv')
        context.reading.doubts.push({ message: 'The script changes its arguments.', at: statement.at })
      return { ended: outcome.ended, state: { ...outcome.state, bounds } }
    }
    case 'update':
      return next(look(statement.value, state, context))
    case 'return':
    case 'raise': {
      const outcome = statement.value ? walkExpression(statement.value, state, context) : next()
      return { ended: statement.kind === 'raise' ? 'gives-up' : 'done', state: outcome.state }
    }
    case 'if':
      if (statement.branches.length <= MOST_BRANCHES) return walkIf(statement, state, context)
      context.reading.doubts.push({ message: 'The script has too many branches to follow.', at: statement.at })
      return next()
    case 'for':
      return walkFor(statement, state, context)
    case 'while':
      return walkWhile(statement, state, context)
    case 'with': {
      let { bounds } = state
      for (const item of statement.items) bounds = look(item.value, { ...state, bounds }, context)
      return walkBlock(context.read(statement.body), { ...state, bounds }, context)
    }
    case 'try':
      return walkTry(statement, state, context)
    case 'match':
      for (const body of statement.cases) walkBlock(context.read(body), { ...state, sure: false }, context)
      return next()
    default:
      return next()
  }
}

/** `key, value = argv[1], argv[2]` as one assignment each; not for names, which may be swapped. */
function pairsOf(statement: Extract<Statement, { kind: 'assign' }>): readonly Statement[] | undefined {
  const { targets, value } = statement
  const [target, ...others] = targets
  if (target?.kind !== 'tuple' || value.kind !== 'tuple' || others.length > 0) return undefined
  const { items } = value
  if (target.items.length !== items.length || target.items.some(one => one.kind === 'star')) return undefined
  if (items.some(item => item.kind === 'name' || item.kind === 'star')) return undefined
  return items.map((item, index) => ({ ...statement, targets: [target.items[index]!], value: item }))
}

function walkExpression(value: Expression, state: ArgvState, context: ArgvContext, target?: Expression): Outcome {
  const bounds = look(value, state, context, target?.kind === 'name' ? { name: target.name } : {})
  const call = value.kind === 'await' ? value.value : value
  const ended = call.kind === 'call' ? endingOf(call, context.functions) : 'next'
  return { ended, state: { ...state, bounds } }
}

/** `sys.exit(1)` gives up, `sys.exit(0)` is done; a function that always exits does the same. */
function endingOf(call: Call, functions: ArgvContext['functions']): Ending {
  const name = dotted(call.callee)
  if (/^(sys\.exit|exit|quit|os\._exit)$/.test(name)) {
    const [first] = call.args
    const code = first && constantOf(first.value)
    // `sys.exit(main())` ends a script that has run.
    return !first || code === 0 || code === null || first.value.kind === 'call' ? 'done' : 'gives-up'
  }
  const definition = functions.get(name)
  if (!definition || !/\bexit\b/.test(definition.text())) return 'next'
  const last = definition.body().at(-1)
  return last?.kind === 'expression' && last.value.kind === 'call' ? endingOf(last.value, new Map()) : 'next'
}

type If = Extract<Statement, { kind: 'if' }>

/** `about` when a test before has looked at the arguments. */
function walkIf(statement: If, state: ArgvState, context: ArgvContext, about = false): Outcome {
  const [branch, ...others] = statement.branches
  if (!branch) {
    const body = statement.otherwise ? context.read(statement.otherwise) : []
    const outcome = walkBlock(body, state, context)
    // `else: print("Unknown command")`
    return about && body.length > 0 && onlySpeaks(body) ? { ...outcome, ended: 'gives-up' } : outcome
  }
  const before = context.reading.flags.size
  const outcome = test(branch.test, state, context)
  const isAbout = outcome.seen.size > 0 || outcome.yes !== outcome.no || context.reading.flags.size > before
  const rest: If = { ...statement, branches: others }
  const left: ArgvState = { ...state, bounds: outcome.no }
  const taken: ArgvState = { ...state, bounds: outcome.yes }
  if (outcome.verdict === true) return walkBlock(context.read(branch.body), taken, context)
  // Help is no way to use a tool.
  if (outcome.verdict === false || outcome.help) return walkIf(rest, left, context, about || isAbout)

  const body = context.read(branch.body)
  const { flag } = context
  context.flag = outcome.flag ?? flag
  const one = under(outcome.seen, context, () => walkBlock(body, { ...taken, sure: false }, context))
  context.flag = flag
  if (isAbout && givesUp(one, body)) return walkIf(rest, left, context, true)
  const other = under(outcome.seen, context, () => walkIf(rest, { ...left, sure: false }, context, about || isAbout))
  if (isAbout && other.ended === 'gives-up') return { ended: one.ended, state: { ...one.state, sure: state.sure } }
  const bounds: Bounds = {
    min: Math.min(one.state.bounds.min, other.state.bounds.min),
    max: Math.max(one.state.bounds.max, other.state.bounds.max),
  }
  const ended = one.ended !== 'next' && other.ended !== 'next' ? 'done' : 'next'
  // After one way has ended well, what follows is only reached on the other.
  const sure = state.sure && one.ended !== 'done' && other.ended !== 'done'
  return { ended, state: { ...state, bounds, sure } }
}

function givesUp({ ended }: Outcome, body: readonly Statement[]): boolean {
  return ended === 'gives-up' || (ended === 'done' && onlySpeaks(body))
}

/** A body that only prints fixed texts tells how to use the script. */
function onlySpeaks(body: readonly Statement[]): boolean {
  return body.every(statement => {
    if (statement.kind === 'return' || statement.kind === 'pass') return true
    if (statement.kind !== 'expression' || statement.value.kind !== 'call') return false
    const { callee, args } = statement.value
    const isFixed = args.every(({ name, value }) => name !== undefined || isText(value))
    return isFixed && /(^|\.)(print\w*|\w*usage|\w*help|write|error|exit|quit)$/.test(dotted(callee))
  })
}

function isText(expression: Expression): boolean {
  if (expression.kind === 'name') return /^[A-Z_]+$|^__doc__$|usage|help/.test(expression.name)
  return ['string', 'format', 'number', 'attribute'].includes(expression.kind)
}

function walkTry(statement: Extract<Statement, { kind: 'try' }>, state: ArgvState, context: ArgvContext): Outcome {
  // A missing word that is caught and mended is no mistake.
  const mends = statement.handlers.some(handler => {
    const catches =
      handler.types.length === 0 || handler.types.some(type => /(IndexError|LookupError|^Exception)$/.test(type))
    const { ended } = walkBlock(context.read(handler.body), { ...state, sure: false }, context)
    return catches && ended === 'next'
  })
  const body = walkBlock(context.read(statement.body), mends ? { ...state, sure: false } : state, context)
  const after = mends ? { ...body.state, bounds: state.bounds, sure: state.sure } : body.state
  const goesOn = body.ended === 'next' && statement.otherwise
  const rest = goesOn
    ? walkBlock(statement.otherwise ? context.read(statement.otherwise) : [], after, context)
    : { ended: body.ended, state: after }
  if (statement.finally) walkBlock(context.read(statement.finally), rest.state, context)
  return rest
}

const BY_HAND = 'Arguments are read one by one in a loop.'

function walkFor(statement: Extract<Statement, { kind: 'for' }>, state: ArgvState, context: ArgvContext): Outcome {
  const { source, target } = statement
  const { reading } = context
  const over = loopOver(source, state.names, context)
  if (!over) look(source, state, context)
  else bindLoop(target, over, state.names)
  const before = [reading.flags.size, reading.doubts.length]
  walkBlock(context.read(statement.body), { ...state, sure: false }, context)
  const plain = before[0] === reading.flags.size && before[1] === reading.doubts.length
  if (over?.is === 'items' && plain) {
    const name = target.kind === 'name' ? target.name : undefined
    noteRest(reading, { from: over.offset, joined: false, type: 'string', at: source.at, ...(name ? { name } : {}) })
  } else if (over) reading.doubts.push({ message: BY_HAND, at: statement.at })
  return { ended: 'next', state }
}

function walkWhile(statement: Extract<Statement, { kind: 'while' }>, state: ArgvState, context: ArgvContext): Outcome {
  const index = positionOf(statement.test, state.names)
  if (index === undefined) test(statement.test, state, context)
  else {
    state.names.set(index, { is: 'loop-index' })
    context.reading.doubts.push({ message: BY_HAND, at: statement.at })
  }
  walkBlock(context.read(statement.body), { ...state, sure: false }, context)
  return { ended: 'next', state }
}

/** `while i < len(argv)`: the name of the position. */
function positionOf(expression: Expression, names: Names): string | undefined {
  if (expression.kind !== 'binary') return undefined
  const { left, right, operator } = expression
  if (operator === 'and') return positionOf(left, names)
  return left.kind === 'name' && /^<=?$/.test(operator) && refOf(right, names)?.is === 'length' ? left.name : undefined
}

type Loop = { readonly is: 'items' | 'pairs' | 'indexes'; readonly offset: number }

function loopOver(source: Expression, names: Names, context: ArgvContext): Loop | undefined {
  const ref = refOf(source, names, context.flag)
  if (ref?.is === 'list') return { is: 'items', offset: ref.offset }
  if (source.kind !== 'call') return undefined
  const inner = source.args.map(arg => refOf(arg.value, names, context.flag))
  const [list] = inner
  const name = dotted(source.callee)
  if (name === 'enumerate' && list?.is === 'list') return { is: 'pairs', offset: list.offset }
  return name === 'range' && inner.some(one => one?.is === 'length') ? { is: 'indexes', offset: 1 } : undefined
}

function bindLoop(target: Expression, over: Loop, names: Names): void {
  const bind = (expression: Expression | undefined, ref: Ref) => {
    if (expression?.kind === 'name') names.set(expression.name, ref)
  }
  if (over.is !== 'pairs') bind(target, { is: over.is === 'items' ? 'loop-item' : 'loop-index' })
  else if (target.kind === 'tuple') {
    bind(target.items[0], { is: 'loop-index' })
    bind(target.items[1], { is: 'loop-item' })
  }
}

/** Goes into a function of the script that reads the arguments, or is handed them. */
function follow(
  definition: FunctionDefinition,
  given: readonly (Ref | undefined)[],
  state: ArgvState,
  context: ArgvContext,
): Bounds {
  if (context.depth >= DEEPEST) return state.bounds
  const names: Names = new Map([...state.names].filter(([, ref]) => ref.is === 'constant' || context.depth === 0))
  for (const [index, parameter] of definition.parameters.entries()) {
    const ref = given[index]
    const fallback = parameter.fallback && constantOf(parameter.fallback)
    if (ref) names.set(parameter.name, ref)
    else if (fallback !== undefined) names.set(parameter.name, { is: 'constant', value: fallback })
    else names.delete(parameter.name)
  }
  context.depth++
  const { state: after, ended } = walkBlock(context.read(definition.body), { ...state, names }, context)
  context.depth--
  if (ended === 'gives-up' && state.sure) context.gaveUp = true
  return after.bounds
}
