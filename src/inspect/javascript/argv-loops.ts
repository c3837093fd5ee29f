// Finds the loops that walk over the command line, and what carries the words inside them.
import type { ArgLoop } from './argv-loop.ts'
import { type Binding, parameterPatterns } from './bindings.ts'
import { evaluate } from './evaluate.ts'
import { binaryOf } from './expressions.ts'
import type { ListUse } from './list-uses.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, enclosing, isFunction, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import { callsOf, flowOf } from './value-flow.ts'

export type FoundLoops = {
  readonly loops: readonly ArgLoop[]
  /** Uses that belong to no loop. */
  readonly others: readonly ListUse[]
}

type Growing = {
  loop: Node
  body: readonly Node[]
  current: Node[]
  next: Node[]
  rest: Node[]
  start: number
  index?: Binding
}

export function findLoops(script: Script, uses: readonly ListUse[]): FoundLoops {
  const loops = new Map<Node, Growing>()
  const others: ListUse[] = []
  const helpers: Node[] = []
  for (const use of uses) {
    if (!placeUse(script, use, loops, helpers)) others.push(use)
  }
  // Words taken by a helper (`need(args, ++i)`) belong to the loop that calls it.
  for (const call of helpers) {
    const loop = [...loops.values()].find(candidate =>
      candidate.body.some(part => call.from >= part.from && call.to <= part.to),
    )
    loop?.next.push(call)
  }
  const isReal = (loop: Growing) => loop.current.length > 0
  const found = [...loops.values()].filter(isReal).map(loop => finish(script, loop))
  const lost = [...loops.values()].filter(loop => !isReal(loop)).map(loop => loop.loop)
  const orphans = uses.filter(
    use => lost.some(loop => use.at.from >= loop.from && use.at.to <= loop.to) && !others.includes(use),
  )
  return { loops: found, others: [...others, ...orphans] }
}

function finish(script: Script, { loop, body, current, next, rest, start, index }: Growing): ArgLoop {
  const spread = (nodes: readonly Node[]) => new Set(nodes.flatMap(node => [...flowOf(script, node)]))
  const words = spread(current)
  const following = spread(next)
  for (const node of words) following.delete(node)
  const counter = index === undefined ? {} : { index }
  return { body, current: words, next: following, rest: new Set(rest), start, at: loop, ...counter }
}

function placeUse(script: Script, use: ListUse, loops: Map<Node, Growing>, helpers: Node[]): boolean {
  if (use.kind === 'iteration') return addIteration(script, use.loop, use.offset, loops)
  if (use.kind === 'computed') return addComputed(script, use, loops, helpers)
  if (use.kind === 'method') return addMethod(script, use, loops)
  return use.kind === 'length' && isLoopHead(use.at)
}

function isLoopHead(node: Node): boolean {
  return (
    enclosing(node, at => LOOPS.has(at.name) || at.name === 'Block')?.name !== 'Block' &&
    enclosing(node, at => LOOPS.has(at.name)) !== undefined
  )
}

const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoStatement'])

function addIteration(script: Script, loop: Node, start: number, loops: Map<Node, Growing>): boolean {
  const pattern = childNamed(loop, 'ForOfSpec')?.children.find(child => child.name === 'VariableDefinition')
  const binding = bindingOf(script, pattern)
  if (binding === undefined || !looksAtFlags(binding.reads)) return false
  entry(loops, loop, start).current.push(...binding.reads)
  return true
}

