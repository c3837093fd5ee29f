// The few shapes of expression that interfaces are written in, read off the syntax tree.
import { argumentsOf, childNamed, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

export type Call = { readonly callee: Node; readonly args: readonly (Node | undefined)[] }

export function callOf(node: Node | undefined): Call | undefined {
  if (node?.name !== 'CallExpression' && node?.name !== 'NewExpression') return undefined
  const callee = partsOf(node)[0]
  return callee === undefined || callee.name === 'ArgList'
    ? undefined
    : { callee: unwrap(callee), args: argumentsOf(node) }
}

/** `object.name`, `object[index]`. */
export type Member = { readonly object: Node; readonly name?: string; readonly index?: Node }

export function memberOf(node: Node | undefined): Member | undefined {
  if (node?.name !== 'MemberExpression') return undefined
  const [first, second] = partsOf(node)
  if (first === undefined) return undefined
  const object = unwrap(first)
  if (second === undefined) return undefined
  if (second.name === 'PropertyName') return { object, name: textOf(second) }
  if (second.name === 'String') return { object, name: stringValue(second), index: second }
  return { object, index: second }
}

/** A call of a method: `object.name(args)`. */
export type MethodCall = { readonly object: Node; readonly method: string; readonly args: Call['args'] }

export function methodCallOf(node: Node | undefined): MethodCall | undefined {
  const call = node?.name === 'CallExpression' ? callOf(node) : undefined
  const member = memberOf(call?.callee)
  if (call === undefined || member?.name === undefined) return undefined
  return { object: member.object, method: member.name, args: call.args }
}

export type Binary = { readonly operator: string; readonly left: Node; readonly right: Node }

export function binaryOf(node: Node | undefined): Binary | undefined {
  if (node?.name !== 'BinaryExpression') return undefined
  const operator = childNamed(node, 'LogicOp', 'CompareOp', 'ArithOp', 'LessThan', 'BitOp', 'in', 'instanceof')
  const [left, right] = partsOf(node)
  if (operator === undefined || left === undefined || right === undefined) return undefined
  return { operator: textOf(operator), left: unwrap(left), right: unwrap(right) }
}

export type Assignment = { readonly target: Node; readonly operator: string; readonly value: Node }

export function assignmentOf(node: Node | undefined): Assignment | undefined {
  if (node?.name !== 'AssignmentExpression') return undefined
  const operator = childNamed(node, 'Equals', 'UpdateOp')
  const [target, value] = partsOf(node)
  if (operator === undefined || target === undefined || value === undefined) return undefined
  return { target, operator: textOf(operator), value }
}

/** `a.b.c` for a chain of plain names, `import.meta.url` included. */
export function pathOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined
  if (node.name === 'VariableName') return textOf(node)
  if (node.name === 'ImportMeta') return 'import.meta'
  const member = memberOf(node)
  if (member?.name === undefined) return undefined
  const object = pathOf(member.object)
  return object === undefined ? undefined : `${object}.${member.name}`
}

/** The text a string literal stands for. */
export function stringValue(node: Node): string {
  return unescapeText(textOf(node).slice(1, -1))
}

/** Resolves the escapes inside a quoted or template text. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi,
    (_, long, four, two, single) => {
      const code = long ?? four ?? two
      if (code !== undefined) return codePoint(Number.parseInt(code, 16))
      return ESCAPES[single] ?? single
    },
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
  '\r\n': '',
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
