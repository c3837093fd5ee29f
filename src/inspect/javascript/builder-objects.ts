// Objects that are built by chained calls, as commander's and yargs' parsers are: which call is made on which object.
import { callOf, type MethodCall, methodCallOf } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { descendants, enclosing, isFunction, type Node, textOf, unwrap } from './syntax-tree.ts'
import { calledFunction, callsOf } from './value-flow.ts'

/** How a library's objects come to be. An object's identity is the node that makes it. */
export type BuilderRules = {
  /** The identity, when the expression makes or imports an object. */
  readonly created: (expression: Node) => Node | undefined
  /** Whether the method answers with a new object, such as a sub-command. */
  readonly answersNew: (call: MethodCall) => boolean
  /** Methods that answer with something else than the object. */
  readonly ends: ReadonlySet<string>
  /** The object that a callback is given. */
  readonly given?: (callback: Node) => Node | undefined
}

export type BuilderCall = MethodCall & { readonly at: Node; readonly on: readonly Node[]; readonly certain: boolean }

export type BuilderReading = {
  /** In the order of the source. */
  readonly calls: readonly BuilderCall[]
  /** Objects handed to functions that are not in this file. */
  readonly escapes: readonly Node[]
  readonly resolve: (node: Node | undefined) => readonly Node[]
}

const MOST_OBJECTS = 200

export function readBuilders(script: Script, rules: BuilderRules): BuilderReading {
  const memo = new Map<Node, readonly Node[]>()
  const resolve = (node: Node | undefined): readonly Node[] => {
    if (node === undefined) return []
    const expression = unwrap(node)
    const known = memo.get(expression)
    if (known !== undefined) return known
    memo.set(expression, [])
    const found = resolveNow(expression)
    memo.set(expression, found)
    return found
  }

  const resolveNow = (expression: Node): readonly Node[] => {
    const created = rules.created(expression)
    if (created !== undefined) return [created]
    const method = methodCallOf(expression)
    if (method !== undefined && !isFunction(unwrap(method.object))) {
      const base = resolve(method.object)
      if (base.length === 0 || rules.ends.has(method.method)) return []
      return rules.answersNew(method) ? [expression] : base
    }
    if (expression.name === 'CallExpression') return resolveReturned(expression)
    return resolveName(expression)
  }

  /** `withCommon(program.command('x'))`: a helper that hands back what it was given, or makes an object. */
  const resolveReturned = (expression: Node): readonly Node[] => {
    const call = callOf(expression)
    const fn = call === undefined ? undefined : calledFunction(script, call.callee)
    const returned = fn === undefined ? undefined : returnedExpression(fn)
    if (call === undefined || returned === undefined) return []
    let root = unwrap(returned)
    for (let method = methodCallOf(root); method !== undefined; method = methodCallOf(root))
      root = unwrap(method.object)
    const origin = bindingOf(script, root)?.origin
    return origin?.kind === 'parameter' && origin.fn === fn ? resolve(call.args[origin.index]) : resolve(returned)
  }

  const resolveName = (expression: Node): readonly Node[] => {
    const binding = bindingOf(script, expression)
    if (binding === undefined || binding.writes.length > 0) return []
    const { origin } = binding
    if (origin.kind === 'value' && origin.path.length === 0) return resolve(origin.value)
    if (origin.kind !== 'parameter' || origin.path.length > 0) return []
    const given = origin.index === 0 ? rules.given?.(origin.fn) : undefined
    if (given !== undefined) return [given]
    return [...new Set(callsOf(script, origin.fn).flatMap(at => resolve(callOf(at)?.args[origin.index])))]
  }

  const calls: BuilderCall[] = []
  const escapes: Node[] = []
  for (const at of script.calls) {
    const method = methodCallOf(at)
    const on = method === undefined ? [] : resolve(method.object)
    if (method !== undefined && on.length > 0 && calls.length < MOST_OBJECTS * 10)
      calls.push({ ...method, at, on, certain: isUnconditional(at) })
    else escapes.push(...escaping(script, at, resolve))
  }
  return { calls, escapes, resolve }
}

function escaping(script: Script, at: Node, resolve: (node: Node) => readonly Node[]): readonly Node[] {
  const call = callOf(at)
  if (call === undefined || calledFunction(script, call.callee) !== undefined) return []
  if (/^console\./.test(textOf(call.callee))) return []
  return call.args.flatMap(arg => (arg?.name === 'VariableName' && resolve(arg).length > 0 ? [at] : []))
}

function returnedExpression(fn: Node): Node | undefined {
  const body = fn.children.at(-1)
  if (body === undefined || body.name !== 'Block') return body
  for (const node of descendants(body)) {
    if (node.name === 'ReturnStatement' && enclosing(node, isFunction) === fn) return node.children[1]
  }
  return undefined
}

/** Whether a call is made whenever its function runs, and once. */
function isUnconditional(call: Node): boolean {
  for (let at = call.parent; at !== null && !isFunction(at); at = at.parent) {
    if (/^(?:If|For|While|Do|Switch)Statement$|^ConditionalExpression$/.test(at.name)) {
      if (at.name !== 'IfStatement' || !/import\.meta|require\.main/.test(textOf(at).slice(0, 120))) return false
    }
  }
  return true
}
