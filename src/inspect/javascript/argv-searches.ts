// Flags that a script looks for anywhere on the command line: `includes`, `indexOf`, `find`.

import type { Json } from '../../types.ts'
import type { FlagRead } from './argv-flag.ts'
import { isHelpFlag } from './argv-loop.ts'
import { type Binding, parameterPatterns } from './bindings.ts'
import { type Environment, evaluate, evaluateText, evaluateTexts } from './evaluate.ts'
import { binaryOf, callOf, memberOf, methodCallOf } from './expressions.ts'
import { type ListUse, listUses } from './list-uses.ts'
import { bindingOf, type Script } from './script.ts'
import { enclosing, isFunction, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import { callsOf, flowOf } from './value-flow.ts'

export type Searches = {
  readonly flags: readonly FlagRead[]
  /** `args.filter(a => !a.startsWith('--'))`: the words that are no flags. */
  readonly words: readonly Node[]
  readonly others: readonly ListUse[]
}

export function readSearches(script: Script, given: readonly ListUse[]): Searches {
  const uses = given.flatMap(use => flagListUses(script, use) ?? [use])
  const flags: FlagRead[] = []
  const words: Node[] = []
  const others: ListUse[] = []
  const indexes = new Set<Node>()
  const computed = uses.filter(use => use.kind === 'computed')
  const searches = new Set<ListUse>()

  for (const use of uses) {
    if (use.kind !== 'method' || !SEARCHES.has(use.method)) continue
    for (const found of search(script, use, computed)) {
      searches.add(use)
      for (const place of found.indexes) indexes.add(place)
      if (!isHelpFlag(script, found.read.flags, []) && !isLoneHelp(found.read)) flags.push(found.read)
    }
  }
  for (const use of uses) {
    if (use.kind === 'method' && (use.method === 'filter' || use.method === 'find') && isWordFilter(use.args[0]))
      words.push(use.at)
    else if (use.kind === 'computed' && indexVariable(use.index, indexes)) continue
    else if (searches.has(use)) continue
    else if (use.kind === 'method' && use.method === 'splice' && indexVariable(use.args[0], indexes)) continue
    else others.push(use)
  }
  return { flags: joinSpellings(flags), words, others }
}

/** `args.filter(a => a.startsWith('--'))` is searched like the whole; other uses of it are not understood. */
function flagListUses(script: Script, use: ListUse): readonly ListUse[] | undefined {
  const [predicate] = use.kind === 'method' && use.method === 'filter' ? use.args : []
  if (predicate === undefined || !IS_FLAG_FILTER.test(textOf(predicate))) return undefined
  return listUses(script, use.at).map(inner =>
    inner.kind === 'method' ? inner : { kind: 'computed', index: use.at, offset: 0, at: inner.at },
  )
}

const IS_FLAG_FILTER = /^\(?\s*(\w+)[^)]*?\)?\s*=>\s*\1\.startsWith\(\s*['"]--?['"]\s*\)$/

/** `args.includes('--verbose') || args.includes('-v')` is one switch in two spellings. */
function joinSpellings(flags: readonly FlagRead[]): readonly FlagRead[] {
  const joined: FlagRead[] = []
  const inOr = new Map<Node, number>()
  for (const read of flags) {
    const or = binaryOf(read.at.parent ?? undefined)?.operator === '||' ? read.at.parent : null
    const index = or === null || read.form !== 'none' ? -1 : (inOr.get(or) ?? -1)
    const other = joined[index]
    if (other !== undefined && (isShort(read) || isShort(other))) {
      const flagsOfBoth = ordered([...other.flags, ...read.flags])
      joined[index] = { ...other, flags: flagsOfBoth, nodes: [...other.nodes, ...read.nodes] }
      continue
    }
    if (or !== null && read.form === 'none') inOr.set(or, joined.length)
    joined.push(read)
  }
  return joined
}

function isShort(read: FlagRead): boolean {
  return read.flags.every(flag => !flag.startsWith('--'))
}

const SEARCHES = new Set(['includes', 'indexOf', 'lastIndexOf', 'find', 'findIndex', 'some'])

type Found = { readonly read: FlagRead; readonly indexes: readonly Node[] }
type MethodUse = Extract<ListUse, { kind: 'method' }>

function isLoneHelp(read: FlagRead): boolean {
  return read.form === 'none' && read.flags.every(flag => flag === '-h' || flag === '-V')
}

function search(script: Script, use: MethodUse, uses: readonly ListUse[]): readonly Found[] {
  const [argument] = use.args
  if (argument === undefined) return []
  const wanted = isFunction(argument) ? wantedByPredicate(script, argument) : { node: argument, form: 'word' as const }
  if (wanted === undefined) return []
  const direct = flagsIn(script, wanted.node)
  if (direct !== undefined) {
    const read = found(script, use, uses, direct, wanted.form)
    const isRead = wanted.form === 'word' || (direct.every(flag => flag.endsWith('=')) && read.read.nodes.length > 0)
    return isRead ? [read] : []
  }
  return searchedThroughHelper(script, use, uses, wanted)
}

type Wanted = { readonly node: Node | readonly Node[]; readonly form: 'word' | 'prefix' }

/** `a => a === '--x' || a === '-x'`, `a => a.startsWith('--x=')`. */
function wantedByPredicate(script: Script, fn: Node): Wanted | undefined {
  const word = bindingOf(script, parameterPatterns(fn)[0])
  const body = fn.children.at(-1)
  if (word === undefined || body === undefined) return undefined
  return wantedBy(script, unwrap(body), word)
}

function wantedBy(script: Script, test: Node, word: Binding): Wanted | undefined {
  const binary = binaryOf(test)
  if (binary?.operator === '||') {
    const left = wantedBy(script, binary.left, word)
    const right = wantedBy(script, binary.right, word)
    return left?.form === 'word' && right?.form === 'word'
      ? { node: [left.node, right.node].flat() as Node[], form: 'word' }
      : undefined
  }
  if (binary !== undefined && /^===?$/.test(binary.operator)) {
    return bindingOf(script, binary.left) === word ? { node: binary.right, form: 'word' } : undefined
  }
  const call = methodCallOf(test)
  if (call?.method === 'startsWith' && bindingOf(script, call.object) === word && call.args[0] !== undefined)
    return { node: call.args[0], form: 'prefix' }
  const isListed = call?.method === 'includes' && bindingOf(script, call.args[0]) === word
  return isListed ? { node: call.object, form: 'word' } : undefined
}

function flagsIn(
  script: Script,
  wanted: Node | readonly Node[],
  environment?: Environment,
): readonly string[] | undefined {
  const nodes = 'from' in wanted ? [wanted] : wanted
  const texts = nodes.flatMap((node): readonly (string | undefined)[] => {
    const text = evaluateText(script, node, environment)
    return text === undefined ? (evaluateTexts(script, node) ?? [undefined]) : [text]
  })
  return texts.every(text => text !== undefined && /^-./.test(text)) ? (texts as string[]) : undefined
}

function found(
  script: Script,
  use: MethodUse,
  uses: readonly ListUse[],
  flags: readonly string[],
  form: Wanted['form'],
): Found {
  if (form === 'prefix') {
    const nodes = flowOf(script, use.at).flatMap(afterEquals)
    const noEquals = nodes.some(node => /split\(\s*['"]=['"]\s*\)\??\.?\[1\]$/.test(textOf(node)))
    const name = flags.map(flag => flag.replace(/=$/, ''))
    return { read: { flags: name, at: use.at, form: 'equals', nodes, list: false, limits: { noEquals } }, indexes: [] }
  }
  const indexes = use.method.endsWith('ndex') || use.method.endsWith('ndexOf') ? flowOf(script, use.at) : []
  const values = uses.flatMap(other => (other.kind === 'computed' && isNext(other.index, indexes) ? [other.at] : []))
  const read: FlagRead = {
    flags: ordered(flags),
    at: use.at,
    form: values.length > 0 ? 'separate' : 'none',
    nodes: values,
    list: false,
    limits: {},
  }
  return { read, indexes }
}

/** `getArg('--out', 'x')`, where the helper searches for what it is given. */
function searchedThroughHelper(
  script: Script,
  use: MethodUse,
  uses: readonly ListUse[],
  wanted: Wanted,
): readonly Found[] {
  const fn = enclosing(use.at, node => isFunction(node) && callsOf(script, node).length > 0)
  if (fn === undefined) return []
  const results: Found[] = []
  for (const call of callsOf(script, fn)) {
    if (script.scope?.excludes(call)) continue
    const environment = environmentOf(script, fn, call)
    const flags = flagsIn(script, wanted.node, environment)
    if (flags === undefined) return []
    const { read, indexes } = found(script, use, uses, flags, wanted.form)
    const preset = read.form === 'none' ? undefined : givenDefault(script, fn, call)
    results.push({
      read: { ...read, at: call, nodes: [call], ...(preset === undefined ? {} : { default: preset }) },
      indexes,
    })
  }
  return results
}

function environmentOf(script: Script, fn: Node, call: Node): Environment {
  const given = callOf(call)?.args ?? []
  const environment = new Map<Binding, Json>()
  for (const [index, pattern] of parameterPatterns(fn).entries()) {
    const binding = bindingOf(script, pattern)
    const value = evaluate(script, given[index] ?? binding?.fallback)?.value
    if (binding !== undefined && value !== undefined) environment.set(binding, value)
  }
  return environment
}

/** The second argument of such a helper is its fallback. */
function givenDefault(script: Script, fn: Node, call: Node): Json | undefined {
  const second = bindingOf(script, parameterPatterns(fn)[1])
  return second === undefined ? undefined : evaluate(script, callOf(call)?.args[1] ?? second.fallback)?.value
}

function isNext(index: Node, places: readonly Node[]): boolean {
  const binary = binaryOf(unwrap(index))
  return binary?.operator === '+' && textOf(binary.right) === '1' && places.some(place => unwrap(place) === binary.left)
}

function indexVariable(index: Node | undefined, places: ReadonlySet<Node>): boolean {
  if (index === undefined) return false
  const binary = binaryOf(unwrap(index))
  return places.has(binary?.left ?? unwrap(index))
}

/** `found.split('=')[1]`, `found?.slice(6)`. */
function afterEquals(place: Node): readonly Node[] {
  let at = place
  for (
    let up = place.parent;
    up !== null && /^(?:Member|Call|Postfix|Parenthesized)Expression$/.test(up.name);
    up = up.parent
  ) {
    if (up.name !== 'CallExpression' && partsOf(up)[0] !== at) break
    at = up
  }
  const method = methodCallOf(at)?.method ?? methodCallOf(memberOf(at)?.object)?.method
  return method !== undefined && /^(?:split|slice|substring|replace|join)$/.test(method) ? [at] : []
}

function isWordFilter(predicate: Node | undefined): boolean {
  return (
    predicate !== undefined &&
    /^\(?\s*(\w+)[^)]*?\)?\s*=>\s*!\s*\1\.startsWith\(\s*['"]--?['"]\s*\)$/.test(textOf(predicate))
  )
}

function ordered(flags: readonly string[]): readonly string[] {
  return [...flags].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
}
