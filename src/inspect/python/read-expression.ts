// Expressions of the parse tree as syntax data.
import type { SyntaxNode } from '@lezer/common'
import { readParameters } from './read-parameters.ts'
import { readString, splitLiteral, unescapeText } from './string-literal.ts'
import type { Argument, ComprehensionClause, DictEntry, Expression, FormatPart } from './syntax.ts'
import { childrenOf, splitAt } from './tree.ts'

/** Reads one expression node. Never throws: what it does not know is `other`. */
export function readExpression(node: SyntaxNode, text: string): Expression {
  const at = node.from
  switch (node.name) {
    case 'VariableName':
      return { kind: 'name', name: text.slice(node.from, node.to), at }
    case 'String': {
      const value = readString(text.slice(node.from, node.to))
      return value === undefined ? { kind: 'bytes', at } : { kind: 'string', value, at }
    }
    case 'FormatString':
      return { kind: 'format', parts: formatParts(node, text), at }
    case 'ContinuedString':
      return continued(node, text)
    case 'Number':
      return readNumber(text.slice(node.from, node.to), at)
    case 'Boolean':
      return { kind: 'constant', value: text.slice(node.from, node.to) === 'True', at }
    case 'None':
      return { kind: 'constant', value: null, at }
    case 'MemberExpression':
      return member(node, text)
    case 'CallExpression':
      return call(node, text)
    case 'ParenthesizedExpression':
      return readList(inside(node), text)
    case 'TupleExpression':
      return { kind: 'tuple', items: readItems(inside(node), text), at }
    case 'ArrayExpression':
      return { kind: 'list', items: readItems(inside(node), text), at }
    case 'SetExpression':
      return { kind: 'set', items: readItems(inside(node), text), at }
    case 'DictionaryExpression':
      return { kind: 'dict', entries: dictEntries(inside(node), text), at }
    case 'ArrayComprehensionExpression':
      return comprehension(inside(node), 'list', text, at)
    case 'SetComprehensionExpression':
      return comprehension(inside(node), 'set', text, at)
    case 'DictionaryComprehensionExpression':
      return comprehension(inside(node), 'dict', text, at)
    case 'ComprehensionExpression':
      return comprehension(inside(node), 'generator', text, at)
    case 'UnaryExpression': {
      const [operator, operand] = childrenOf(node)
      if (!operator || !operand) return { kind: 'other', at }
      return { kind: 'unary', operator: slice(operator, text), operand: readExpression(operand, text), at }
    }
    case 'BinaryExpression':
      return binary(node, text)
    case 'ConditionalExpression': {
      const [yes, , test, , no] = childrenOf(node)
      if (!yes || !test || !no) return { kind: 'other', at }
      return {
        kind: 'conditional',
        yes: readExpression(yes, text),
        test: readExpression(test, text),
        no: readExpression(no, text),
        at,
      }
    }
    case 'LambdaExpression': {
      const parameters = node.getChild('ParamList')
      const body = node.lastChild
      if (!body) return { kind: 'other', at }
      return {
        kind: 'lambda',
        parameters: parameters ? readParameters(parameters, text) : [],
        body: readExpression(body, text),
        at,
      }
    }
    case 'NamedExpression': {
      const [name, , value] = childrenOf(node)
      if (!name || !value) return { kind: 'other', at }
      return { kind: 'walrus', name: slice(name, text), value: readExpression(value, text), at }
    }
    case 'Ellipsis':
      return { kind: 'name', name: 'Ellipsis', at }
    case 'AwaitExpression': {
      const value = node.lastChild
      return value ? { kind: 'await', value: readExpression(value, text), at } : { kind: 'other', at }
    }
    default:
      return { kind: 'other', at }
  }
}

/** Nodes between commas: one is itself, several are a tuple. */
export function readList(nodes: readonly SyntaxNode[], text: string): Expression {
  const first = nodes[0]
  if (!first) return { kind: 'tuple', items: [], at: 0 }
  if (nodes.length === 1) return readExpression(first, text)
  return { kind: 'tuple', items: readItems(nodes, text), at: first.from }
}

/** Arguments of a call or bases of a class. */
export function readArguments(list: SyntaxNode, text: string): Argument[] {
  const nodes = inside(list)
  if (nodes.some(node => node.name === 'for')) {
    return [{ value: comprehension(nodes, 'generator', text, list.from) }]
  }
  return splitAt(nodes, ',').flatMap(([first, second, third]): Argument[] => {
    if (!first) return []
    if (first.name === '*' || first.name === '**') {
      return second ? [{ spread: first.name, value: readExpression(second, text) }] : []
    }
    if (second?.name === 'AssignOp' && third) return [{ name: slice(first, text), value: readExpression(third, text) }]
    return [{ value: readExpression(first, text) }]
  })
}

function readItems(nodes: readonly SyntaxNode[], text: string): Expression[] {
  return splitAt(nodes, ',').flatMap(([first, second]): Expression[] => {
    if (!first) return []
    if (first.name !== '*') return [readExpression(first, text)]
    return second ? [{ kind: 'star', value: readExpression(second, text), at: first.from }] : []
  })
}

