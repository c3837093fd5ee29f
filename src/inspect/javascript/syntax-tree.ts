// A plain tree over the lezer parse: lezer's own nodes are built anew on every step, and we walk a lot.
import type { Tree } from '@lezer/common'
import { javascriptGrammar } from '../../libraries.ts'
import type { Language } from '../../types.ts'

export type Node = {
  /** As in the lezer grammar: `CallExpression`, `String`, `const` … */
  readonly name: string
  readonly from: number
  readonly to: number
  /** The whole text of the file. */
  readonly source: string
  readonly parent: Node | null
  /** Everything but comments, punctuation included. */
  readonly children: readonly Node[]
}

export type SyntaxTree = {
  readonly root: Node
  readonly comments: readonly Node[]
  /** Where the parser could not go on, if anywhere. */
  readonly firstError?: number
}

/** Parses with recovery from errors; it never throws. */
export function parseScript(source: string, language: Language): SyntaxTree {
  const { parser } = javascriptGrammar()
  if (language !== 'typescript') return plainTree(parser.configure({ dialect: 'jsx' }).parse(source), source)
  const typescript = parser.configure({ dialect: 'ts' })
  const tree = plainTree(typescript.parse(source), source)
  if (tree.firstError === undefined) return tree
  const eased = plainTree(typescript.parse(withoutHardTypes(source)), source)
  return eased.firstError === undefined ? eased : tree
}

/** Types that the grammar does not know are blanked out; positions stay as they are. */
function withoutHardTypes(source: string): string {
  return source
    .replace(/(catch\s*\(\s*\w+)(\s*:\s*(?:any|unknown))/g, (_, head: string, type: string) => head + blank(type))
    .replace(/(\)\s*:\s*)(\w+\s+is\s)(?=[^=;{}()]*=>)/g, (_, head: string, name: string) => head + blank(name))
    .replace(/\btypeof import\(\s*(['"])[^'"\n]*\1\s*\)(?:\.\w+)*/g, type => 'any'.padEnd(type.length))
}

function blank(text: string): string {
  return ' '.repeat(text.length)
}

function plainTree(tree: Tree, source: string): SyntaxTree {
  const comments: Node[] = []
  let firstError: number | undefined
  let open: Building = { name: '', from: 0, to: 0, source, parent: null, children: [] }
  const outer = open

  tree.iterate({
    enter(step) {
      const node: Building = { name: step.name, from: step.from, to: step.to, source, parent: open, children: [] }
      if (step.type.isError) firstError ??= step.from
      else if (isComment(step.name)) comments.push(node)
      else open.children.push(node)
      open = node
    },
    leave() {
      open = (open.parent as Building | null) ?? outer
    },
  })

  const root = outer.children[0] ?? outer
  return { root, comments, ...(firstError === undefined ? {} : { firstError }) }
}

export function textOf(node: Node): string {
  return node.source.slice(node.from, node.to)
}

/** Counted from 1. */
export function lineOf(node: Node): number {
  if (lines.source !== node.source) lines = { source: node.source, breaks: breaksOf(node.source) }
  let low = 0
  let high = lines.breaks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines.breaks[middle] as number) < node.from) low = middle + 1
    else high = middle
  }
  return low + 1
}

// Lines are asked for one file after the other: the breaks of the last one are kept.
let lines: { readonly source: string; readonly breaks: readonly number[] } = { source: '', breaks: [] }

function breaksOf(source: string): readonly number[] {
  const breaks: number[] = []
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) breaks.push(at)
  return breaks
}

export function childNamed(node: Node | undefined, ...names: readonly string[]): Node | undefined {
  return node?.children.find(child => names.includes(child.name))
}

/** The operands of a node: no brackets, commas, operators or keywords. */
export function partsOf(node: Node | undefined): readonly Node[] {
  return node?.children.filter(isOperand) ?? []
}

/** What a call is given; `undefined` in place of a spread. */
export function argumentsOf(call: Node): readonly (Node | undefined)[] {
  const list = childNamed(call, 'ArgList')
  return list === undefined ? [] : itemsOf(list)
}

/** Items of an array, argument list or pattern: one entry per comma, `undefined` for a hole or a spread. */
export function itemsOf(list: Node): readonly (Node | undefined)[] {
  const items: (Node | undefined)[] = []
  let item: Node | undefined
  let seen = false
  for (const child of list.children.slice(1)) {
    if (child.name === ',' || child === list.children.at(-1)) {
      if (child.name === ',' || seen) items.push(item)
      item = undefined
      seen = false
    } else if (!seen) {
      seen = true
      item = child.name === 'Spread' || child.name === '...' ? undefined : child
    }
  }
  return items
}

export function* descendants(node: Node): Generator<Node> {
  const pending: Node[] = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index] as Node)
  }
}

export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.name)
}

export function enclosing(node: Node, accept: (candidate: Node) => boolean): Node | undefined {
  for (let at = node.parent; at !== null; at = at.parent) if (accept(at)) return at
  return undefined
}

/** Without the wrappers that do not change a value: parentheses, `as`, `satisfies`, `!`, `await`, type arguments. */
export function unwrap(node: Node): Node {
  const inner = wrapped(node)
  return inner === undefined ? node : unwrap(inner)
}

function wrapped(node: Node): Node | undefined {
  if (node.name === 'ParenthesizedExpression' || node.name === 'AwaitExpression') return partsOf(node)[0]
  if (node.name === 'BinaryExpression' && childNamed(node, 'as', 'satisfies')) return node.children[0]
  if (node.name === 'PostfixExpression' && node.children.at(-1)?.name === 'LogicOp') return node.children[0]
  if (node.name === 'PrefixCast') return node.children.at(-1)
  if (node.name === 'InstantiationExpression') return node.children[0]
  return undefined
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunction', 'MethodDeclaration'])

const MARKS = new Set([
  'Equals',
  'Spread',
  'Arrow',
  'LogicOp',
  'ArithOp',
  'BitOp',
  'CompareOp',
  'UpdateOp',
  'LessThan',
  'Optional',
  'Star',
  'InterpolationStart',
  'InterpolationEnd',
  'TypeAnnotation',
  'TypeParamList',
  'TypeArgList',
])

function isOperand({ name }: Node): boolean {
  return (/^[A-Z]/.test(name) && !MARKS.has(name)) || name === 'this' || name === 'null' || name === 'super'
}

type Building = Omit<Node, 'children'> & { children: Node[] }

function isComment(name: string): boolean {
  return name === 'LineComment' || name === 'BlockComment'
}
