// Where a value goes: through names, parameters, returns and properties, forward from the expression that makes it.
import { type Binding, parameterPatterns } from './bindings.ts'
import { propertyKey } from './evaluate.ts'
import { assignmentOf, binaryOf, callOf, memberOf, pathOf } from './expressions.ts'
import { bindingOf, CUT_SHORT, type Script } from './script.ts'
import { childNamed, descendants, enclosing, isFunction, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

/** One read of a property of the value. */
export type Access = {
  /** Undefined when it is computed. */
  readonly key: string | undefined
  /** The expressions that carry the property's value. */
  readonly nodes: readonly Node[]
  /** The name it is destructured into. */
  readonly binding?: Binding
  /** More steps of the same pattern: `{ _: [input] }`. */
  readonly deeper: readonly (string | number)[]
  readonly at: Node
}

export type Accesses = { readonly accesses: readonly Access[]; readonly escapes: readonly Node[] }

const MOST_PLACES = 2_000

/** All expressions that may evaluate to the value of `start`, itself first. */
export function flowOf(script: Script, start: Node): readonly Node[] {
  const known = script.memo.flows.get(start)
  if (known !== undefined) return known
  const places = new Set<Node>([start])
  for (const place of places) {
    if (places.size > MOST_PLACES) {
      script.memo.once.set(CUT_SHORT, true)
      break
    }
    for (const next of nextPlaces(script, place)) places.add(next)
  }
  const flow = [...places]
  // While properties are being followed, what is found may not be the end of it.
  if (script.memo.following.size === 0) script.memo.flows.set(start, flow)
  return flow
}

/** Whether the value goes on from here to another expression. */
export function flowsOn(script: Script, place: Node): boolean {
  return nextPlaces(script, place).length > 0
}

/** All reads of properties of the value of `start`, and the uses that could not be followed. */
export function accessesOf(script: Script, start: Node): Accesses {
  const found = flowOf(script, start).map(place => accessesAt(script, place))
  return { accesses: found.flatMap(at => at.accesses), escapes: found.flatMap(at => at.escapes) }
}

function accessesAt(script: Script, place: Node): Accesses {
  if (nextPlaces(script, place).length > 0 && memberAccess(place) === undefined) return { accesses: [], escapes: [] }
  const found = accessAt(script, place)
  return found === 'escape' ? { accesses: [], escapes: [place] } : { accesses: found, escapes: [] }
}

/** The function that a call runs, when it is written in this file. */
export function calledFunction(script: Script, callee: Node): Node | undefined {
  const node = unwrap(callee)
  if (isFunction(node)) return node
  const binding = bindingOf(script, node)
  if (binding === undefined || binding.writes.length > 0) return undefined
  if (binding.origin.kind === 'function') return binding.origin.fn
  if (binding.origin.kind !== 'value' || binding.origin.path.length > 0) return undefined
  const value = unwrap(binding.origin.value)
  return isFunction(value) ? value : undefined
}

/** Every call of a function that is declared in this file. */
export function callsOf(script: Script, fn: Node): readonly Node[] {
  const name = functionName(script, fn)
  if (name === undefined) {
    const call = enclosing(fn, node => node.name === 'CallExpression')
    return call !== undefined && callOf(call)?.callee === fn ? [call] : []
  }
  return name.reads.flatMap(read => (callOf(read.parent ?? undefined)?.callee === read ? [read.parent as Node] : []))
}

export function functionName(script: Script, fn: Node): Binding | undefined {
  const own = fn.name === 'FunctionDeclaration' ? childNamed(fn, 'VariableDefinition') : undefined
  if (own !== undefined) return bindingOf(script, own)
  const siblings = fn.parent?.name === 'VariableDeclaration' ? fn.parent.children : []
  const target = siblings[siblings.indexOf(fn) - 2]
  return target?.name === 'VariableDefinition' ? bindingOf(script, target) : undefined
}

/** Remembered per place: objects that hold each other would be followed for ever. */
function nextPlaces(script: Script, place: Node): readonly Node[] {
  const known = script.memo.places.get(place)
  if (known !== undefined) return known
  script.memo.places.set(place, [])
  script.memo.following.add(place)
  const places = findNextPlaces(script, place)
  script.memo.following.delete(place)
  script.memo.places.set(place, places)
  return places
}

function findNextPlaces(script: Script, place: Node): readonly Node[] {
  const parent = place.parent
  if (parent === null) return []
  if (unwrap(parent) === unwrap(place)) return [parent]

  const binary = binaryOf(parent)
  if (binary !== undefined) {
    const passesOn = binary.operator === '||' || binary.operator === '??'
    return passesOn || (binary.operator === '&&' && partsOf(parent)[1] === place) ? [parent] : []
  }
  if (parent.name === 'ConditionalExpression') return partsOf(parent)[0] === place ? [] : [parent]
  if (parent.name === 'VariableDeclaration') return readsOf(script, declaredPattern(place))
  if (parent.name === 'AssignmentExpression') return assignedPlaces(script, parent, place)
  if (parent.name === 'ArgList') return parameterPlaces(script, parent, place)
  if (parent.name === 'ReturnStatement' || (parent.name === 'ArrowFunction' && parent.children.at(-1) === place)) {
    const fn = enclosing(place, isFunction)
    return fn === undefined ? [] : callsOf(script, fn)
  }
  if (parent.name === 'Property') return propertyPlaces(script, place, parent)
  return []
}

/** The pattern left of the `=` that a value stands right of. */
export function declaredPattern(value: Node): Node | undefined {
  const siblings = value.parent?.children ?? []
  const before = siblings.slice(0, siblings.indexOf(value)).filter(node => node.name !== 'TypeAnnotation')
  return before.at(-1)?.name === 'Equals' ? before.at(-2) : undefined
}

function readsOf(script: Script, pattern: Node | undefined): readonly Node[] {
  return pattern?.name === 'VariableDefinition' ? (bindingOf(script, pattern)?.reads ?? []) : []
}

function assignedPlaces(script: Script, parent: Node, place: Node): readonly Node[] {
  const assignment = assignmentOf(parent)
  if (assignment?.value !== place || !/^(?:\?\?|\|\|)?=$/.test(assignment.operator)) return []
  if (assignment.target.name === 'VariableName') return bindingOf(script, assignment.target)?.reads ?? []
  const member = memberOf(assignment.target)
  return member?.name === undefined ? [] : readsOfProperty(script, member.object, member.name)
}

/** Reads of `object.key` wherever the object itself goes. */
export function readsOfProperty(script: Script, object: Node, key: string): readonly Node[] {
  const binding = bindingOf(script, object)
  return binding === undefined ? [] : (propertiesOfBinding(script, binding).get(key) ?? [])
}

function propertiesOfBinding(script: Script, binding: Binding): ReadonlyMap<string, readonly Node[]> {
  const known = script.memo.properties.get(binding)
  if (known !== undefined) return known
  const properties = new Map<string, Node[]>()
  script.memo.properties.set(binding, properties)
  const places = new Set(binding.reads.flatMap(read => flowOf(script, read)))
  for (const { key, nodes, deeper } of [...places].flatMap(place => accessesAt(script, place).accesses)) {
    if (key !== undefined && deeper.length === 0) properties.set(key, [...(properties.get(key) ?? []), ...nodes])
  }
  return properties
}

function parameterPlaces(script: Script, list: Node, place: Node): readonly Node[] {
  const call = callOf(list.parent ?? undefined)
  const fn = call === undefined ? undefined : calledFunction(script, call.callee)
  const index = call?.args.indexOf(place) ?? -1
  return fn === undefined || index === -1 ? [] : readsOf(script, parameterPatterns(fn)[index])
}

function propertyPlaces(script: Script, place: Node, property: Node): readonly Node[] {
  const literal = property.parent
  if (literal?.name !== 'ObjectExpression') return []
  // The copy has every property that the value has.
  if (childNamed(property, 'Spread')) return [literal]
  const key = propertyKey(property)
  if (key === undefined || property.children.at(-1) !== place) return []
  return accessesOf(script, literal).accesses.flatMap(access =>
    access.key === key && access.deeper.length === 0 ? access.nodes : [],
  )
}

function memberAccess(place: Node): Node | undefined {
  const member = place.parent
  return memberOf(member ?? undefined) !== undefined && partsOf(member as Node)[0] === place
    ? (member as Node)
    : undefined
}

function accessAt(script: Script, place: Node): readonly Access[] | 'escape' {
  const member = memberAccess(place)
  if (member !== undefined) return memberReads(member)
  const pattern = destructuring(script, place)
  if (pattern !== undefined) return patternReads(script, pattern)
  return isHarmless(place) ? [] : 'escape'
}

function memberReads(member: Node): readonly Access[] {
  const { name } = memberOf(member) ?? {}
  const assignment = assignmentOf(member.parent ?? undefined)
  if (assignment?.target === member && assignment.operator === '=') return []
  const index = memberOf(member)?.index
  const key = name ?? (index?.name === 'Number' ? textOf(index) : undefined)
  return [{ key, nodes: [member], deeper: [], at: member }]
}

function destructuring(script: Script, place: Node): Node | undefined {
  const parent = place.parent
  const isPattern = (node: Node | undefined) => node?.name === 'ObjectPattern' || node?.name === 'ArrayPattern'
  if (parent?.name === 'VariableDeclaration') {
    const pattern = declaredPattern(place)
    return isPattern(pattern) ? pattern : undefined
  }
  if (parent?.name !== 'ArgList') return undefined
  const call = callOf(parent.parent ?? undefined)
  const fn = call === undefined ? undefined : calledFunction(script, call.callee)
  const pattern = fn === undefined ? undefined : parameterPatterns(fn)[call?.args.indexOf(place) ?? -1]
  return isPattern(pattern) ? pattern : undefined
}

export function patternReads(script: Script, pattern: Node): readonly Access[] {
  const accesses: Access[] = []
  for (const node of descendants(pattern)) {
    const binding = node.name === 'VariableDefinition' ? bindingOf(script, node) : undefined
    if (binding === undefined || (binding.origin.kind !== 'value' && binding.origin.kind !== 'parameter')) continue
    const [first, ...more] = binding.origin.path
    if (first === undefined) continue
    const deeper = more.flatMap(step => ('at' in step ? [step.at] : [`...${step.from}`]))
    accesses.push({
      key: 'at' in first ? String(first.at) : undefined,
      nodes: binding.reads,
      binding,
      deeper,
      at: node,
    })
  }
  return accesses
}

/** Uses that neither keep nor look into the value: printing, counting, testing. */
function isHarmless(place: Node): boolean {
  const parent = place.parent
  if (parent === null || ['ExpressionStatement', 'ParenthesizedExpression', 'ExportGroup'].includes(parent.name))
    return true
  if (parent.name === 'UnaryExpression' || parent.name === 'Interpolation' || parent.name === 'ConditionalExpression')
    return true
  if (binaryOf(parent) !== undefined) return true
  if (parent.name === 'ReturnStatement' || parent.name === 'ArrowFunction') return true
  if (parent.name === 'VariableDeclaration' && declaredPattern(place)?.name === 'VariableDefinition') return true
  const path = parent.name === 'ArgList' ? pathOf(callOf(parent.parent ?? undefined)?.callee) : undefined
  return path !== undefined && /^(?:console\.\w+|JSON\.stringify|Object\.keys|Boolean)$/.test(path)
}
