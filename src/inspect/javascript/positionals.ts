// Positional arguments from the uses of a list of words.
import type { ScriptParameter } from '../../types.ts'
import { consequentOf, givesUp, guardingIf, isAlwaysReached } from './control-flow.ts'
import { evaluate, evaluateText, evaluateTexts } from './evaluate.ts'
import { binaryOf, callOf, methodCallOf, pathOf } from './expressions.ts'
import { asDefault, toParameter } from './interface.ts'
import type { ListUse } from './list-uses.ts'
import type { Script } from './script.ts'
import { lineOf, type Node, partsOf, textOf } from './syntax-tree.ts'
import { factsOf, type ValueFacts } from './value-facts.ts'
import { declaredPattern } from './value-flow.ts'

export type Positionals = {
  readonly parameters: readonly ScriptParameter[]
  /** Uses that are neither an item, the rest of the list, nor a count. */
  readonly unread: readonly Node[]
  /** Expressions for the first word. */
  readonly first: readonly Node[]
}

/** Names come from the variables that take the words; a word that is never read gets a number. */
export function readPositionals(
  script: Script,
  uses: readonly ListUse[],
  /** `raw` for a list that holds flags too: what another function does with it is unknown. */
  { raw = false }: { readonly raw?: boolean } = {},
): Positionals {
  const items = new Map<number, ListUse[]>()
  let rest: { from: number; use: ListUse } | undefined
  let counted = 0
  const unread: Node[] = []

  for (const use of uses) {
    if (use.kind === 'item') {
      if (use.index >= 0 && !isHelpTest(script, use)) items.set(use.index, [...(items.get(use.index) ?? []), use])
    } else if (use.kind === 'length') counted = Math.max(counted, requiredCount(script, use))
    else if (isWalk(use) && !(raw && isHandedOver(use))) {
      if (rest === undefined || use.offset < rest.from) rest = { from: Math.max(0, use.offset), use }
    } else if (!isHarmless(use)) unread.push(use.at)
  }

  const last = Math.max(-1, ...items.keys())
  const restFrom = rest === undefined ? Number.POSITIVE_INFINITY : rest.from
  const parameters: ScriptParameter[] = []
  for (let index = 0; index <= Math.min(last, restFrom - 1); index++) {
    const uses = items.get(index) ?? []
    const facts = factsOf(script, uses.flatMap(nodesOf))
    parameters.push(item(script, { index, uses, facts, counted: index < counted }))
    if (facts.flag !== undefined) unread.push(facts.flag)
  }
  if (rest !== undefined) {
    for (let index = parameters.length; index < rest.from; index++)
      parameters.push(item(script, { index, uses: [], facts: factsOf(script, []), counted: true }))
    parameters.push(restParameter(script, rest.use, counted > rest.from, items.get(rest.from)))
  }
  const first = (items.get(0) ?? []).flatMap(nodesOf)
  return { parameters: requireBefore(parameters), unread, first }
}

function nodesOf(use: ListUse): readonly Node[] {
  return use.kind === 'item' ? use.nodes : []
}

/** `args[0] === '--help'` looks for a flag, not for a word. */
function isHelpTest(script: Script, use: Extract<ListUse, { kind: 'item' }>): boolean {
  return use.name === undefined && use.nodes.length > 0 && use.nodes.every(node => isHelpCompared(script, node))
}

function isHelpCompared(script: Script, node: Node): boolean {
  const parent = node.parent ?? undefined
  const binary = binaryOf(parent)
  if (binary !== undefined && /^[!=]==?$/.test(binary.operator))
    return IS_HELP.test(evaluateText(script, binary.right) ?? '')
  const method = methodCallOf(parent?.parent ?? undefined)
  if (method?.method === 'startsWith' && method.object === node) return true
  const isListed = parent?.name === 'ArgList' && methodCallOf(parent.parent ?? undefined)
  const list = isListed && isListed.method === 'includes' ? evaluateTexts(script, isListed.object) : undefined
  return list?.every(item => IS_HELP.test(item)) === true
}

const IS_HELP = /^(?:(?:--?)?(?:help|version)|-[hvV?])$/

/** A word can only be given when those before it are. */
function requireBefore(parameters: readonly ScriptParameter[]): readonly ScriptParameter[] {
  const last = parameters.findLastIndex(parameter => parameter.required)
  return parameters.map((parameter, index) => (index < last ? { ...parameter, required: true } : parameter))
}

type Item = {
  readonly index: number
  readonly uses: readonly ListUse[]
  readonly facts: ValueFacts
  /** True when a check of the length demands it. */
  readonly counted: boolean
}

