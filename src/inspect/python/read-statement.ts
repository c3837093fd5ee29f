// Statements of the parse tree as syntax data.
import type { SyntaxNode } from '@lezer/common'
import type { Range } from './lazy-bodies.ts'
import { BrokenSource, parseBody } from './parse-tree.ts'
import { readArguments, readExpression, readList } from './read-expression.ts'
import { readParameters } from './read-parameters.ts'
import type { Body, Branch, Expression, Handler, Import, Statement, WithItem } from './syntax.ts'
import { childrenOf, splitAt } from './tree.ts'

/** In one block; what people write by hand stays far below it. */
const MOST_STATEMENTS = 1_500

/** Reads the statements of a `Script` or `Body` node. Throws `BrokenSource` when there are too many. */
export function readStatements(node: SyntaxNode, text: string): Statement[] {
  const children = childrenOf(node)
  if (children.length > MOST_STATEMENTS) throw new BrokenSource('The script is too long to be read.', node.from)
  return children.flatMap(child => {
    if (child.name === ':' || child.name === ';' || child.type.isError) return []
    if (child.name === 'StatementGroup') return readStatements(child, text)
    return [readStatement(child, text)]
  })
}

function readStatement(node: SyntaxNode, text: string): Statement {
  const at = node.from
  switch (node.name) {
    case 'ExpressionStatement':
      return { kind: 'expression', value: readList(childrenOf(node), text), at }
    case 'AssignStatement':
      return assignment(node, text)
    case 'UpdateStatement': {
      const [target, operator, ...value] = childrenOf(node)
      if (!target || !operator) return { kind: 'other', at }
      return {
        kind: 'update',
        target: readExpression(target, text),
        operator: text.slice(operator.from, operator.to - 1),
        value: readList(value, text),
        at,
      }
    }
    case 'ImportStatement':
      return readImport(node, text)
    case 'FunctionDefinition':
    case 'ClassDefinition':
      return definition(node, [], text)
    case 'DecoratedStatement': {
      const target = node.lastChild
      const decorators = node.getChildren('Decorator').map(decorator => readDecorator(decorator, text))
      return target ? definition(target, decorators, text) : { kind: 'other', at }
    }
    case 'IfStatement':
      return conditional(node, text)
    case 'ForStatement':
      return loop(node, text)
    case 'WhileStatement': {
      const [, test] = childrenOf(node)
      return test
        ? { kind: 'while', test: readExpression(test, text), body: bodyOf(node.getChild('Body'), text), at }
        : { kind: 'other', at }
    }
    case 'TryStatement':
      return attempt(node, text)
    case 'WithStatement':
      return { kind: 'with', items: withItems(node, text), body: bodyOf(node.getChild('Body'), text), at }
    case 'MatchStatement': {
      const clauses = node.getChild('MatchBody')?.getChildren('MatchClause') ?? []
      return { kind: 'match', cases: clauses.map(clause => bodyOf(clause.getChild('Body'), text)), at }
    }
    case 'ReturnStatement': {
      const value = childrenOf(node).slice(1)
      return { kind: 'return', ...(value.length > 0 ? { value: readList(value, text) } : {}), at }
    }
    case 'RaiseStatement': {
      const [, value] = childrenOf(node)
      return { kind: 'raise', ...(value ? { value: readExpression(value, text) } : {}), at }
    }
    case 'DeleteStatement': {
      const targets = splitAt(childrenOf(node).slice(1), ',').map(run => readList(run, text))
      return { kind: 'delete', targets, at }
    }
    case 'BreakStatement':
      return { kind: 'break', at }
    case 'ContinueStatement':
      return { kind: 'continue', at }
    case 'PassStatement':
      return { kind: 'pass', at }
    case 'ScopeStatement':
      return { kind: 'global', names: node.getChildren('VariableName').map(name => text.slice(name.from, name.to)), at }
    default:
      return { kind: 'other', at }
  }
}