function dictEntries(nodes: readonly SyntaxNode[], text: string): DictEntry[] {
  return splitAt(nodes, ',').flatMap((part): DictEntry[] => {
    const [first, second, third] = part
    if (first?.name === '**' && second) return [{ value: readExpression(second, text) }]
    if (!first || !third) return []
    return [{ key: readExpression(first, text), value: readExpression(third, text) }]
  })
}

function member(node: SyntaxNode, text: string): Expression {
  const [object, opening, ...rest] = childrenOf(node)
  const at = node.from
  if (!object || !opening) return { kind: 'other', at }
  if (opening.name === '.') {
    const name = rest[0]
    // Lezer reads `400.` as a member of 400.
    if (object.name === 'Number') return readNumber(`${slice(object, text)}.`, at)
    if (!name || name.type.isError) return { kind: 'other', at }
    return { kind: 'attribute', object: readExpression(object, text), name: slice(name, text), at }
  }
  const inner = rest.slice(0, -1)
  const index = inner.some(part => part.name === ':') ? readSlice(inner, text, at) : readList(inner, text)
  return { kind: 'index', object: readExpression(object, text), index, at }
}

function readSlice(nodes: readonly SyntaxNode[], text: string, at: number): Expression {
  if (nodes.some(node => node.name === ',')) return { kind: 'other', at }
  const bounds = splitAt(nodes, ':').map(([bound]) => (bound ? readExpression(bound, text) : undefined))
  return { kind: 'slice', bounds, at }
}

function call(node: SyntaxNode, text: string): Expression {
  const callee = node.firstChild
  const list = node.getChild('ArgList')
  if (!callee || !list) return { kind: 'other', at: node.from }
  return { kind: 'call', callee: readExpression(callee, text), args: readArguments(list, text), at: node.from }
}

function binary(node: SyntaxNode, text: string): Expression {
  const parts = childrenOf(node)
  const left = parts[0]
  const right = parts.at(-1)
  if (!left || !right || parts.length < 3) return { kind: 'other', at: node.from }
  const operator = parts
    .slice(1, -1)
    .map(part => slice(part, text))
    .join(' ')
  return {
    kind: 'binary',
    operator,
    left: readExpression(left, text),
    right: readExpression(right, text),
    at: node.from,
  }
}

function comprehension(
  nodes: readonly SyntaxNode[],
  form: 'list' | 'set' | 'dict' | 'generator',
  text: string,
  at: number,
): Expression {
  const start = nodes.findIndex(node => node.name === 'for')
  const head = nodes.slice(0, start).filter(node => node.name !== 'async')
  const element = head[0]
  if (start < 0 || !element) return { kind: 'other', at }
  const clauses = splitAt(nodes.slice(start + 1), 'for').map(part => clause(part, text))
  const value = form === 'dict' ? head[2] : undefined
  return {
    kind: 'comprehension',
    form,
    element: readExpression(element, text),
    ...(value ? { value: readExpression(value, text) } : {}),
    clauses,
    at,
  }
}

function clause(nodes: readonly SyntaxNode[], text: string): ComprehensionClause {
  const [head = [], ...tests] = splitAt(nodes, 'if')
  const [target = [], source = []] = splitAt(head, 'in')
  return {
    target: readList(target, text),
    source: readList(source, text),
    tests: tests.map(test => readList(test, text)),
  }
}

function continued(node: SyntaxNode, text: string): Expression {
  const pieces = childrenOf(node).map(child => readExpression(child, text))
  if (pieces.some(piece => piece.kind === 'bytes')) return { kind: 'bytes', at: node.from }
  const parts = pieces.flatMap((piece): readonly FormatPart[] => {
    if (piece.kind === 'string') return [piece.value]
    return piece.kind === 'format' ? piece.parts : []
  })
  if (!parts.every(part => typeof part === 'string')) return { kind: 'format', parts, at: node.from }
  return { kind: 'string', value: parts.join(''), at: node.from }
}

function formatParts(node: SyntaxNode, text: string): FormatPart[] {
  const { prefix, start, end } = splitLiteral(text.slice(node.from, node.to))
  const parts: FormatPart[] = []
  let position = node.from + start
  const literal = (to: number) => {
    const piece = text.slice(position, to).replaceAll('{{', '{').replaceAll('}}', '}')
    if (piece) parts.push(unescapeText(piece, prefix))
  }
  for (const child of childrenOf(node)) {
    if (child.name !== 'FormatReplacement') continue
    literal(child.from)
    const inner = inside(child)
    const value = inner[0]
    const spec = inner.slice(1).map(part => slice(part, text))
    if (value) parts.push({ value: readExpression(value, text), spec: spec.join('') })
    position = child.to
  }
  literal(node.from + end)
  return parts
}

function readNumber(literal: string, at: number): Expression {
  const digits = literal.replaceAll('_', '').toLowerCase()
  if (digits.endsWith('j')) return { kind: 'other', at }
  const float = !/^0[xob]/.test(digits) && /[.e]/.test(digits)
  // A JSON number of that size would be another one.
  if (!float && !Number.isSafeInteger(Number(digits))) return { kind: 'other', at }
  return { kind: 'number', value: float ? Number.parseFloat(digits) : Number(digits), float, at }
}

/** Children without the brackets around them and without comments. */
function inside(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).slice(1, -1)
}

function slice(node: SyntaxNode, text: string): string {
  return text.slice(node.from, node.to)
}