/** A walk over plain words is no flag loop. */
function looksAtFlags(reads: readonly Node[]): boolean {
  return reads.some(read => {
    const text = textOf(
      read.parent?.name === 'MemberExpression' ? (read.parent.parent ?? read) : (read.parent?.parent ?? read),
    )
    return /['"`^]-/.test(text) || read.parent?.parent?.name === 'SwitchStatement'
  })
}

function addComputed(
  script: Script,
  use: Extract<ListUse, { kind: 'computed' }>,
  loops: Map<Node, Growing>,
  helpers: Node[],
): boolean {
  const index = readIndex(script, use.index)
  if (index === undefined) return false
  const binding = bindingOf(script, index.variable)
  if (binding?.origin.kind === 'parameter') {
    const { fn } = binding.origin
    const callback = forEachOf(fn)
    if (callback === undefined) {
      helpers.push(...callsOf(script, fn))
      return callsOf(script, fn).length > 0
    }
    const loop = loops.get(callback)
    if (loop === undefined) return false
    ;(index.step === 0 ? loop.current : loop.next).push(use.at)
    return true
  }
  const loop = loopOf(script, use.at, index.variable)
  if (loop === undefined) return false
  const start = binding?.origin.kind === 'value' ? evaluate(script, binding.origin.value)?.value : undefined
  const found = entry(loops, loop, use.offset + (typeof start === 'number' ? start : 0))
  if (binding !== undefined) found.index ??= binding
  // `args[i++]`: the first one reads the word at hand, later ones take the next.
  const isCurrent = index.step === 0 || (index.step === 'after' && found.current.length === 0)
  if (index.step === 'far') return false
  ;(isCurrent ? found.current : found.next).push(use.at)
  return true
}

type Index = { readonly variable: Node; readonly step: 0 | 1 | 'after' | 'far' }

/** `i`, `i + 1`, `++i`, `i++`. */
function readIndex(script: Script, node: Node): Index | undefined {
  const index = unwrap(node)
  if (index.name === 'VariableName') return { variable: index, step: 0 }
  const binary = binaryOf(index)
  if (binary?.operator === '+' && binary.left.name === 'VariableName') {
    return { variable: binary.left, step: evaluate(script, binary.right)?.value === 1 ? 1 : 'far' }
  }
  const variable = partsOf(index)[0]
  if (variable?.name !== 'VariableName') return undefined
  if (index.name === 'UnaryExpression' && textOf(index).startsWith('++')) return { variable, step: 1 }
  return index.name === 'PostfixExpression' && textOf(index).endsWith('++') ? { variable, step: 'after' } : undefined
}

/** The loop around a use; a closure declared in the loop, or beside it, counts as inside. */
function loopOf(script: Script, node: Node, variable: Node): Node | undefined {
  const own = enclosing(node, at => LOOPS.has(at.name))
  if (own !== undefined) return own
  const binding = bindingOf(script, variable)
  const counted = binding?.writes
    .map(write => enclosing(write, at => LOOPS.has(at.name)))
    .find(loop => loop !== undefined)
  return counted
}

function addMethod(script: Script, use: Extract<ListUse, { kind: 'method' }>, loops: Map<Node, Growing>): boolean {
  if (use.method === 'forEach') {
    const fn = use.args[0] === undefined ? undefined : unwrap(use.args[0])
    const binding = fn !== undefined && isFunction(fn) ? bindingOf(script, parameterPatterns(fn)[0]) : undefined
    if (fn === undefined || binding === undefined || !looksAtFlags(binding.reads)) return false
    const found = entry(loops, use.at, use.offset, [fn.children.at(-1) as Node])
    found.current.push(...binding.reads)
    return true
  }
  const loop = enclosing(use.at, at => LOOPS.has(at.name))
  if (use.method === 'entries' && use.at.parent?.name === 'ForOfSpec' && loop !== undefined)
    return addEntries(script, loop, use.offset, loops)
  if (loop === undefined) return false
  if (use.method === 'shift') {
    const found = entry(loops, loop, use.offset)
    ;(found.current.length === 0 ? found.current : found.next).push(use.at)
    return true
  }
  if (use.method === 'slice') {
    entry(loops, loop, use.offset).rest.push(use.at)
    return true
  }
  return false
}

function addEntries(script: Script, loop: Node, start: number, loops: Map<Node, Growing>): boolean {
  const pattern = childNamed(childNamed(loop, 'ForOfSpec'), 'ArrayPattern')
  const word = pattern?.children.filter(child => child.name === 'VariableDefinition')[1]
  const binding = bindingOf(script, word)
  if (binding === undefined) return false
  entry(loops, loop, start).current.push(...binding.reads)
  return true
}

function forEachOf(fn: Node): Node | undefined {
  const call = fn.parent?.name === 'ArgList' ? fn.parent.parent : null
  return call !== null && call !== undefined && /\.forEach$/.test(textOf(call.children[0] ?? call)) ? call : undefined
}

function entry(loops: Map<Node, Growing>, loop: Node, start: number, body: readonly Node[] = bodyOf(loop)): Growing {
  const found = loops.get(loop) ?? { loop, body, current: [], next: [], rest: [], start }
  loops.set(loop, found)
  return found
}

function bodyOf(loop: Node): readonly Node[] {
  const body = loop.name === 'DoStatement' ? loop.children[1] : loop.children.at(-1)
  return body === undefined ? [] : [body]
}
