// Annotations of parameters: what they say of the type, without running anything.
import { evaluate, itemsOf } from './evaluate.ts'
import type { Machine } from './machine.ts'
import { parseModule } from './parse-module.ts'
import type { Scope } from './scope.ts'
import type { Expression, Statement } from './syntax.ts'
import type { Value } from './values.ts'

export type Annotation = {
  /** What one value is: a builtin, a class, or the words of a `Literal`. */
  readonly base: { readonly value: Value } | { readonly words: readonly Value[] } | 'none' | 'unknown'
  readonly list: boolean
  /** `tuple[a, b]`. */
  readonly tuple?: readonly Annotation[]
  /** `X | None`. */
  readonly optional: boolean
  /** What follows the type in `Annotated[X, …]`. */
  readonly metadata: readonly Value[]
}

/** Names that stand for an annotation: `Name = Annotated[str, …]`. */
export type Aliases = ReadonlyMap<string, Expression>

export type AnnotationContext = { readonly scope: Scope; readonly machine: Machine; readonly aliases: Aliases }

const DEEPEST = 8

export function readAnnotation(expression: Expression, context: AnnotationContext, depth = 0): Annotation {
  if (depth > DEEPEST) return plain('unknown')
  const inner = (part: Expression): Annotation => readAnnotation(part, context, depth + 1)
  switch (expression.kind) {
    case 'constant':
      return plain(expression.value === null ? 'none' : 'unknown')
    case 'string': {
      const parsed = parseModule(expression.value)
      const statement = parsed.ok ? parsed.module.statements[0] : undefined
      return statement?.kind === 'expression' ? inner(statement.value) : plain('unknown')
    }
    case 'binary':
      return expression.operator === '|' ? union([expression.left, expression.right].map(inner)) : plain('unknown')
    case 'index':
      return generic(expression, context, inner)
    case 'name': {
      const alias = context.aliases.get(expression.name)
      if (alias?.kind === 'index' || alias?.kind === 'binary') return inner(alias)
      return atom(expression, context)
    }
    default:
      return atom(expression, context)
  }
}

/** Assignments at top level that may name an annotation. */
export function aliasesOf(statements: readonly Statement[]): Aliases {
  return new Map(
    statements.flatMap(statement => {
      const [target] = statement.kind === 'assign' ? statement.targets : []
      return statement.kind === 'assign' && target?.kind === 'name' ? [[target.name, statement.value] as const] : []
    }),
  )
}

function plain(base: Annotation['base']): Annotation {
  return { base, list: false, optional: false, metadata: [] }
}

function atom(expression: Expression, { scope, machine }: AnnotationContext): Annotation {
  const value = evaluate(expression, scope, machine)
  if (value.kind === 'none') return plain('none')
  if (value.kind !== 'external' && value.kind !== 'class') return plain('unknown')
  if (value.kind === 'external' && LISTS.has(lastName(value.path)))
    return { ...plain({ value: { kind: 'external', path: 'str' } }), list: true }
  return plain({ value })
}

const LISTS = new Set(['list', 'List', 'Sequence', 'Iterable', 'set', 'Set', 'frozenset'])

function generic(
  expression: Extract<Expression, { kind: 'index' }>,
  context: AnnotationContext,
  inner: (part: Expression) => Annotation,
): Annotation {
  const head = evaluate(expression.object, context.scope, context.machine)
  const name = head.kind === 'external' ? lastName(head.path) : ''
  const parts = expression.index.kind === 'tuple' ? expression.index.items : [expression.index]
  const [first] = parts
  if (!first) return plain('unknown')
  if (LISTS.has(name)) return { ...inner(first), list: true }
  switch (name) {
    case 'Optional':
      return { ...inner(first), optional: true }
    case 'Union':
      return union(parts.map(inner))
    case 'Annotated': {
      const metadata = parts.slice(1).map(part => evaluate(part, context.scope, context.machine))
      const read = inner(first)
      return { ...read, metadata: [...metadata, ...read.metadata] }
    }
    case 'Literal': {
      const words = parts.map(part => evaluate(part, context.scope, context.machine))
      return plain(words.every(word => word.kind === 'str' || word.kind === 'int') ? { words } : 'unknown')
    }
    case 'Tuple':
    case 'tuple': {
      const last = parts.at(-1)
      if (last?.kind === 'name' && last.name === 'Ellipsis') return { ...inner(first), list: true }
      return { ...plain('unknown'), tuple: parts.map(inner) }
    }
    default:
      return plain('unknown')
  }
}

/** One type or nothing; of several types nothing is known. */
function union(members: readonly Annotation[]): Annotation {
  const types = members.filter(member => member.base !== 'none')
  const [only] = types
  const optional = types.length < members.length || types.some(type => type.optional)
  return types.length === 1 && only ? { ...only, optional } : { ...plain('unknown'), optional }
}

/** Choices that a type leaves, as values; undefined when any value of it will do. */
export function choicesOf(base: Annotation['base']): readonly Value[] | undefined {
  if (typeof base === 'string') return undefined
  if ('words' in base) return base.words
  if (base.value.kind !== 'class') return undefined
  return itemsOf(base.value)?.map(member => (member.kind === 'enum-member' ? member.value : member))
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
