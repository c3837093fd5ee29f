import { firstParagraph } from '../paragraph.ts'
import { childNamed, isFunction, type Node, type SyntaxTree, textOf } from './syntax-tree.ts'

/** What the author wrote at the top of the file, else over `main`. */
export function describeScript(tree: SyntaxTree): string | undefined {
  return describeTop(tree) ?? describeMain(tree)
}

/** The paragraph of the JSDoc that ends right before a node. */
function describeNode(node: Node, tree: SyntaxTree): string | undefined {
  const before = tree.comments.findLast(comment => comment.to <= node.from)
  if (before === undefined || !/^\s*$/.test(node.source.slice(before.to, node.from))) return undefined
  return textOf(before).startsWith('/**') ? paragraphOf(textOf(before)) : undefined
}

function describeTop({ root, comments }: SyntaxTree): string | undefined {
  const blocks = leadingBlocks(root, comments)
  for (const block of blocks) {
    const paragraph = paragraphOf(block)
    if (paragraph !== undefined) return paragraph
  }
  return undefined
}

/** Comments before the first real statement, line comments that touch joined into one block. */
function leadingBlocks(root: Node, comments: readonly Node[]): readonly string[] {
  const statements = root.children.filter(child => !isPrologue(child))
  const imports = statements.findIndex(statement => statement.name !== 'ImportDeclaration' && !isRequire(statement))
  const first = statements[imports === -1 ? statements.length : imports]
  // A comment that touches a declaration speaks of the declaration, unless nothing stands before it.
  const end = first?.from ?? root.to
  const blocks: string[] = []
  let open: Node | undefined
  for (const comment of comments) {
    if (comment.to > end) break
    const touches = open?.name === 'LineComment' && comment.name === 'LineComment' && isOneBreak(open, comment)
    if (touches) blocks.push(`${blocks.pop()}\n${textOf(comment)}`)
    else if (!speaksOf(comment, statements, first)) blocks.push(textOf(comment))
    open = comment
  }
  return blocks
}

function isOneBreak(before: Node, after: Node): boolean {
  return /^[ \t\r]*\n[ \t]*$/.test(before.source.slice(before.to, after.from))
}

/** Whether a comment is about the statement below it rather than about the file. */
function speaksOf(comment: Node, statements: readonly Node[], first: Node | undefined): boolean {
  const next = statements.find(statement => statement.from >= comment.to)
  if (next === undefined) return false
  if (next === statements[0]) return next === first && isDeclaredFor(comment, next)
  return comment.name === 'LineComment' || !/\n[ \t\r]*\n/.test(comment.source.slice(comment.to, next.from))
}

function isDeclaredFor(comment: Node, next: Node): boolean {
  return next.name !== 'ExpressionStatement' && /@(?:param|returns?|type|typedef)\b/.test(textOf(comment))
}

function isPrologue(node: Node): boolean {
  return node.name === 'Hashbang' || (node.name === 'ExpressionStatement' && node.children[0]?.name === 'String')
}

function isRequire(node: Node): boolean {
  return node.name === 'VariableDeclaration' && /=\s*require\s*\(/.test(textOf(node).slice(0, 200))
}

function describeMain(tree: SyntaxTree): string | undefined {
  for (const statement of tree.root.children) {
    const declaration =
      statement.name === 'ExportDeclaration' ? (statement.children.find(isFunction) ?? statement) : statement
    const name = childNamed(declaration, 'VariableDefinition')
    if (name !== undefined && textOf(name) === 'main') return describeNode(statement, tree)
  }
  return undefined
}

function paragraphOf(comment: string): string | undefined {
  const lines = comment
    .replace(/^\/\*+!?/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map(line => line.replace(/^\s*(?:\/\/+!?|\*+(?!\*))?[ \t]?/, '').trimEnd())
  const text = lines.filter(line => !NOT_PROSE.test(line.trim())).map(proseOf)
  return firstProse(text.join('\n'))
}

/** A line without its tag; empty where a paragraph ends, as at a rule or a usage text. */
function proseOf(line: string): string {
  const tag = /^\s*@(\w+)\s*(.*)$/.exec(line)
  if (tag !== null) return DESCRIBING.has(tag[1] as string) ? (tag[2] as string) : ''
  return RULE.test(line.trim()) ? '' : line.replace(/^\s*(?:Usage|Examples?|Options|Arguments)\b.*:.*$/i, USAGE)
}

/** The first paragraph that is not a licence. */
function firstProse(text: string): string | undefined {
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (LICENCE.test(paragraph)) return undefined
    const found = firstParagraph(paragraph.split(USAGE, 1)[0] as string)
    if (found !== undefined && /\p{L}{2}/u.test(found) && !FILE_NAME.test(found)) return found
  }
  return undefined
}

const USAGE = '\0'
const FILE_NAME = /^[\w./-]+\.[cm]?[jt]sx?$/
const DESCRIBING = new Set(['description', 'desc', 'fileoverview', 'overview', 'file', 'summary', 'module'])
const NOT_PROSE =
  /^(?:eslint\b|eslint-|global\s|globals\s|jshint|jslint|prettier-ignore|biome-ignore|istanbul|c8 |v8 ignore|@ts-|@jsx|@flow|<reference|#!|tslint|deno-|cspell|-\*-|vim:|#\s?(?:end)?region|sourceMappingURL)/i
const LICENCE =
  /copyright|\blicen[sc]ed?\b.*\b(?:under|MIT|Apache|BSD|GPL)|SPDX-License|all rights reserved|permission is hereby granted|^\s*@license/i
const RULE = /^[-=*#~_─━═+/\\]{3,}$/
