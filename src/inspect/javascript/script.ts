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
  readonly siblingText: (specifier: string) => string | undefined
  /** When set, the script is read as it runs for one of its commands. */
  readonly scope?: CommandScope
  /** What following values has found so far. */
  readonly memo: {
    readonly places: Map<Node, readonly Node[]>
    readonly flows: Map<Node, readonly Node[]>
    /** Places that are being looked at right now. */
    readonly following: Set<Node>
    readonly properties: Map<Binding, ReadonlyMap<string, readonly Node[]>>
    /** Findings that take a walk over the whole file. */
    readonly once: Map<string, unknown>
  }
}

/** The statements that one command runs, and those that only others run. */
export type CommandScope = {
  readonly own: ReadonlySet<Node>
  /** Whether a node is never reached by the command. */
  readonly excludes: (node: Node) => boolean
}

// Of all files that a script imports, so that many imports cannot hold up compiling.
const MOST_SIBLING_TEXT = 64 * 1024

export function readScript(source: ScriptSource): Script {
  const texts = new Map<string, string | undefined>()
  const siblingText = (specifier: string) => {
    if (!texts.has(specifier)) texts.set(specifier, textOfSibling(specifier, source))
    return texts.get(specifier)
  }
  const parsed = new Map<string, Script>()
  let budget = MOST_SIBLING_TEXT
  const sibling = (specifier: string) => {
    const known = parsed.get(specifier)
    const text = known === undefined ? siblingText(specifier) : undefined
    if (text === undefined || text.length > budget) return known
    budget -= text.length
    // A sibling's own imports are relative to another folder: they are not followed.
    const script = buildScript(parseScript(text, source.language), { sibling: nothing, siblingText: nothing })
    parsed.set(specifier, script)
    return script
  }
  return buildScript(parseScript(source.text, source.language), { sibling, siblingText })
}

const nothing = () => undefined

export function bindingOf(script: Script, node: Node | undefined): Binding | undefined {
  return node === undefined ? undefined : script.bindings.get(node)
}

function buildScript(tree: SyntaxTree, siblings: Pick<Script, 'sibling' | 'siblingText'>): Script {
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
    ...siblings,
    memo: { places: new Map(), flows: new Map(), following: new Set(), properties: new Map(), once: new Map() },
  }
}

function textOfSibling(specifier: string, source: ScriptSource): string | undefined {
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
    if (text !== undefined) return jsonModule(candidate, text)
  }
  return undefined
}

function jsonModule(path: string, text: string): string {
  return path.endsWith('.json') ? `module.exports = ${text}` : text
}

/** Set in `memo.once` when values were followed no further because there are too many. */
export const CUT_SHORT = 'cut short'

/** The result of a search of the whole file, made once however often the script is read. */
export function once<T>(script: Script, what: string, search: () => T): T {
  if (!script.memo.once.has(what)) script.memo.once.set(what, search())
  return script.memo.once.get(what) as T
}
