// What an expression stands for, seen from the command line.
import type { Json } from '../../types.ts'
import { mappedWords } from './argv-mapped.ts'
import type { Names, Ref } from './argv-model.ts'
import { dotted } from './does-run.ts'
import type { Expression } from './syntax.ts'

/** The part of the command line that an expression is; `flag` is the one whose value comes next in a loop. */
export function refOf(expression: Expression, names: Names, flag?: string): Ref | undefined {
  switch (expression.kind) {
    case 'name': {
      const ref = names.get(expression.name)
      return ref?.is === 'constant' ? undefined : ref
    }
    case 'attribute':
      return dotted(expression) === 'sys.argv' ? { is: 'list', offset: 0, plain: false } : undefined
    case 'index':
      return indexed(expression, names, flag)
    case 'call': {
      const [first] = expression.args
      const inner = first && refOf(first.value, names, flag)
      const name = dotted(expression.callee)
      if (name === 'len' && inner?.is === 'list') return { is: 'length', offset: inner.offset }
      if ((name === 'list' || name === 'tuple') && inner?.is === 'list') return inner
      if ((name === 'set' || name === 'sorted') && inner?.is === 'list' && inner.mapped) return inner
      if (name === 'map') return mappedList(expression, names, flag)
      if (expression.callee.kind !== 'attribute') return undefined
      const object = refOf(expression.callee.object, names, flag)
      if (object?.is !== 'list') return undefined
      if (expression.callee.name === 'copy') return object
      const word = first && constantOf(first.value, names)
      return expression.callee.name === 'index' && typeof word === 'string' ? { is: 'place', flag: word } : undefined
    }
    case 'binary': {
      if (expression.operator !== 'or') return undefined
      return listOf(refOf(expression.left, names, flag)) ?? listOf(refOf(expression.right, names, flag))
    }
    case 'conditional':
      return listOf(refOf(expression.yes, names, flag)) ?? listOf(refOf(expression.no, names, flag))
    case 'comprehension': {
      const [clause] = expression.clauses
      // Once only: comprehensions may be nested.
      const source = clause && refOf(clause.source, names, flag)
      if (source?.is !== 'list' || clause?.target.kind !== 'name' || expression.clauses.length > 1) return undefined
      const { name } = clause.target
      const same = expression.element.kind === 'name' && expression.element.name === name
      const [test] = clause.tests
      if (same && clause.tests.length === 1 && test && dropsFlags(test, name)) return { ...source, plain: true }
      return { ...source, mapped: true }
    }
    default:
      return undefined
  }
}

function mappedList(expression: Expression, names: Names, flag: string | undefined): Ref | undefined {
  const mapped = mappedWords(expression)
  const list = mapped && refOf(mapped.source, names, flag)
  return list?.is === 'list' ? { ...list, mapped: true } : undefined
}

function listOf(ref: Ref | undefined): Ref | undefined {
  return ref?.is === 'list' ? ref : undefined
}

/** `not a.startswith("-")`. */
function dropsFlags(test: Expression, name: string): boolean {
  if (test.kind !== 'unary' || test.operator !== 'not' || test.operand.kind !== 'call') return false
  const [first] = test.operand.args
  const start = first && constantOf(first.value)
  return dotted(test.operand.callee) === `${name}.startswith` && (start === '-' || start === '--')
}

function indexed(
  { object, index }: Extract<Expression, { kind: 'index' }>,
  names: Names,
  flag: string | undefined,
): Ref | undefined {
  const list = refOf(object, names, flag)
  if (list?.is !== 'list') return undefined
  if (index.kind === 'slice') {
    const [from, to, step] = index.bounds
    const start = from ? constantOf(from, names) : 0
    if (to || step || typeof start !== 'number' || start < 0) return undefined
    return { ...list, offset: list.offset + start }
  }
  const at = constantOf(index, names)
  if (typeof at === 'number' && at >= 0) return { is: 'item', index: list.offset + at }
  const place = refOf(index, names, flag)
  if (place?.is === 'loop-index') return { is: 'loop-item' }
  if (index.kind !== 'binary' || index.operator !== '+' || constantOf(index.right, names) !== 1) return undefined
  const before = refOf(index.left, names, flag)
  if (before?.is === 'place') return { is: 'value', flag: before.flag }
  return before?.is === 'loop-index' && flag !== undefined ? { is: 'value', flag } : undefined
}

/** A literal, or a name that stands for one. */
export function constantOf(expression: Expression, names?: Names): Json | undefined {
  switch (expression.kind) {
    case 'string':
    case 'number':
    case 'constant':
      return expression.value
    case 'unary': {
      const value = constantOf(expression.operand, names)
      return expression.operator === '-' && typeof value === 'number' ? -value : undefined
    }
    case 'name': {
      const ref = names?.get(expression.name)
      return ref?.is === 'constant' ? ref.value : undefined
    }
    case 'call': {
      const [only, ...others] = expression.args
      return only && others.length === 0 && /^(pathlib\.)?Path$/.test(dotted(expression.callee))
        ? constantOf(only.value, names)
        : undefined
    }
    default:
      return undefined
  }
}

/** Words of a literal collection. */
export function wordsOf(expression: Expression, names: Names): readonly string[] | undefined {
  if (expression.kind !== 'list' && expression.kind !== 'tuple' && expression.kind !== 'set') return undefined
  const words = expression.items.map(item => constantOf(item, names))
  return words.every(word => typeof word === 'string') ? words : undefined
}

export function isHelp(word: string): boolean {
  return /^(-h|--help|help|-\?|--version|-V|version)$/.test(word)
}
