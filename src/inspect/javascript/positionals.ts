// Positional arguments from the uses of a list of words.
import type { Json, ScriptParameter } from '../../types.ts'
import { consequentOf, givesUp, guardingIf, isAlwaysReached } from './control-flow.ts'
import { evaluate, evaluateText, evaluateTexts } from './evaluate.ts'
import { binaryOf, callOf, methodCallOf, pathOf } from './expressions.ts'
import { toParameter } from './interface.ts'
import type { ListUse } from './list-uses.ts'
import type { Script } from './script.ts'
import { lineOf, type Node, partsOf, textOf } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'
import { declaredPattern } from './value-flow.ts'

export type Positionals = {
  readonly parameters: readonly ScriptParameter[]
  /** Uses that are neither an item, the rest of the list, nor a count. */
  readonly unread: readonly Node[]
  /** Expressions for the first word. */
  readonly first: readonly Node[]
}

type Options = {
  readonly level?: number
  readonly pattern?: string
  /** True for a list that holds flags too: what another function does with it is unknown. */
  readonly raw?: boolean
}

/** Names come from the variables that take the words; a word that is never read gets a number. */
export function readPositionals(script: Script, uses: readonly ListUse[], options: Options = {}): Positionals {
  const items = new Map<number, ListUse[]>()
  let rest: { from: number; use: ListUse } | undefined
  let counted = 0
  const unread: Node[] = []

  for (const use of uses) {
    if (use.kind === 'item') {
      if (use.index >= 0 && !isFlagTest(script, use)) items.set(use.index, [...(items.get(use.index) ?? []), use])
    } else if (use.kind === 'length') counted = Math.max(counted, requiredCount(script, use))
    else if (isWalk(use) && !(options.raw === true && isHandedOver(use))) {
      if (rest === undefined || use.offset < rest.from) rest = { from: Math.max(0, use.offset), use }
    } else if (!isHarmless(use)) unread.push(use.at)
  }

  const last = Math.max(-1, ...items.keys())
  const restFrom = rest === undefined ? Number.POSITIVE_INFINITY : rest.from
  const parameters: ScriptParameter[] = []
  for (let index = 0; index <= Math.min(last, restFrom - 1); index++) {
    parameters.push(item(script, index, items.get(index) ?? [], index < counted, options))
  }
  if (rest !== undefined) {
    for (let index = parameters.length; index < rest.from; index++)
      parameters.push(item(script, index, [], true, options))
    parameters.push(restParameter(script, rest.use, counted > rest.from, items.get(rest.from), options))
  }
  const first = (items.get(0) ?? []).flatMap(use => (use.kind === 'item' ? use.nodes : []))
  return { parameters: requireBefore(parameters), unread, first }
}

/** `args[0] === '--help'` looks for a flag, not for a word. */
function isFlagTest(script: Script, use: Extract<ListUse, { kind: 'item' }>): boolean {
  return use.name === undefined && use.nodes.length > 0 && use.nodes.every(node => isFlagCompared(script, node))
}

function isFlagCompared(script: Script, node: Node): boolean {
  const parent = node.parent ?? undefined
  const binary = binaryOf(parent)
  if (binary !== undefined && /^[!=]==?$/.test(binary.operator))
    return /^(?:-.*|help)$/.test(evaluateText(script, binary.right) ?? 'x')
  const method = methodCallOf(parent?.parent ?? undefined)
  if (method?.method === 'startsWith' && method.object === node) return true
  const isListed = parent?.name === 'ArgList' && methodCallOf(parent.parent ?? undefined)
  const list = isListed && isListed.method === 'includes' ? evaluateTexts(script, isListed.object) : undefined
  return list?.every(item => /^(?:-.*|help)$/.test(item)) === true
}

/** A word can only be given when those before it are. */
function requireBefore(parameters: readonly ScriptParameter[]): readonly ScriptParameter[] {
  const last = parameters.findLastIndex(parameter => parameter.required)
  return parameters.map((parameter, index) => (index < last ? { ...parameter, required: true } : parameter))
}

function item(
  script: Script,
  index: number,
  uses: readonly ListUse[],
  counted: boolean,
  { level = 0, pattern }: Options,
): ScriptParameter {
  const reads = uses.flatMap(use => (use.kind === 'item' ? [use] : []))
  const facts = factsOf(
    script,
    reads.flatMap(use => use.nodes),
  )
  const fallback = evaluate(script, reads.find(use => use.fallback !== undefined)?.fallback)?.value
  const name = reads.find(use => use.name !== undefined)?.name ?? facts.name ?? `arg${index + 1}`
  const value = {
    type: facts.type === 'boolean' ? ('string' as const) : facts.type,
    ...(facts.choices === undefined ? {} : { choices: facts.choices }),
    ...defaultOf(fallback ?? facts.default),
    ...(pattern === undefined ? {} : { pattern }),
  }
  const at = reads[0]?.at
  const required = (counted || facts.required) && reads.every(use => use.fallback === undefined)
  return toParameter({
    name,
    value,
    required,
    level,
    line: at === undefined ? 1 : lineOf(at),
    pass: { as: 'positional' },
  })
}

function defaultOf(value: Json | undefined): { default?: Json } {
  return value === undefined || value === '' ? {} : { default: value }
}

function restParameter(
  script: Script,
  use: ListUse,
  required: boolean,
  items: readonly ListUse[] | undefined,
  { level = 0, pattern }: Options,
): ScriptParameter {
  const isJoined = use.kind === 'method' && use.method === 'join'
  const first = items?.flatMap(found => (found.kind === 'item' && found.name !== undefined ? [found.name] : []))[0]
  const facts = isJoined ? factsOf(script, [use.at]) : undefined
  const name = walkName(use) ?? first ?? facts?.name ?? 'arguments'
  return toParameter({
    name,
    // Words that are joined again may as well come as one.
    value: { type: 'string', ...(isJoined ? {} : { list: true }), ...(pattern === undefined ? {} : { pattern }) },
    required: required || facts?.required === true,
    level,
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
  const call = use.at.parent?.name === 'ArgList' ? callOf(use.at.parent.parent ?? undefined) : undefined
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
export function requiredCount(script: Script, use: Extract<ListUse, { kind: 'length' }>): number {
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
