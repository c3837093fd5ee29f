import type { ScriptSource } from '../inspection.ts'
import { type Binding, type Bindings, bindNames } from './bindings.ts'
import { descendants, type Node, parseScript, type SyntaxTree } from './syntax-tree.ts'

/** A parsed file with its names resolved: what every reader of interfaces starts from. */
export type Script = {
  readonly tree: SyntaxTree
  readonly root: Node
  readonly bindings: Bindings
  /** Every call and `new`, in the order of their callee's end: a chain reads from left to right. */
  readonly calls: readonly Node[]
  /** A file next to the script, named as in an import; undefined when it is not there. */
  readonly sibling: (specifier: string) => Script | undefined
  /** When set, the script is read as it runs for one of its commands. */
  readonly scope?: CommandScope
  /** What following values has found so far. */
  readonly memo: {
    readonly places: Map<Node, readonly Node[]>
    readonly properties: Map<Binding, ReadonlyMap<string, readonly Node[]>>
  }
}

/** The statements that one command runs, and those that only others run. */
export type CommandScope = {
  readonly own: ReadonlySet<Node>
  /** Whether a node is never reached by the command. */
  readonly excludes: (node: Node) => boolean
}

const MOST_SIBLINGS = 8
const LONGEST_SIBLING = 64 * 1024

export function readScript(source: ScriptSource): Script {
  const known = new Map<string, Script | undefined>()
  const sibling = (specifier: string) => {
    if (known.has(specifier)) return known.get(specifier)
    const text = known.size < MOST_SIBLINGS ? siblingText(specifier, source) : undefined
    // A sibling's own imports are relative to another folder: they are not followed.
    const script = text === undefined ? undefined : buildScript(parseScript(text, source.language), () => undefined)
    known.set(specifier, script)
    return script
  }
  return buildScript(parseScript(source.text, source.language), sibling)
}

export function bindingOf(script: Script, node: Node | undefined): Binding | undefined {
  return node === undefined ? undefined : script.bindings.get(node)
}

function buildScript(tree: SyntaxTree, sibling: Script['sibling']): Script {
  const calls: Node[] = []
  for (const node of descendants(tree.root)) {
    if (node.name === 'CallExpression' || node.name === 'NewExpression') calls.push(node)
  }
  calls.sort((a, b) => (a.children[0]?.to ?? 0) - (b.children[0]?.to ?? 0))
  return {
    tree,
    root: tree.root,
    bindings: bindNames(tree.root),
    calls,
    sibling,
    memo: { places: new Map(), properties: new Map() },
  }
}

function siblingText(specifier: string, source: ScriptSource): string | undefined {
  const path = specifier.replace(/^\.\//, '')
  const candidates = [
    path,
    path.replace(/\.js$/, '.ts'),
    `${path}.js`,
    `${path}.ts`,
    `${path}.mjs`,
    `${path}.cjs`,
    `${path}.json`,
    `${path}/index.js`,
  ]
  for (const candidate of candidates) {
    const text = source.sibling(candidate)
    if (text !== undefined) return text.length <= LONGEST_SIBLING ? jsonModule(candidate, text) : undefined
  }
  return undefined
}

function jsonModule(path: string, text: string): string {
  return path.endsWith('.json') ? `module.exports = ${text}` : text
}
