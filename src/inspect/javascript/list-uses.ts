// How a list of words is read: by index, by name, by length, by walking over it.
import { parameterPatterns } from './bindings.ts'
import { callOf, memberOf, methodCallOf } from './expressions.ts'
import { bindingOf, CUT_SHORT, type Script } from './script.ts'
import { descendants, enclosing, isFunction, type Node, partsOf, textOf } from './syntax-tree.ts'
import { calledFunction, declaredPattern, flowOf, flowsOn } from './value-flow.ts'

/** One use of a list. `offset` is how many words of the whole list stand before the part that is used. */
export type ListUse =
  | {
      readonly kind: 'item'
      readonly index: number
      readonly nodes: readonly Node[]
      readonly name?: string
      readonly fallback?: Node
      readonly at: Node
    }
  | {
      readonly kind: 'method'
      readonly method: string
      readonly args: readonly (Node | undefined)[]
      readonly offset: number
      readonly at: Node
    }
  | { readonly kind: 'computed'; readonly index: Node; readonly offset: number; readonly at: Node }
  | { readonly kind: 'iteration'; readonly offset: number; readonly loop: Node; readonly at: Node }
  | { readonly kind: 'length'; readonly offset: number; readonly at: Node }
  | { readonly kind: 'whole'; readonly offset: number; readonly at: Node; readonly name?: string }

const MOST_USES = 4_000

/** Every use of the list that `start` evaluates to, its slices included. */
export function listUses(script: Script, start: Node, offset = 0): readonly ListUse[] {
  const uses: ListUse[] = []
  const views = [{ start, offset }]
  const seen = new Set<Node>()
  for (const view of views) {
    if (uses.length > MOST_USES) {
      script.memo.once.set(CUT_SHORT, true)
      break
    }
    const places = flowOf(script, view.start).filter(place => !seen.has(place) && !script.scope?.excludes(place))
    for (const place of places) seen.add(place)
    const shifts = places.filter(isPlainShift)
    for (const place of places) {
      const before = shifts.filter(shift => shift.from < place.from).length
      for (const use of usesAt(script, place, view.offset + before)) {
        const next = narrowed(use)
        if (next === undefined) uses.push(use)
        else views.push(next)
      }
    }
  }
  return uses
}

/** `list.slice(2)` is the same list, further on. */
function narrowed(use: ListUse): { start: Node; offset: number } | undefined {
  if (use.kind !== 'method' || use.method !== 'slice') return undefined
  const [from, to] = use.args
  if (from === undefined && use.args.length === 0) return { start: use.at, offset: use.offset }
  if (from?.name !== 'Number' || to !== undefined) return undefined
  return { start: use.at, offset: use.offset + Number(textOf(from)) }
}

/** `const command = args.shift()` outside of loops moves everything after it by one. */
function isPlainShift(place: Node): boolean {
  const call = place.parent?.parent
  if (methodCallOf(call ?? undefined)?.method !== 'shift' || partsOf(place.parent ?? undefined)[0] !== place)
    return false
  return (
    enclosing(place, node => LOOPS.has(node.name) || (isFunction(node) && node.name !== 'FunctionDeclaration')) ===
    undefined
  )
}

const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoStatement'])

function usesAt(script: Script, place: Node, offset: number): readonly ListUse[] {
  const parent = place.parent
  if (parent === null) return []
  if (memberOf(parent) !== undefined && partsOf(parent)[0] === place) return [memberUse(place, parent, offset)]
  if (parent.name === 'ForOfSpec') return [{ kind: 'iteration', offset, loop: parent.parent as Node, at: place }]
  if (parent.name === 'VariableDeclaration') {
    const pattern = declaredPattern(place)
    return pattern?.name === 'ArrayPattern' ? patternUses(script, pattern, offset) : []
  }
  if (isPassedOn(parent) || isGivenToLocal(script, place) || flowsOn(script, place)) return []
  return [{ kind: 'whole', offset, at: place }]
}

function memberUse(place: Node, member: Node, offset: number): ListUse {
  const { name, index } = memberOf(member) ?? {}
  if (name === 'length') return { kind: 'length', offset, at: member }
  if (index?.name === 'Number')
    return { kind: 'item', index: offset + Number(textOf(index)), nodes: [member], at: member }
  const call = methodCallOf(member.parent ?? undefined)
  if (call !== undefined && member.parent !== null) {
    if (call.method === 'shift' && isPlainShift(place))
      return { kind: 'item', index: offset, nodes: [member.parent], at: member.parent }
    const at = call.method === 'at' && call.args[0]?.name === 'Number' ? Number(textOf(call.args[0])) : undefined
    if (at !== undefined) return { kind: 'item', index: offset + at, nodes: [member.parent], at: member.parent }
    return { kind: 'method', method: call.method, args: call.args, offset, at: member.parent }
  }
  if (index !== undefined) return { kind: 'computed', index, offset, at: member }
  return { kind: 'whole', offset, at: member }
}

function patternUses(script: Script, pattern: Node, offset: number): readonly ListUse[] {
  const uses: ListUse[] = []
  for (const node of descendants(pattern)) {
    const binding = node.name === 'VariableDefinition' ? bindingOf(script, node) : undefined
    if (binding?.origin.kind !== 'value') continue
    const [step, ...deeper] = binding.origin.path
    if (step === undefined || deeper.length > 0) uses.push({ kind: 'whole', offset, at: node })
    else if ('from' in step) uses.push(...restUses(script, binding.reads, binding.name, offset + step.from))
    else {
      const fallback = binding.fallback === undefined ? {} : { fallback: binding.fallback }
      uses.push({
        kind: 'item',
        index: offset + Number(step.at),
        nodes: binding.reads,
        name: binding.name,
        ...fallback,
        at: node,
      })
    }
  }
  return uses
}

function restUses(script: Script, reads: readonly Node[], name: string, offset: number): readonly ListUse[] {
  const uses = reads.flatMap(read => listUses(script, read, offset))
  return uses.map(use => (use.kind === 'whole' ? { ...use, name } : use))
}

/** The parameter of a function of this file is the same list: the flow of values looks there. */
function isGivenToLocal(script: Script, place: Node): boolean {
  const call = place.parent?.name === 'ArgList' ? callOf(place.parent.parent ?? undefined) : undefined
  const fn = call === undefined ? undefined : calledFunction(script, call.callee)
  return fn !== undefined && parameterPatterns(fn)[call?.args.indexOf(place) ?? -1]?.name === 'VariableDefinition'
}

/** Places that only hand the list on: the flow of values looks further. */
function isPassedOn(parent: Node): boolean {
  return [
    'ReturnStatement',
    'ArrowFunction',
    'ParenthesizedExpression',
    'ConditionalExpression',
    'ExportGroup',
    'AwaitExpression',
  ].includes(parent.name)
}
