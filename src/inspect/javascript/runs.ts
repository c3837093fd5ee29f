import { assignmentOf, callOf, pathOf } from './expressions.ts'
import { type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

/** Whether loading the file does something, rather than only defining things for others to import. */
export function runsWhenLoaded(root: Node): boolean {
  const isModule = root.children.some(exportsSomething)
  return root.children.some(statement => isLoud(statement, isModule))
}

function exportsSomething(statement: Node): boolean {
  if (statement.name === 'ExportDeclaration') return true
  return statement.name === 'ExpressionStatement' && /^(?:module\.exports|exports)\b/.test(textOf(statement))
}

function isLoud(statement: Node, isModule: boolean): boolean {
  switch (statement.name) {
    case 'VariableDeclaration':
      return partsOf(statement).some(part => !isPattern(part) && isLoudInitialiser(part, isModule))
    case 'ExportDeclaration':
      return partsOf(statement).some(part =>
        isStatement(part) ? isLoud(part, isModule) : isLoudInitialiser(part, isModule),
      )
    case 'ExpressionStatement':
      return statement.children[0] !== undefined && isLoudExpression(unwrap(statement.children[0]), isModule)
    case 'IfStatement':
    case 'Block':
    case 'TryStatement':
    case 'CatchClause':
    case 'FinallyClause':
      return statement.children.some(child => isLoud(child, isModule))
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoStatement':
    case 'SwitchStatement':
    case 'ThrowStatement':
    case 'LabeledStatement':
      return true
    default:
      return false
  }
}

/** A constant is quiet: a module may compute its constants, but waiting for one is work. */
function isLoudInitialiser(value: Node, isModule: boolean): boolean {
  if (value.name === 'AwaitExpression') return !isImportCall(value)
  return !isModule && callOf(value) !== undefined && !isHarmlessCall(value)
}

function isLoudExpression(expression: Node, isModule: boolean): boolean {
  const assignment = assignmentOf(expression)
  if (assignment !== undefined) return callOf(unwrap(assignment.value)) !== undefined && !isExports(assignment.target)
  const call = callOf(expression)
  if (call === undefined)
    return (
      textOf(expression).startsWith('await ') ||
      expression.name === 'ConditionalExpression' ||
      isGuardedCall(expression)
    )
  const path = pathOf(call.callee) ?? textOf(call.callee)
  if (HARMLESS.test(path)) return false
  // A wrapper that is called at once is as loud as its body, so that a module in the old style stays a module.
  if (call.callee.name === 'FunctionExpression' && !textOf(call.callee).startsWith('async'))
    return partsOf(call.callee).some(part => isLoud(part, isModule))
  return true
}

/** `require.main === module && main()`. */
function isGuardedCall(expression: Node): boolean {
  return expression.name === 'BinaryExpression' && partsOf(expression).some(part => callOf(unwrap(part)) !== undefined)
}

function isHarmlessCall(value: Node): boolean {
  if (value.name === 'NewExpression') return true
  const path = pathOf(callOf(value)?.callee) ?? ''
  return (
    HARMLESS.test(path) || /^(?:require|createRequire|promisify|fileURLToPath|dirname|join|resolve|Symbol)$/.test(path)
  )
}

function isImportCall(value: Node): boolean {
  return /^await\s+import\s*\(/.test(textOf(value))
}

function isExports(target: Node): boolean {
  return /^(?:module\.exports|exports)\b/.test(textOf(target))
}

function isPattern(node: Node): boolean {
  return node.name === 'VariableDefinition' || node.name === 'ArrayPattern' || node.name === 'ObjectPattern'
}

function isStatement(node: Node): boolean {
  return node.name.endsWith('Declaration')
}

const HARMLESS = /^(?:Object|path|require|util\.promisify|.*\bdotenv\b.*|Error\.captureStackTrace)(?:\.\w+)*$/
