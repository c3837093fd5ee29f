// Parameter lists of functions and lambdas.
import type { SyntaxNode } from '@lezer/common'
import { readExpression } from './read-expression.ts'
import type { Parameter } from './syntax.ts'
import { childrenOf, splitAt } from './tree.ts'

/** Reads a `ParamList` node, with or without its parentheses. */
export function readParameters(list: SyntaxNode, text: string): Parameter[] {
  const nodes = childrenOf(list).filter(node => node.name !== '(' && node.name !== ')')
  const parameters: Parameter[] = []
  let form: 'plain' | 'keyword-only' = 'plain'
  let end = list.from
  for (const run of splitAt(nodes, ',')) {
    const start = run[0]
    if (!start) {
      // The grammar gives `/` no node of its own.
      if (text.slice(end, list.to).trimStart().startsWith('/') || text.slice(end).trimStart().startsWith(',')) {
        for (const [index, earlier] of parameters.entries()) parameters[index] = { ...earlier, form: 'positional-only' }
      }
      continue
    }
    end = run.at(-1)?.to ?? end
    const star = start.name === '*' || start.name === '**' ? start.name : undefined
    const name = star ? run[1] : start
    if (star === '*') form = 'keyword-only'
    if (!name) continue
    const type = run.find(node => node.name === 'TypeDef')?.lastChild
    const assign = run.findIndex(node => node.name === 'AssignOp')
    const fallback = assign < 0 ? undefined : run[assign + 1]
    parameters.push({
      name: text.slice(name.from, name.to),
      form: star === '**' ? 'kwargs' : star === '*' ? 'args' : form,
      ...(type ? { annotation: readExpression(type, text) } : {}),
      ...(fallback ? { fallback: readExpression(fallback, text) } : {}),
      at: name.from,
    })
  }
  return parameters
}
