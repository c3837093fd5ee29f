// Words that are all treated alike: `[float(x) for x in sys.argv[1:]]`, `map(int, sys.argv[1:])`.
import type { Position } from './argv-model.ts'
import { dotted } from './does-run.ts'
import type { Expression } from './syntax.ts'
import { partsOf } from './visit-syntax.ts'

export type Mapped = {
  readonly source: Expression
  readonly type: Position['type']
  /** Stands for one word in `looked`, when it is a name. */
  readonly target?: Expression
  /** What is made of a word, and the conditions on it. */
  readonly looked: readonly Expression[]
}

export const CONVERSIONS: Readonly<Record<string, Position['type']>> = { int: 'integer', float: 'number' }

/** What an expression makes of each item of another, when it does just that. */
export function mappedWords(expression: Expression): Mapped | undefined {
  if (expression.kind === 'comprehension') {
    const [clause, ...others] = expression.clauses
    if (clause?.target.kind !== 'name' || others.length > 0) return undefined
    const { source, target, tests } = clause
    const looked = [...tests, expression.element, ...(expression.value ? [expression.value] : [])]
    return { source, target, looked, type: tests.length > 0 ? 'string' : typeOf(looked, clause.target.name) }
  }
  if (expression.kind !== 'call' || expression.args.some(({ name, spread }) => name || spread)) return undefined
  const [first, second] = expression.args
  const name = dotted(expression.callee)
  if (/^(list|tuple|set|sorted)$/.test(name) && first && !second) return mappedWords(first.value)
  if (name !== 'map' || !first || !second || expression.args.length > 2) return undefined
  const source = second.value
  if (first.value.kind !== 'lambda') {
    return { source, looked: [first.value], type: CONVERSIONS[dotted(first.value)] ?? 'string' }
  }
  const { parameters, body, at } = first.value
  const [parameter] = parameters
  if (!parameter || parameters.length > 1) return undefined
  const target: Expression = { kind: 'name', name: parameter.name, at }
  return { source, target, looked: [body], type: typeOf([body], parameter.name) }
}

/** The type that every use of a name converts it to. */
function typeOf(expressions: readonly Expression[], name: string): Position['type'] {
  const found = new Set<Position['type']>()
  const visit = (expression: Expression): void => {
    if (expression.kind === 'name' && expression.name === name) found.add('string')
    const [only, ...others] = expression.kind === 'call' ? expression.args : []
    const type = expression.kind === 'call' ? CONVERSIONS[dotted(expression.callee)] : undefined
    if (type && only?.value.kind === 'name' && only.value.name === name && others.length === 0) found.add(type)
    else partsOf(expression).forEach(visit)
  }
  expressions.forEach(visit)
  const [type] = found
  return found.size === 1 && type ? type : 'string'
}
