// Whether code is always reached, and whether it gives up.
import { callOf, pathOf } from './expressions.ts'
import type { Script } from './script.ts'
import { childNamed, isFunction, type Node, partsOf, textOf } from './syntax-tree.ts'
import { calledFunction, callsOf } from './value-flow.ts'

/** Whether a statement ends the run: it throws, exits, calls what does, or says how to use the script and returns. */
export function givesUp(script: Script, node: Node, depth = 3): boolean {
  if (node.name === 'ThrowStatement') return true
  if (isFunction(node)) return false
  const call = node.name === 'CallExpression' ? callOf(node) : undefined
  if (call !== undefined) {
    const path = pathOf(call.callee)
    if (path !== undefined && EXITS.test(path)) return true
    const fn = depth > 0 ? calledFunction(script, call.callee) : undefined
    if (fn !== undefined && endsInGivingUp(script, fn, depth - 1)) return true
  }
  if (node.name === 'Block' && node.children.some(child => child.name === 'ReturnStatement') && prints(node))
    return true
  return node.children.some(child => givesUp(script, child, depth))
}

const EXITS = /^(?:(?:process|Deno)\.)?exit$|^(?:program|cli)\.(?:help|showHelp|error)$/

function endsInGivingUp(script: Script, fn: Node, depth: number): boolean {
  const body = fn.children.at(-1)
  if (body === undefined) return false
  if (body.name !== 'Block') return givesUp(script, body, depth)
  return body.children.some(
    statement =>
      (statement.name === 'ExpressionStatement' || statement.name === 'ThrowStatement') &&
      givesUp(script, statement, depth),
  )
}

function prints(block: Node): boolean {
  return /\bconsole\.(?:error|log|warn)\(|process\.exitCode|process\.std(?:err|out)\.write\(/.test(textOf(block))
}

/** Whether a node is reached on every run, whatever the arguments are. */
export function isAlwaysReached(script: Script, node: Node, depth = 4): boolean {
  let inner = node
  for (let at = node.parent; at !== null; inner = at, at = at.parent) {
    if (script.scope?.own.has(inner)) return true
    if (isFunction(at)) return depth > 0 && callsOf(script, at).some(call => isAlwaysReached(script, call, depth - 1))
    if (at.name === 'IfStatement' && childNamed(at, 'ParenthesizedExpression') !== inner && !isMainCheck(at))
      return false
    if (BRANCHING.has(at.name)) return false
    if (leavesEarly(script, at, inner)) return false
  }
  return true
}

const BRANCHING = new Set([
  'ForStatement',
  'WhileStatement',
  'DoStatement',
  'SwitchBody',
  'ConditionalExpression',
  'CatchClause',
  'ClassBody',
])

/** `if (args.includes('--list')) { list(); return }` above makes what follows conditional. */
function leavesEarly(script: Script, block: Node, until: Node): boolean {
  if (block.name !== 'Block' && block.name !== 'Script') return false
  for (const statement of block.children) {
    if (statement === until) return false
    if (statement.name !== 'IfStatement') continue
    const test = childNamed(statement, 'ParenthesizedExpression')
    if (test === undefined || isAboutHelpOrLack(textOf(test))) continue
    if (statement.children.some(child => child !== test && leaves(script, child))) return true
  }
  return false
}

function leaves(script: Script, branch: Node): boolean {
  if (branch.name === 'ReturnStatement') return true
  if (branch.name === 'Block' && branch.children.some(child => child.name === 'ReturnStatement')) return true
  return givesUp(script, branch)
}

function isAboutHelpOrLack(test: string): boolean {
  return (
    /['"`](?:--help|-h|help|--version|-v|-V)['"`]|\.help\b|\bhelp\b|\.version\b/i.test(test) ||
    /^\(\s*!|\.length\b|===? (?:undefined|null)\b|isNaN|isFinite|existsSync/i.test(test)
  )
}

export function isMainCheck(statement: Node): boolean {
  const test = childNamed(statement, 'ParenthesizedExpression')
  return (
    test !== undefined &&
    /require\.main|import\.meta|process\.argv\[1\]|isMain|invokedDirectly|isDirect|isCli/i.test(textOf(test))
  )
}

/** The `if` whose whole condition, or one arm of its `||` chain, a test is. */
export function guardingIf(test: Node): Node | undefined {
  let at: Node = test
  while (at.parent !== null && (at.parent.name === 'ParenthesizedExpression' || isOr(at.parent))) {
    at = at.parent
    if (at.parent?.name === 'IfStatement')
      return childNamed(at.parent, 'ParenthesizedExpression') === at ? at.parent : undefined
  }
  return undefined
}

function isOr(node: Node): boolean {
  return (
    node.name === 'BinaryExpression' &&
    childNamed(node, 'LogicOp') !== undefined &&
    textOf(childNamed(node, 'LogicOp') as Node) === '||'
  )
}

/** The statement that runs when an `if` holds. */
export function consequentOf(statement: Node): Node | undefined {
  const test = childNamed(statement, 'ParenthesizedExpression')
  return test === undefined ? undefined : statement.children[statement.children.indexOf(test) + 1]
}

export function alternateOf(statement: Node): Node | undefined {
  const mark = childNamed(statement, 'else')
  return mark === undefined ? undefined : statement.children[statement.children.indexOf(mark) + 1]
}

export function conditionOf(statement: Node): Node | undefined {
  return partsOf(childNamed(statement, 'ParenthesizedExpression'))[0]
}
