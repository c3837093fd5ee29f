import { evaluate } from './evaluate.ts'
import { callOf, methodCallOf, pathOf } from './expressions.ts'
import { importedAs } from './imports.ts'
import { bindingOf, once, type Script } from './script.ts'
import { descendants, type Node, unwrap } from './syntax-tree.ts'
import { callsOf } from './value-flow.ts'

/** Expressions for the whole command line, each with the number of words before the first argument, negated. */
export function argvSources(script: Script): readonly ArgvSource[] {
  return once(script, 'argv', () => findSources(script))
}

type ArgvSource = { readonly node: Node; readonly offset: number }

function findSources(script: Script): readonly ArgvSource[] {
  const found: ArgvSource[] = []
  for (const node of descendants(script.root)) {
    const offset = sourceOffset(script, node)
    if (offset !== undefined) found.push({ node, offset })
  }
  return found
}

function sourceOffset(script: Script, node: Node): number | undefined {
  if (node.name !== 'MemberExpression' && node.name !== 'VariableName') return undefined
  const path = pathOf(node)
  if (path === 'process.argv' || path === 'Bun.argv' || path === 'globalThis.process.argv') return -2
  if (path === 'Deno.args') return 0
  if (node.name !== 'VariableName' && !path?.endsWith('.argv')) return undefined
  const imported = importedAs(script, node)
  return imported?.module === 'process' && imported.name === 'argv' ? -2 : undefined
}

/** How many arguments were dropped from the command line to make this list; undefined when it is another list. */
export function argvOffset(script: Script, node: Node | undefined, depth = 8): number | undefined {
  if (node === undefined || depth === 0) return undefined
  const expression = unwrap(node)
  const source = sourceOffset(script, expression)
  if (source !== undefined) return source

  const call = methodCallOf(expression)
  if (call?.method === 'slice') {
    const base = argvOffset(script, call.object, depth - 1)
    const from = call.args.length === 0 ? 0 : evaluate(script, call.args[0])?.value
    return base === undefined || typeof from !== 'number' || call.args.length > 1 ? undefined : base + from
  }
  if (expression.name === 'CallExpression' && importedAs(script, callOf(expression)?.callee)?.name === 'hideBin')
    return 0

  const binding = bindingOf(script, expression)
  if (binding === undefined || binding.writes.length > 0) return undefined
  const { origin } = binding
  if (origin.kind === 'value') {
    const base = argvOffset(script, origin.value, depth - 1)
    const [step] = origin.path
    if (base === undefined || step === undefined) return base
    return 'from' in step && origin.path.length === 1 ? base + step.from : undefined
  }
  if (origin.kind !== 'parameter' || origin.path.length > 0) return undefined
  const given = callsOf(script, origin.fn).map(at => callOf(at)?.args[origin.index])
  const [first] = given
  return first === undefined ? argvOffset(script, binding.fallback, depth - 1) : argvOffset(script, first, depth - 1)
}
