// Which name means which declaration, by the rules of lexical scope.
import { assignmentOf, stringValue } from './expressions.ts'
import { childNamed, descendants, enclosing, isFunction, itemsOf, type Node, partsOf, textOf } from './syntax-tree.ts'

export type Binding = {
  readonly name: string
  /** Where the name is introduced. */
  readonly node: Node
  readonly origin: Origin
  /** `= x` next to the name inside a pattern or parameter list. */
  readonly fallback?: Node
  readonly reads: readonly Node[]
  /** Assignments, `++` and the like, without the declaration. */
  readonly writes: readonly Node[]
}

/** Where a binding's value comes from. `path` leads from that value to the name, through patterns. */
export type Origin =
  | { readonly kind: 'value'; readonly value: Node; readonly path: readonly Step[] }
  | { readonly kind: 'element'; readonly of: Node; readonly path: readonly Step[] }
  | { readonly kind: 'parameter'; readonly fn: Node; readonly index: number; readonly path: readonly Step[] }
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  | { readonly kind: 'function'; readonly fn: Node }
  | { readonly kind: 'none' }

/** A property or an index, or everything from an index on. */
export type Step = { readonly at: string | number } | { readonly from: number }

/** From each use or declaration of a name to its binding. */
export type Bindings = ReadonlyMap<Node, Binding>

export function bindNames(root: Node): Bindings {
  const scopes = new Map<Node, Map<string, Growing>>()
  const bindings = new Map<Node, Growing>()
  for (const node of descendants(root)) {
    if (node.name !== 'VariableDefinition' || isAssigned(node)) continue
    const scope = scopeOf(node, root)
    const names = scopes.get(scope) ?? new Map<string, Growing>()
    scopes.set(scope, names)
    const name = textOf(node)
    const binding = names.get(name) ?? { name, node, ...originOf(node), reads: [], writes: [] }
    names.set(name, binding)
    bindings.set(node, binding)
  }

  for (const node of descendants(root)) {
    if (!isUse(node)) continue
    const binding = lookUp(node, scopes)
    if (binding === undefined) continue
    bindings.set(node, binding)
    if (isWrite(node)) binding.writes.push(node)
    if (!isPlainTarget(node)) binding.reads.push(node)
  }
  return bindings
}

type Growing = Omit<Binding, 'reads' | 'writes'> & { reads: Node[]; writes: Node[] }

function isUse(node: Node): boolean {
  if (node.name === 'VariableName') return true
  if (node.name === 'VariableDefinition') return isAssigned(node)
  return node.name === 'PropertyDefinition' && node.parent?.name === 'Property' && node.parent.children.length === 1
}

/** `[a, b] = c` assigns to names that are declared elsewhere. */
function isAssigned(definition: Node): boolean {
  let at = definition.parent
  while (at !== null && (at.name.endsWith('Pattern') || at.name === 'PatternProperty')) at = at.parent
  return at?.name === 'AssignmentExpression'
}

function isPlainTarget(node: Node): boolean {
  if (node.name === 'VariableDefinition') return true
  const assignment = assignmentOf(node.parent ?? undefined)
  return assignment?.target === node && assignment.operator === '='
}

function isWrite(node: Node): boolean {
  const parent = node.parent
  if (node.name === 'VariableDefinition' || assignmentOf(parent ?? undefined)?.target === node) return true
  if (parent?.name === 'PostfixExpression') return childNamed(parent, 'ArithOp') !== undefined
  if (parent?.name === 'UnaryExpression') return /^(?:\+\+|--)/.test(textOf(parent))
  return parent?.name === 'ForOfSpec' && parent.children[1] === node
}