function item(script: Script, { index, uses, facts, counted }: Item): ScriptParameter {
  const reads = uses.flatMap(use => (use.kind === 'item' ? [use] : []))
  const fallback = evaluate(script, reads.find(use => use.fallback !== undefined)?.fallback)?.value
  const name = reads.find(use => use.name !== undefined)?.name ?? facts.name ?? `arg${index + 1}`
  const type = facts.type === 'boolean' ? ('string' as const) : facts.type
  const value = {
    type,
    ...(facts.choices === undefined ? {} : { choices: facts.choices }),
    ...asDefault(fallback ?? facts.default, type),
  }
  const [first] = reads
  const required = (counted || facts.required) && reads.every(use => use.fallback === undefined)
  const line = first === undefined ? 1 : lineOf(first.at)
  return toParameter({ name, value, required, line, pass: { as: 'positional' } })
}

function restParameter(
  script: Script,
  use: ListUse,
  required: boolean,
  items: readonly ListUse[] | undefined,
): ScriptParameter {
  const isJoined = use.kind === 'method' && use.method === 'join'
  const first = items?.flatMap(found => (found.kind === 'item' && found.name !== undefined ? [found.name] : []))[0]
  const facts = isJoined ? factsOf(script, [use.at]) : undefined
  return toParameter({
    name: walkName(use) ?? first ?? facts?.name ?? 'arguments',
    // Words that are joined again may as well come as one.
    value: { type: 'string', ...(isJoined ? asDefault(facts?.default, 'string') : { list: true }) },
    required: required || facts?.required === true,
    line: lineOf(use.at),
    pass: { as: 'positional' },
  })
}

/** The list's own variable, or the one that takes what is made of it; of joined words the other way round. */
function walkName(use: ListUse): string | undefined {
  if (use.kind === 'whole' && use.name !== undefined) return use.name
  const list = use.kind === 'method' ? methodCallOf(use.at)?.object : use.at
  const isNamed = list?.name === 'VariableName' && !/^(?:args|argv|_|rest|positionals)$/.test(textOf(list))
  const own = isNamed ? textOf(list) : undefined
  return use.kind === 'method' && use.method === 'join' ? (takerName(use.at) ?? own) : (own ?? takerName(use.at))
}

function takerName(value: Node): string | undefined {
  for (let at = value; at.parent !== null; at = at.parent) {
    const pattern = at.parent.name === 'VariableDeclaration' ? declaredPattern(at) : undefined
    if (pattern !== undefined) return pattern.name === 'VariableDefinition' ? textOf(pattern) : undefined
    if (!/^(?:Call|Member|Binary|Parenthesized)Expression$/.test(at.parent.name)) return undefined
  }
  return undefined
}

const WALKS = new Set([
  'map',
  'forEach',
  'filter',
  'join',
  'flatMap',
  'reduce',
  'entries',
  'every',
  'some',
  'slice',
  'concat',
  'values',
])

function isWalk(use: ListUse): use is ListUse & { offset: number } {
  if (use.kind === 'iteration') return true
  if (use.kind === 'method') return WALKS.has(use.method)
  return (
    use.kind === 'whole' &&
    (use.at.parent?.name === 'ArgList' || isSpread(use.at) || use.at.parent?.name === 'Property')
  )
}

function isHandedOver(use: ListUse): boolean {
  const given = use.at.parent?.name === 'ArrayExpression' ? use.at.parent : use.at
  const call = given.parent?.name === 'ArgList' ? callOf(given.parent.parent ?? undefined) : undefined
  // Another program's arguments: whatever they are, they are words of it.
  if (/(?:^|\.)(?:spawn|spawnSync|execFile|execFileSync|execa|fork)$/.test(pathOf(call?.callee) ?? '')) return false
  return use.kind === 'whole' || (use.kind === 'method' && use.method !== 'join' && use.method !== 'map')
}

function isSpread(node: Node): boolean {
  const siblings = node.parent?.children ?? []
  return siblings[siblings.indexOf(node) - 1]?.name === 'Spread'
}

function isHarmless(use: ListUse): boolean {
  if (use.kind !== 'whole') return false
  const parent = use.at.parent
  return (
    parent === null ||
    ['UnaryExpression', 'ExpressionStatement', 'BinaryExpression', 'Interpolation'].includes(parent.name)
  )
}

/** How many words a check such as `if (args.length < 2) exit()` demands of the whole list. */
function requiredCount(script: Script, use: Extract<ListUse, { kind: 'length' }>): number {
  const test = use.at.parent
  if (test === null) return 0
  const statement = guardingIf(test)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (statement === undefined || consequent === undefined) return 0
  if (!givesUp(script, consequent) || !isAlwaysReached(script, statement)) return 0
  const least = leastLength(script, test, use.at)
  return least === undefined ? 0 : least + use.offset
}

function leastLength(script: Script, test: Node, length: Node): number | undefined {
  if (test.name === 'UnaryExpression' && textOf(test).startsWith('!')) return 1
  const binary = binaryOf(test)
  if (binary === undefined || partsOf(test)[0] !== length) return undefined
  const bound = evaluate(script, binary.right)?.value
  if (typeof bound !== 'number') return undefined
  if (binary.operator === '<' || binary.operator === '!==' || binary.operator === '!=') return bound
  if (binary.operator === '<=') return bound + 1
  return binary.operator.startsWith('==') && bound === 0 ? 1 : undefined
}
