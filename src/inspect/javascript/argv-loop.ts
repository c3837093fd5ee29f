// A loop over the command line that tells flags from words by hand.

import type { FlagRead, ValueLimits } from './argv-flag.ts'
import { alternateOf, conditionOf, consequentOf, givesUp } from './control-flow.ts'
import { evaluateText, evaluateTexts } from './evaluate.ts'
import { assignmentOf, binaryOf, memberOf, methodCallOf } from './expressions.ts'
import type { Script } from './script.ts'
import { childNamed, descendants, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

/** The expressions inside a loop that carry a word of the command line. */
export type ArgLoop = {
  readonly body: readonly Node[]
  /** The word at hand. */
  readonly current: ReadonlySet<Node>
  /** The word after it. */
  readonly next: ReadonlySet<Node>
  /** The words from here on: `args.slice(i)`. */
  readonly rest: ReadonlySet<Node>
  /** Index of the first word that the loop sees. */
  readonly start: number
  readonly at: Node
}

export type LoopReading = {
  readonly flags: readonly FlagRead[]
  /** Statements that take the word at hand as a positional, with the expression that carries it. */
  readonly words: readonly WordSink[]
  /** `options[key] = value` for any flag. */
  readonly generic?: GenericSink
  readonly unread: readonly Node[]
  /** True when `--` ends the flags. */
  readonly terminator: boolean
}

export type WordSink =
  | { readonly kind: 'push'; readonly list: Node; readonly at: Node }
  | { readonly kind: 'assign'; readonly target: Node; readonly value: Node; readonly at: Node }

export type GenericSink = { readonly object: Node; readonly section: Node; readonly dash: '-' | '--' }

type Reading = {
  readonly script: Script
  readonly loop: ArgLoop
  readonly flags: FlagRead[]
  readonly words: WordSink[]
  readonly unread: Node[]
  generic?: GenericSink
  terminator: boolean
}

export function readLoop(script: Script, loop: ArgLoop): LoopReading {
  const reading: Reading = { script, loop, flags: [], words: [], unread: [], terminator: false }
  walk(reading, loop.body)
  return reading
}

function walk(reading: Reading, statements: readonly Node[]): void {
  for (const statement of statements) {
    if (statement.name === 'Block') walk(reading, statement.children)
    else if (statement.name === 'IfStatement') walkIf(reading, statement)
    else if (statement.name === 'SwitchStatement') walkSwitch(reading, statement)
    else takeWords(reading, statement)
  }
}

function walkIf(reading: Reading, statement: Node): void {
  const condition = conditionOf(statement)
  const consequent = consequentOf(statement)
  const alternate = alternateOf(statement)
  if (condition === undefined || consequent === undefined) return
  const test = readTest(reading, condition)
  const otherwise = alternate === undefined ? [] : [alternate]

  switch (test.kind) {
    case 'flag':
      addFlag(reading, test, [condition, consequent], statement)
      break
    case 'any-flag': {
      const object = dynamicTarget(consequent)
      if (object === undefined) walk(reading, [consequent])
      else reading.generic ??= { object, section: consequent, dash: test.dash }
      break
    }
    case 'other':
      walk(reading, [consequent])
      break
  }
  walk(reading, otherwise)
}

type FlagTest = { readonly kind: 'flag'; readonly flags: readonly string[]; readonly prefixes: readonly string[] }
type Test = FlagTest | { readonly kind: 'any-flag'; readonly dash: '-' | '--' } | { readonly kind: 'other' }

/** What a condition says of the word at hand. */
function readTest(reading: Reading, condition: Node): Test {
  const node = unwrap(condition)
  const binary = binaryOf(node)
  if (binary?.operator === '||') return either(readTest(reading, binary.left), readTest(reading, binary.right))
  if (binary?.operator === '&&') {
    const left = readTest(reading, binary.left)
    const right = readTest(reading, binary.right)
    // `a.startsWith('--') && a.includes('=')`: the first arm is the narrower word.
    return left.kind === 'flag' || right.kind === 'other' ? left : right
  }
  if (binary !== undefined && /^===?$/.test(binary.operator)) return equality(reading, binary.left, binary.right)
  return methodTest(reading, node)
}

function either(left: Test, right: Test): Test {
  if (left.kind === 'flag' && right.kind === 'flag')
    return { kind: 'flag', flags: [...left.flags, ...right.flags], prefixes: [...left.prefixes, ...right.prefixes] }
  return left.kind === right.kind ? left : { kind: 'other' }
}

function equality(reading: Reading, left: Node, right: Node): Test {
  const [word, literal] = isFlagWord(reading, left) === undefined ? [right, left] : [left, right]
  const prefix = isFlagWord(reading, word)
  const text = prefix === undefined ? undefined : evaluateText(reading.script, literal)
  if (text === undefined) {
    const first = memberOf(left)
    const isFirstLetter =
      first?.index !== undefined && textOf(first.index) === '0' && reading.loop.current.has(first.object)
    return isFirstLetter && evaluateText(reading.script, right) === '-'
      ? { kind: 'any-flag', dash: '-' }
      : { kind: 'other' }
  }
  return { kind: 'flag', flags: [prefix + text], prefixes: [] }
}

/** `''` for the word itself, `--` for the word without its dashes. */
function isFlagWord(reading: Reading, node: Node): string | undefined {
  const word = unwrap(node)
  if (reading.loop.current.has(word)) return ''
  const call = methodCallOf(word)
  if (call === undefined || !reading.loop.current.has(call.object)) return undefined
  return isDashRemoval(call.method, call.args) ? '--' : undefined
}

function isDashRemoval(method: string, args: readonly (Node | undefined)[]): boolean {
  const first = args[0] === undefined ? '' : textOf(args[0])
  if (method === 'slice' || method === 'substring' || method === 'substr') return first === '2' && args.length === 1
  return method === 'replace' && /^\/\^--|^['"]--['"]$/.test(first)
}

function methodTest(reading: Reading, node: Node): Test {
  const call = methodCallOf(node)
  if (call === undefined) return { kind: 'other' }
  const { script, loop } = reading
  const [argument] = call.args
  if (call.method === 'startsWith' && loop.current.has(call.object)) {
    const prefix = evaluateText(script, argument)
    if (prefix === '-' || prefix === '--') return { kind: 'any-flag', dash: prefix }
    return prefix?.startsWith('-') && prefix.endsWith('=')
      ? { kind: 'flag', flags: [], prefixes: [prefix] }
      : { kind: 'other' }
  }
  if (
    (call.method === 'includes' || call.method === 'has') &&
    argument !== undefined &&
    loop.current.has(unwrap(argument))
  ) {
    const flags = evaluateTexts(script, call.object)
    return flags?.every(flag => flag.startsWith('-')) ? { kind: 'flag', flags, prefixes: [] } : { kind: 'other' }
  }
  return { kind: 'other' }
}

function walkSwitch(reading: Reading, statement: Node): void {
  const subject = conditionOf(statement)
  const prefix = subject === undefined ? undefined : isFlagWord(reading, subject)
  const body = childNamed(statement, 'SwitchBody')
  if (prefix === undefined || body === undefined) {
    takeWords(reading, statement)
    return
  }

  let labels: string[] = []
  let section: Node[] = []
  let isDefault = false
  const close = () => {
    if (section.length === 0) return
    if (isDefault) walk(reading, section)
    else addFlag(reading, { kind: 'flag', flags: labels, prefixes: [] }, section, section[0] as Node)
    labels = []
    section = []
    isDefault = false
  }
  for (const item of body.children) {
    if (item.name === 'CaseLabel' || item.name === 'DefaultLabel') {
      close()
      if (item.name === 'DefaultLabel') isDefault = true
      const text = item.name === 'CaseLabel' ? evaluateText(reading.script, partsOf(item)[0]) : undefined
      if (text !== undefined) labels.push(prefix + text)
      else if (!isDefault) reading.unread.push(item)
    } else if (item.name !== '{' && item.name !== '}') section.push(item)
  }
  close()
}

function addFlag(reading: Reading, test: FlagTest, section: readonly Node[], at: Node): void {
  const { loop, script } = reading
  const branch = section
  if (test.flags.includes('--')) {
    reading.terminator = true
    return
  }
  const flags = [...test.flags, ...test.prefixes.map(prefix => prefix.slice(0, -1))].filter(flag => /^-./.test(flag))
  if (flags.length === 0 || isHelpFlag(script, flags, branch)) return
  const ordered = [...new Set(flags)].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  const following = [...loop.next].filter(node => branch.some(part => isInside(node, part)) && !isGuard(node))
  const attached = test.prefixes.length === 0 ? [] : attachedValues(loop, branch)

  if (test.prefixes.length > 0) {
    if (attached.length === 0) reading.unread.push(at)
    const limits = { noEquals: attached.some(node => /\.split\(\s*['"]=['"]\s*\)\s*(?:\[1\])?$/.test(textOf(node))) }
    reading.flags.push({ flags: ordered, at, form: 'equals', nodes: attached, list: attached.some(isPushed), limits })
  }
  if (test.flags.length === 0) return
  const form = following.length > 0 ? 'separate' : 'none'
  const limits = following.length > 0 ? limitsOf(loop, branch) : {}
  const assigned = form === 'none' ? switchTarget(branch) : undefined
  reading.flags.push({
    flags: ordered,
    at,
    form,
    nodes: form === 'none' ? (assigned ?? []) : following,
    list: following.some(isPushed),
    limits,
  })
}

/** The right side of `verbose = true`, so that its target's first value is found. */
function switchTarget(branch: readonly Node[]): readonly Node[] | undefined {
  const assignments = branch.flatMap(part => [...descendants(part)]).flatMap(node => assignmentOf(node) ?? [])
  const [only, ...more] = assignments.filter(assignment => assignment.value.name === 'BooleanLiteral')
  return only === undefined || more.length > 0 ? undefined : [only.value]
}

export function isHelpFlag(script: Script, flags: readonly string[], branch: readonly Node[]): boolean {
  if (flags.includes('--help') || flags.includes('--version')) return true
  return (
    flags.every(flag => flag === '-h' || flag === '-V' || flag === '-?') && branch.some(part => givesUp(script, part))
  )
}

/** `if (!next) …` looks at the word without taking it. */
function isGuard(node: Node): boolean {
  const parent = node.parent
  if (parent?.name === 'UnaryExpression') return true
  const binary = binaryOf(parent ?? undefined)
  if (binary !== undefined)
    return binary.operator === '&&' ? partsOf(parent ?? undefined)[0] === node : /^[!=]==?$/.test(binary.operator)
  if (methodCallOf(parent?.parent ?? undefined)?.method === 'startsWith' && partsOf(parent ?? undefined)[0] === node)
    return true
  return parent?.name === 'ParenthesizedExpression' && parent.parent?.name === 'IfStatement'
}

function limitsOf(loop: ArgLoop, branch: readonly Node[]): ValueLimits {
  let dash: '-' | '--' | undefined
  let nonEmpty = false
  for (const node of loop.next) {
    const isShared =
      !loop.body.some(part => isInside(node, part)) || node.parent?.parent?.parent?.name === 'VariableDeclaration'
    if (!isShared && !branch.some(part => isInside(node, part))) continue
    const call = methodCallOf(node.parent?.parent ?? undefined)
    const prefix = call?.method === 'startsWith' && call.object === unwrap(node) ? call.args[0] : undefined
    if (prefix !== undefined) dash = /^['"]--['"]$/.test(textOf(prefix)) && dash !== '-' ? '--' : '-'
    if (isTruthTest(node)) nonEmpty = true
  }
  return { ...(dash === undefined ? {} : { dash }), ...(nonEmpty ? { nonEmpty } : {}) }
}

function isTruthTest(node: Node): boolean {
  const parent = node.parent
  if (parent?.name === 'UnaryExpression') return textOf(parent).startsWith('!')
  if (parent?.name === 'ConditionalExpression') return partsOf(parent)[0] === node
  if (parent?.name === 'ParenthesizedExpression') return parent.parent?.name === 'IfStatement'
  return binaryOf(parent ?? undefined)?.operator === '&&' && partsOf(parent ?? undefined)[0] === node
}

/** `arg.slice(6)`, `arg.split('=')[1]` inside a branch: the whole chain that starts at the word. */
function attachedValues(loop: ArgLoop, branch: readonly Node[]): readonly Node[] {
  return [...loop.current]
    .filter(node => branch.some(part => isInside(node, part)))
    .map(chainFrom)
    .filter(node => methodCallOf(node)?.method !== 'startsWith' && node.name !== 'VariableName')
}

function chainFrom(node: Node): Node {
  let at = node
  for (
    let up = at.parent;
    up !== null && CHAIN.has(up.name) && (up.name === 'CallExpression' || partsOf(up)[0] === at);
    up = up.parent
  )
    at = up
  return at
}

const CHAIN = new Set(['MemberExpression', 'CallExpression', 'ParenthesizedExpression', 'PostfixExpression'])

function isPushed(node: Node): boolean {
  const list = node.parent
  return list?.name === 'ArgList' && methodCallOf(list.parent ?? undefined)?.method === 'push'
}

/** `options[key] = value` with a key that is computed. */
function dynamicTarget(section: Node): Node | undefined {
  for (const node of descendants(section)) {
    const target = assignmentOf(node)?.target
    const member = memberOf(target)
    if (member?.index !== undefined && member.name === undefined && member.index.name !== 'Number') return member.object
  }
  return undefined
}

/** Finds where a statement keeps the word at hand. */
function takeWords(reading: Reading, statement: Node): void {
  if (statement.name === 'VariableDeclaration' || givesUpOnly(reading.script, statement)) return
  for (const node of descendants(statement)) {
    const isWord = reading.loop.current.has(node)
    const isRest = reading.loop.rest.has(node)
    if (!isWord && !isRest) continue
    const carrier = isRest ? chainFrom(node) : node
    if (!keepWord(reading, carrier) && !isLookedAt(carrier)) reading.unread.push(node)
  }
}

function keepWord(reading: Reading, word: Node): boolean {
  const parent = word.parent
  const call = parent?.name === 'ArgList' ? methodCallOf(parent.parent ?? undefined) : undefined
  if (call?.method === 'push') {
    reading.words.push({ kind: 'push', list: call.object, at: word })
    return true
  }
  const assignment = assignmentOf(parent ?? undefined)
  if (assignment?.value !== word) return false
  reading.words.push({ kind: 'assign', target: assignment.target, value: word, at: word })
  return true
}

function isLookedAt(word: Node): boolean {
  const parent = word.parent
  const call = methodCallOf(parent?.parent ?? undefined)
  if (call !== undefined && parent?.name === 'MemberExpression')
    return /^(?:startsWith|endsWith|includes|match)$/.test(call.method)
  if (parent?.name === 'UnaryExpression' || parent?.name === 'Interpolation') return true
  if (parent?.name === 'ArgList') return /console\.|Error|\.test\(|exists/.test(textOf(parent.parent ?? parent))
  return /^(?:BinaryExpression|ParenthesizedExpression)$/.test(parent?.name ?? '')
}

function givesUpOnly(script: Script, statement: Node): boolean {
  return statement.name === 'ThrowStatement' || (statement.name === 'ExpressionStatement' && givesUp(script, statement))
}

export function isInside(node: Node, part: Node): boolean {
  return node.from >= part.from && node.to <= part.to
}
