// How a loop over the command line takes the value of a flag.
import type { ValueLimits } from './argv-flag.ts'
import { type ArgLoop, isInside } from './argv-loop.ts'
import { binaryOf, methodCallOf } from './expressions.ts'
import { type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

/** `if (!next) …` looks at the word without taking it. */
export function isGuard(node: Node): boolean {
  const parent = node.parent
  if (parent?.name === 'UnaryExpression') return true
  const binary = binaryOf(parent ?? undefined)
  if (binary !== undefined)
    return binary.operator === '&&' ? partsOf(parent ?? undefined)[0] === node : /^[!=]==?$/.test(binary.operator)
  if (methodCallOf(parent?.parent ?? undefined)?.method === 'startsWith' && partsOf(parent ?? undefined)[0] === node)
    return true
  return parent?.name === 'ParenthesizedExpression' && parent.parent?.name === 'IfStatement'
}

export function limitsOf(loop: ArgLoop, branch: readonly Node[]): ValueLimits {
  let dash: '-' | '--' | undefined
  let nonEmpty = false
  for (const node of loop.next) {
    const isShared =
      !loop.body.some(part => isInside(node, part)) || node.parent?.parent?.parent?.name === 'VariableDeclaration'
    if (!isShared && !branch.some(part => isInside(node, part))) continue
    const call = methodCallOf(node.parent?.parent ?? undefined)
    const prefix = call?.method === 'startsWith' && call.object === unwrap(node) ? call.args[0] : undefined
    if (prefix !== undefined) dash = /^['"]--['"]$/.test(textOf(prefix)) && dash !== '-' ? '--' : '-'
    if (isTruthTest(node)) nonEmpty = true
  }
  return { ...(dash === undefined ? {} : { dash }), ...(nonEmpty ? { nonEmpty } : {}) }
}

function isTruthTest(node: Node): boolean {
  const parent = node.parent
  if (parent?.name === 'UnaryExpression') return textOf(parent).startsWith('!')
  if (parent?.name === 'ConditionalExpression') return partsOf(parent)[0] === node
  if (parent?.name === 'ParenthesizedExpression') return parent.parent?.name === 'IfStatement'
  return binaryOf(parent ?? undefined)?.operator === '&&' && partsOf(parent ?? undefined)[0] === node
}

/** `arg.slice(6)`, `arg.split('=')[1]` inside a branch: the whole chain that starts at the word. */
export function attachedValues(loop: ArgLoop, branch: readonly Node[]): readonly Node[] {
  return [...loop.current]
    .filter(node => branch.some(part => isInside(node, part)))
    .map(chainFrom)
    .filter(node => methodCallOf(node)?.method !== 'startsWith' && node.name !== 'VariableName')
}

export function chainFrom(node: Node): Node {
  let at = node
  for (
    let up = at.parent;
    up !== null && CHAIN.has(up.name) && (up.name === 'CallExpression' || partsOf(up)[0] === at);
    up = up.parent
  )
    at = up
  return at
}

const CHAIN = new Set(['MemberExpression', 'CallExpression', 'ParenthesizedExpression', 'PostfixExpression'])

export function isPushed(node: Node): boolean {
  const list = node.parent
  return list?.name === 'ArgList' && methodCallOf(list.parent ?? undefined)?.method === 'push'
}
