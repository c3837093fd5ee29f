// What a loop over the command line does that its reading does not explain.
import { type ArgLoop, isInside } from './argv-loop.ts'
import { binaryOf, methodCallOf } from './expressions.ts'
import type { Script } from './script.ts'
import { type Node, textOf } from './syntax-tree.ts'

/** Words that the loop uses in a way that nothing here has read. */
export function unexplainedWords(script: Script, loop: ArgLoop, explained: readonly Node[]): readonly Node[] {
  return [...loop.current, ...loop.next, ...loop.rest].filter(node => {
    if (!loop.body.some(part => isInside(node, part)) || script.scope?.excludes(node)) return false
    if (explained.some(part => isInside(node, part))) return false
    return !isHandedOn(loop, node) && !isLookedAt(node)
  })
}

/** Its value flows into another expression for the same word. */
function isHandedOn(loop: ArgLoop, node: Node): boolean {
  const parent = node.parent
  if (parent === null || parent.name === 'VariableDeclaration' || loop.current.has(parent) || loop.next.has(parent))
    return true
  return loop.rest.has(node) && parent.name !== 'ArgList'
}

function isLookedAt(word: Node): boolean {
  const parent = word.parent
  const call = methodCallOf(parent?.parent ?? undefined)
  if (call !== undefined && parent?.name === 'MemberExpression')
    return /^(?:startsWith|endsWith|includes|match|indexOf)$/.test(call.method)
  if (parent?.name === 'UnaryExpression' || parent?.name === 'Interpolation') return true
  if (parent?.name === 'ArgList') return /console\.|Error|\.test\(|exists/.test(textOf(parent.parent ?? parent))
  const operator = binaryOf(parent ?? undefined)?.operator
  return operator !== undefined ? /^(?:[!=]==?|&&|\|\|)$/.test(operator) : parent?.name === 'ParenthesizedExpression'
}

/** Changes of the counter that are not a step over one word or its value, and helpers that are given it. */
export function oddSteps(script: Script, loop: ArgLoop, explained: readonly Node[]): readonly Node[] {
  const { index } = loop
  if (index === undefined) return []
  const isHere = (node: Node) => loop.body.some(part => isInside(node, part)) && !script.scope?.excludes(node)
  const jumps = index.writes.filter(isHere).filter(write => !isStep(write))
  const handed = index.reads.filter(isHere).filter(read => {
    const call = callGiven(read)
    if (call === undefined) return false
    return ![loop.next, loop.rest].some(known => known.has(call)) && !explained.some(part => isInside(call, part))
  })
  return [...jumps, ...handed]
}

/** The call that is given the counter, or the counter and one. */
function callGiven(read: Node): Node | undefined {
  let at = read
  while (at.parent !== null && /^(?:Unary|Binary|Postfix)Expression$/.test(at.parent.name)) at = at.parent
  return at.parent?.name === 'ArgList' ? (at.parent.parent ?? undefined) : undefined
}

function isStep(write: Node): boolean {
  const text = textOf(write.parent ?? write).replace(/\s+/g, '')
  const name = textOf(write)
  return text === `${name}++` || text === `++${name}` || /^\w+\+=[12]$/.test(text) || /^(\w+)=\1\+[12]$/.test(text)
}