function bodyOf(node: SyntaxNode | null, text: string): Body {
  return once(() => (node ? readStatements(node, text) : []))
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A body that was left out of the parse is a number in the tree and something else in the text. */
function isLeftOut(body: SyntaxNode | null, text: string): boolean {
  const only = body?.lastChild?.firstChild
  return only?.name === 'Number' && !/[\d.]/.test(text.charAt(only.from))
}

function assignment(node: SyntaxNode, text: string): Statement {
  const at = node.from
  const children = childrenOf(node)
  const type = children.find(child => child.name === 'TypeDef')?.lastChild
  const runs = splitAt(
    children.filter(child => child.name !== 'TypeDef'),
    'AssignOp',
  ).map(run => readList(run, text))
  const annotation = type ? { annotation: readExpression(type, text) } : {}
  const value = runs.pop()
  if (!value) return { kind: 'other', at }
  if (runs.length > 0) return { kind: 'assign', targets: runs, ...annotation, value, at }
  return annotation.annotation
    ? { kind: 'declare', target: value, annotation: annotation.annotation, at }
    : { kind: 'other', at }
}

function readImport(node: SyntaxNode, text: string): Import {
  const children = childrenOf(node).filter(child => child.name !== '(' && child.name !== ')')
  const split = children.findIndex(child => child.name === 'import')
  const head = children.slice(0, split)
  const names = splitAt(children.slice(split + 1), ',').map(run => {
    const [name = [], as = []] = splitAt(run, 'as')
    return { name: join(name, text), ...(as.length > 0 ? { as: join(as, text) } : {}) }
  })
  if (head.length === 0) return { kind: 'import', dots: 0, names, at: node.from }
  const path = text.slice(head[0]?.to, children[split]?.from).trim()
  const dots = /^[.\s]*/.exec(path)?.[0].replace(/\s/g, '').length ?? 0
  return { kind: 'import', dots, from: path.replace(/^[.\s]*/, ''), names, at: node.from }
}

function join(nodes: readonly SyntaxNode[], text: string): string {
  return nodes.map(node => text.slice(node.from, node.to)).join('')
}

function definition(node: SyntaxNode, decorators: readonly Expression[], text: string): Statement {
  const name = node.getChild('VariableName')
  const at = node.from
  if (!name) return { kind: 'other', at }
  const block = node.getChild('Body')
  const isLazy = node.name === 'FunctionDefinition' && isLeftOut(block, text)
  const body = isLazy ? once(() => readBody(text, { from: at, to: node.to })) : bodyOf(block, text)
  const shared = { name: text.slice(name.from, name.to), decorators, body, at }
  if (node.name === 'ClassDefinition') {
    const bases = node.getChild('ArgList')
    return { kind: 'class', bases: bases ? readArguments(bases, text) : [], ...shared }
  }
  const list = node.getChild('ParamList')
  const returns = node.getChild('TypeDef')?.lastChild
  return {
    kind: 'function',
    parameters: list ? readParameters(list, text) : [],
    ...(returns ? { returns: readExpression(returns, text) } : {}),
    isAsync: node.firstChild?.name === 'async',
    text: () => text.slice(node.from, node.to),
    ...shared,
  }
}

function readBody(text: string, definition: Range): Statement[] {
  const body = parseBody(text, definition)
  return body ? readStatements(body, text) : []
}

/** `@a.b(c)` is flat in the tree. */
function readDecorator(node: SyntaxNode, text: string): Expression {
  let value: Expression = { kind: 'other', at: node.from }
  for (const child of childrenOf(node)) {
    if (child.name === 'ArgList') {
      value = { kind: 'call', callee: value, args: readArguments(child, text), at: node.from }
    } else if (child.name === 'VariableName' || child.name === 'PropertyName') {
      const name = text.slice(child.from, child.to)
      value =
        value.kind === 'other'
          ? { kind: 'name', name, at: node.from }
          : { kind: 'attribute', object: value, name, at: node.from }
    }
  }
  return value
}

function conditional(node: SyntaxNode, text: string): Statement {
  const branches: Branch[] = []
  let otherwise: Body | undefined
  let test: SyntaxNode | undefined
  for (const child of childrenOf(node)) {
    if (child.name === 'if' || child.name === 'elif' || child.name === 'else') test = undefined
    else if (child.name !== 'Body') test = child
    else if (test) branches.push({ test: readExpression(test, text), body: bodyOf(child, text) })
    else otherwise = bodyOf(child, text)
  }
  return { kind: 'if', branches, ...(otherwise ? { otherwise } : {}), at: node.from }
}

function loop(node: SyntaxNode, text: string): Statement {
  const children = childrenOf(node)
  const start = children.findIndex(child => child.name === 'for')
  const middle = children.findIndex(child => child.name === 'in')
  const end = children.findIndex(child => child.name === 'Body')
  const [body, otherwise] = node.getChildren('Body')
  return {
    kind: 'for',
    target: readList(children.slice(start + 1, middle), text),
    source: readList(children.slice(middle + 1, end), text),
    body: bodyOf(body ?? null, text),
    ...(otherwise ? { otherwise: bodyOf(otherwise, text) } : {}),
    at: node.from,
  }
}

function attempt(node: SyntaxNode, text: string): Statement {
  const handlers: Handler[] = []
  const parts: { body?: Body; otherwise?: Body; finally?: Body } = {}
  let clause = ''
  let types: string[] = []
  for (const child of childrenOf(node)) {
    if (child.name === 'Body') {
      const body = bodyOf(child, text)
      if (clause === 'except') handlers.push({ types, body })
      else parts[clause === 'else' ? 'otherwise' : clause === 'finally' ? 'finally' : 'body'] = body
    } else if (['try', 'except', 'else', 'finally'].includes(child.name)) {
      clause = child.name
      types = []
    } else if (clause === 'except' && child.name !== 'as') {
      types.push(...(text.slice(child.from, child.to).match(/[\w.]+/g) ?? []))
    }
  }
  return { kind: 'try', handlers, ...parts, body: parts.body ?? (() => []), at: node.from }
}

function withItems(node: SyntaxNode, text: string): WithItem[] {
  const children = childrenOf(node)
  const start = children.findIndex(child => child.name === 'with')
  const end = children.findIndex(child => child.name === 'Body')
  return splitAt(children.slice(start + 1, end), ',').flatMap(run => {
    const [value = [], target = []] = splitAt(run, 'as')
    if (value.length === 0) return []
    return [{ value: readList(value, text), ...(target.length > 0 ? { target: readList(target, text) } : {}) }]
  })
}
