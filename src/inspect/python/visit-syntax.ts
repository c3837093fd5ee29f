// Looks at every statement and expression of a script, without following anything.
import type { Body, Expression, Statement } from './syntax.ts'

export type Visitor = {
  /** False keeps the visit out of the statement. */
  readonly statement?: (statement: Statement) => boolean | undefined
  readonly expression?: (expression: Expression) => void
}

export function visitStatements(statements: readonly Statement[], visitor: Visitor): void {
  for (const statement of statements) {
    if (visitor.statement?.(statement) === false) continue
    for (const expression of expressionsOf(statement)) visitExpression(expression, visitor)
    for (const body of bodiesOf(statement)) visitStatements(body(), visitor)
  }
}

function visitExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression)
  for (const part of partsOf(expression)) visitExpression(part, visitor)
}

/** Expressions that stand in a statement itself. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'expression':
      return [statement.value]
    case 'assign':
      return [statement.value, ...statement.targets]
    case 'update':
      return [statement.value, statement.target]
    case 'if':
      return statement.branches.map(branch => branch.test)
    case 'for':
      return [statement.source, statement.target]
    case 'while':
      return [statement.test]
    case 'with':
      return statement.items.map(item => item.value)
    case 'return':
    case 'raise':
      return statement.value ? [statement.value] : []
    case 'function':
      return [...statement.decorators, ...statement.parameters.flatMap(parameter => parameter.fallback ?? [])]
    case 'class':
      return statement.bases.map(base => base.value)
    default:
      return []
  }
}

function bodiesOf(statement: Statement): readonly Body[] {
  switch (statement.kind) {
    case 'if':
      return [...statement.branches.map(branch => branch.body), ...given(statement.otherwise)]
    case 'for':
      return [statement.body, ...given(statement.otherwise)]
    case 'while':
    case 'with':
    case 'function':
    case 'class':
      return [statement.body]
    case 'try':
      return [
        statement.body,
        ...statement.handlers.map(handler => handler.body),
        ...given(statement.otherwise),
        ...given(statement.finally),
      ]
    case 'match':
      return statement.cases
    default:
      return []
  }
}

/** Expressions that an expression is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'format':
      return expression.parts.flatMap(part => (typeof part === 'string' ? [] : [part.value]))
    case 'attribute':
      return [expression.object]
    case 'index':
      return [expression.object, expression.index]
    case 'slice':
      return expression.bounds.flatMap(bound => bound ?? [])
    case 'call':
      return [expression.callee, ...expression.args.map(arg => arg.value)]
    case 'list':
    case 'tuple':
    case 'set':
      return expression.items
    case 'star':
    case 'walrus':
    case 'await':
      return [expression.value]
    case 'dict':
      return expression.entries.flatMap(entry => (entry.key ? [entry.key, entry.value] : [entry.value]))
    case 'comprehension':
      return [
        ...expression.clauses.flatMap(clause => [clause.source, ...clause.tests]),
        expression.element,
        ...given(expression.value),
      ]
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'conditional':
      return [expression.test, expression.yes, expression.no]
    case 'lambda':
      return [expression.body]
    default:
      return []
  }
}

function given<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}
