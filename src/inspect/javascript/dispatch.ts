// Scripts whose first word selects what they do: each word becomes a command of its own, with what its branch reads.
import { alternateOf, conditionOf, consequentOf, givesUp } from './control-flow.ts'
import { evaluateText } from './evaluate.ts'
import { binaryOf, callOf, methodCallOf, pathOf } from './expressions.ts'
import type { CommandScope, Script } from './script.ts'
import { childNamed, enclosing, isFunction, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'
import { callsOf, flowOf, flowsOn } from './value-flow.ts'

export type Dispatch = {
  readonly commands: readonly { readonly word: string; readonly scope: () => CommandScope; readonly at: Node }[]
  /** Places that do something with a word that selects no command. */
  readonly doubts: readonly Node[]
}

type Branch = {
  readonly word: string
  readonly at: Node
  /** What runs whenever the word is given. */
  readonly sections: Node[]
  /** What runs only when more holds as well. */
  readonly sometimes: Node[]
  /** Further labels of the same `case`. */
  readonly aliases: string[]
}

/** Undefined unless expressions for the first word select between branches. */
export function findDispatch(script: Script, first: readonly Node[]): Dispatch | undefined {
  const places = carriersOf(script, first)
  const branches = new Map<string, Branch>()
  const doubts: Node[] = []
  const explained = new Set<Node>()
  for (const place of places) {
    const statement = place.parent?.name === 'ParenthesizedExpression' ? place.parent.parent : place.parent
    if (statement?.name === 'SwitchStatement') readSwitch(script, statement, branches, doubts)
    const test = equalityWith(script, place)
    if (test === undefined) continue
    explained.add(place)
    readTest(script, test, branches)
  }
  for (const branch of [...branches.values()]) if (usesWord(branch, places)) spreadAliases(branch, branches)
  const words = [...branches.values()]
    .filter(({ word }) => !/^(?:|-.*|help|version)$/.test(word))
    .sort((a, b) => a.at.from - b.at.from)
  if (words.length < 2) return undefined
  doubts.push(...places.filter(place => !explained.has(place) && isOtherUse(script, place, words)))
  return {
    commands: words.map(branch => ({ ...branch, scope: () => scopeOf(script, branch, [...branches.values()]) })),
    doubts,
  }
}

/** Expressions for the word, also in lower case or trimmed. */
function carriersOf(script: Script, first: readonly Node[]): readonly Node[] {
  const places = new Set<Node>()
  const pending = [...first]
  for (let start = pending.pop(); start !== undefined; start = pending.pop()) {
    for (const place of flowOf(script, start)) {
      if (places.has(place)) continue
      places.add(place)
      const call = place.parent?.parent ?? undefined
      const method = methodCallOf(call)
      if (call !== undefined && method?.object === unwrap(place) && /^(?:toLowerCase|trim)$/.test(method.method))
        pending.push(call)
    }
  }
  return [...places]
}

function readSwitch(script: Script, statement: Node, branches: Map<string, Branch>, doubts: Node[]): void {
  let open: Branch[] = []
  let isDefault = false
  let isClosed = true
  for (const item of childNamed(statement, 'SwitchBody')?.children ?? []) {
    if (item.name === 'CaseLabel') {
      // A section that does not end runs on into the next.
      if (isClosed) open = []
      const word = evaluateText(script, partsOf(item)[0])
      if (word === undefined && !/\b(?:undefined|null)\b/.test(textOf(item))) doubts.push(item)
      // Further labels of one section are other spellings of its first.
      if (word !== undefined) {
        const same = open.find(branch => branch.sections.length === 0 && !/^-/.test(branch.word))
        if (same === undefined) open.push(addBranch(branches, word, item))
        else same.aliases.push(word)
      }
      isClosed = false
    } else if (item.name === 'DefaultLabel') {
      if (isClosed) open = []
      isDefault = open.length === 0
      if (isDefault) open.push(addBranch(branches, '', item))
      isClosed = false
    } else if (/^[A-Z]/.test(item.name)) {
      if (isDefault && item.name !== 'BreakStatement' && !refuses(script, item)) doubts.push(item)
      for (const branch of open) branch.sections.push(item)
      if (endsSection(item)) isClosed = true
    }
  }
}

function addBranch(branches: Map<string, Branch>, word: string, at: Node): Branch {
  const branch = branches.get(word) ?? { word, at, sections: [], sometimes: [], aliases: [] }
  branches.set(word, branch)
  return branch
}

/** Whether a branch looks at its word again, so that its labels are not the same. */
function usesWord({ sections, aliases }: Branch, places: readonly Node[]): boolean {
  return aliases.length > 0 && places.some(place => sections.some(section => isWithin(place, section)))
}

function spreadAliases(branch: Branch, branches: Map<string, Branch>): void {
  for (const word of branch.aliases) addBranch(branches, word, branch.at).sections.push(...branch.sections)
}

function endsSection(statement: Node): boolean {
  if (/^(?:Break|Return|Throw|Continue)Statement$/.test(statement.name)) return true
  const last = statement.name === 'Block' ? partsOf(statement).at(-1) : undefined
  return last !== undefined && endsSection(last)
}

function refuses(script: Script, statement: Node): boolean {
  if (statement.name === 'Block') return partsOf(statement).every(part => refuses(script, part))
  if (statement.name === 'ReturnStatement' || /usage|help|unknown|invalid/i.test(textOf(statement))) return true
  const path = pathOf(callOf(partsOf(statement)[0])?.callee) ?? ''
  return /^(?:console\.\w+|process\.std(?:out|err)\.write)$/.test(path) || givesUp(script, statement)
}

/** `word === 'add'`. */
function equalityWith(script: Script, place: Node): { readonly test: Node; readonly word: string } | undefined {
  const test = place.parent
  const binary = binaryOf(test ?? undefined)
  if (test === null || binary === undefined || !/^===?$/.test(binary.operator)) return undefined
  const word = evaluateText(script, partsOf(test)[0] === place ? binary.right : binary.left)
  return word === undefined ? undefined : { test, word }
}

function readTest(script: Script, { test, word }: { test: Node; word: string }, branches: Map<string, Branch>): void {
  const statement = enclosing(test, node => node.name === 'IfStatement')
  const condition = statement === undefined ? undefined : conditionOf(statement)
  const section = statement === undefined ? undefined : consequentOf(statement)
  if (condition === undefined || section === undefined) return
  const and = binaryOf(unwrap(condition))
  if (and?.operator === '&&' && (isArm(and.left, test) || isArm(and.right, test)))
    addBranch(branches, word, test).sometimes.push(section)
  if (!isArm(condition, test)) return
  const [first] = firstWord(script, condition)
  const branch = addBranch(branches, first !== undefined && !/^-/.test(first) ? first : word, test)
  if (!branch.sections.includes(section)) branch.sections.push(section)
}

/** Whether a test is the whole condition or an arm of its `||`. */
function isArm(condition: Node, test: Node): boolean {
  if (unwrap(condition) === test) return true
  const binary = binaryOf(unwrap(condition))
  return binary?.operator === '||' && (isArm(binary.left, test) || isArm(binary.right, test))
}

/** `cmd === 'ls' || cmd === 'list'` is one command, under its first word. */
function firstWord(script: Script, condition: Node): readonly string[] {
  const binary = binaryOf(unwrap(condition))
  if (binary?.operator === '||') return [...firstWord(script, binary.left), ...firstWord(script, binary.right)]
  const word = evaluateText(script, binary?.right)
  return word === undefined ? [] : [word]
}

/** A use of the word that is neither a test, a message nor inside a branch. */
function isOtherUse(script: Script, place: Node, branches: readonly Branch[]): boolean {
  if (branches.some(({ sections }) => sections.some(section => isWithin(place, section)))) return false
  const parent = place.parent
  if (parent?.name === 'MemberExpression') {
    const method = methodCallOf(parent.parent ?? undefined)?.method
    return partsOf(parent)[0] !== place || !/^(?:startsWith|toLowerCase|trim)$/.test(method ?? '')
  }
  if (parent?.name !== 'ArgList') return false
  const callee = callOf(parent.parent ?? undefined)?.callee
  if (/^console\.|Error$|\.(?:includes|has)$/.test(textOf(callee ?? parent))) return false
  // Handed to a function of this file, its parameter is a place of its own.
  return !flowsOn(script, place)
}

function scopeOf(script: Script, own: Branch, all: readonly Branch[]): CommandScope {
  const mine = new Set(own.sections)
  const foreign = all.filter(branch => branch !== own).flatMap(({ sections, sometimes }) => [...sections, ...sometimes])
  const others = new Set(foreign.filter(section => !mine.has(section) && !own.sometimes.includes(section)))
  const known = new Map<Node, boolean>()
  const verdicts = new Map<Node, boolean>()
  const excludes = (node: Node): boolean => {
    const verdict = verdicts.get(node)
    if (verdict !== undefined) return verdict
    const found = isExcluded(node)
    verdicts.set(node, found)
    return found
  }
  const isExcluded = (node: Node): boolean => {
    for (let at: Node | null = node; at !== null; at = at.parent) {
      if (mine.has(at)) return false
      if (others.has(at) || isAlternative(at, mine)) return true
      if (isFunction(at) && isOnlyFor(at)) return true
    }
    return false
  }
  /** Whether all calls of a function come from other commands. */
  const isOnlyFor = (fn: Node): boolean => {
    const memo = known.get(fn)
    if (memo !== undefined) return memo
    known.set(fn, false)
    const calls = callsOf(script, fn)
    const result = calls.length > 0 && calls.every(excludes)
    known.set(fn, result)
    return result
  }
  return { own: mine, excludes }
}

/** The `else` of the command's own `if`. */
function isAlternative(node: Node, own: ReadonlySet<Node>): boolean {
  const statement = node.parent
  if (statement?.name !== 'IfStatement' || alternateOf(statement) !== node) return false
  const section = consequentOf(statement)
  return section !== undefined && own.has(section)
}

function isWithin(node: Node, part: Node): boolean {
  return node.from >= part.from && node.to <= part.to
}