function lookUp(node: Node, scopes: ReadonlyMap<Node, ReadonlyMap<string, Growing>>): Growing | undefined {
  const name = textOf(node)
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const found = scopes.get(at)?.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

const BLOCKS = new Set(['Block', 'SwitchBody', 'ForStatement', 'CatchClause', 'Script', 'ClassDeclaration'])

function scopeOf(definition: Node, root: Node): Node {
  const owner = definition.parent
  if (owner !== null && isFunction(owner)) {
    // A function's own name belongs to the block around it; an expression's only to itself.
    return owner.name === 'FunctionExpression' ? owner : (enclosing(owner, opensScope) ?? root)
  }
  const declaration = enclosing(definition, node => node.name === 'VariableDeclaration' || isFunction(node))
  if (declaration?.name === 'VariableDeclaration' && childNamed(declaration, 'var'))
    return enclosing(declaration, isFunction) ?? root
  const from = owner?.name === 'ClassDeclaration' ? owner : definition
  return enclosing(from, opensScope) ?? root
}

function opensScope(node: Node): boolean {
  return isFunction(node) || BLOCKS.has(node.name) || isMethod(node)
}

function isMethod(node: Node): boolean {
  return node.name === 'Property' && childNamed(node, 'ParamList') !== undefined
}

function originOf(definition: Node): { origin: Origin; fallback?: Node } {
  const owner = definition.parent
  if (owner !== null && isFunction(owner)) return { origin: { kind: 'function', fn: owner } }
  if (owner?.name === 'ImportDeclaration' || owner?.name === 'ImportGroup')
    return { origin: importOrigin(definition, owner) }

  const path: Step[] = []
  let at = definition
  for (
    let up = at.parent;
    up !== null && (up.name.endsWith('Pattern') || up.name === 'PatternProperty');
    up = up.parent
  ) {
    const step = up.name === 'ObjectPattern' ? undefined : stepInto(up, at)
    if (step !== undefined) path.unshift(step)
    at = up
  }
  const fallback = definition === at ? undefined : initialiser(definition)
  const value = initialiser(at)
  const origin = rootOrigin(at, path, value)
  const own = origin.kind === 'parameter' ? (fallback ?? value) : fallback
  return { origin, ...(own === undefined ? {} : { fallback: own }) }
}

function rootOrigin(at: Node, path: readonly Step[], value: Node | undefined): Origin {
  const owner = at.parent
  if (owner?.name === 'VariableDeclaration' && value !== undefined) return { kind: 'value', value, path }
  if (owner?.name === 'ForOfSpec') {
    const of = owner.children.at(-2)
    return of === undefined ? { kind: 'none' } : { kind: 'element', of, path }
  }
  if (owner?.name === 'ParamList' && owner.parent !== null) {
    const bare = owner.children.length === 1
    const index = bare ? 0 : parameterIndex(owner, at)
    const rest = owner.children[owner.children.indexOf(at) - 1]?.name === 'Spread'
    return { kind: 'parameter', fn: owner.parent, index, path: rest ? [{ from: index }, ...path] : path }
  }
  return { kind: 'none' }
}

function parameterIndex(list: Node, pattern: Node): number {
  return list.children.slice(0, list.children.indexOf(pattern)).filter(child => child.name === ',').length
}

/** The step from an array pattern or a property of an object pattern to what stands in it. */
function stepInto(pattern: Node, inner: Node): Step | undefined {
  if (pattern.name === 'ArrayPattern') {
    const before = pattern.children.slice(0, pattern.children.indexOf(inner))
    const index = before.filter(child => child.name === ',').length
    return before.at(-1)?.name === 'Spread' ? { from: index } : { at: index }
  }
  const [key] = partsOf(pattern)
  if (childNamed(pattern, 'Spread')) return { from: 0 }
  if (key === undefined) return undefined
  return { at: key.name === 'String' ? stringValue(key) : textOf(key) }
}

function initialiser(pattern: Node): Node | undefined {
  const siblings = pattern.parent?.children ?? []
  const next = siblings
    .slice(siblings.indexOf(pattern) + 1)
    .filter(child => !['TypeAnnotation', 'Optional', 'LogicOp'].includes(child.name))
  return next[0]?.name === 'Equals' ? next[1] : undefined
}

function importOrigin(definition: Node, owner: Node): Origin {
  const statement = owner.name === 'ImportGroup' ? owner.parent : owner
  const module = childNamed(statement ?? undefined, 'String')
  if (module === undefined) return { kind: 'none' }
  return { kind: 'import', module: stringValue(module), name: importedName(definition, owner) }
}

function importedName(definition: Node, owner: Node): string {
  const before = owner.children.slice(0, owner.children.indexOf(definition))
  if (before.at(-1)?.name !== 'as') return owner.name === 'ImportGroup' ? textOf(definition) : 'default'
  const original = before.at(-2)
  if (original === undefined || original.name === 'Star') return '*'
  return original.name === 'String' ? stringValue(original) : textOf(original)
}

/** Names of a function's parameters, `undefined` for patterns. */
export function parameterPatterns(fn: Node): readonly (Node | undefined)[] {
  const list = childNamed(fn, 'ParamList')
  if (list === undefined) return []
  return list.children.length === 1 ? list.children : itemsOf(list)
}
