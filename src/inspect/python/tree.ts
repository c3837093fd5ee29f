// Small readings of the parse tree.
import type { SyntaxNode } from '@lezer/common'

/** Children of a node, comments left out. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child)
  }
  return children
}

/** Runs of nodes between separators. A trailing separator adds no empty run. */
export function splitAt(nodes: readonly SyntaxNode[], separator: string): SyntaxNode[][] {
  const runs: SyntaxNode[][] = [[]]
  for (const node of nodes) {
    if (node.name === separator) runs.push([])
    else runs.at(-1)?.push(node)
  }
  if (runs.at(-1)?.length === 0 && separator === ',') runs.pop()
  return runs
}
