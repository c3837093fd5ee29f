// A loop over the command line that tells flags from words by hand.
import type { FlagRead } from './argv-flag.ts'
import { oddSteps, unexplainedWords } from './argv-loop-doubts.ts'
import { type FlagTest, flagPrefix, readTest } from './argv-loop-tests.ts'
import { attachedValues, chainFrom, isGuard, isPushed, limitsOf } from './argv-loop-values.ts'
import type { Binding } from './bindings.ts'
import { alternateOf, conditionOf, consequentOf, givesUp } from './control-flow.ts'
import { evaluateText } from './evaluate.ts'
import { assignmentOf, memberOf, methodCallOf } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, descendants, type Node, partsOf, textOf } from './syntax-tree.ts'

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
  /** The variable that counts the words. */
  readonly index?: Binding
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
  | { readonly kind: 'push'; readonly list: Node; readonly at: Node; readonly all: boolean }
  | { readonly kind: 'assign'; readonly target: Node; readonly value: Node; readonly at: Node; readonly all: boolean }

export type GenericSink = { readonly object: Node; readonly section: Node }

type Reading = {
  readonly script: Script
  readonly loop: ArgLoop
  readonly flags: FlagRead[]
  readonly words: WordSink[]
  readonly unread: Node[]
  /** Parts of the loop that are understood. */
  readonly explained: Node[]
  readonly sections: Map<FlagRead, readonly Node[]>
  generic?: GenericSink
  terminator: boolean
}

export function readLoop(script: Script, loop: ArgLoop): LoopReading {
  const parts = { flags: [], words: [], unread: [], explained: [], sections: new Map(), terminator: false }
  const reading: Reading = { script, loop, ...parts }
  walk(reading, loop.body)
  reading.unread.push(
    ...unexplainedWords(script, loop, reading.explained),
    ...oddSteps(script, loop, reading.explained),
  )
  const isRead = (flag: FlagRead) =>
    !reading.unread.some(node => reading.sections.get(flag)?.some(part => isInside(node, part)))
  return { ...reading, flags: reading.flags.filter(isRead) }
}

function walk(reading: Reading, statements: readonly Node[]): void {
  for (const statement of statements) {
    if (reading.script.scope?.excludes(statement)) continue
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
  const test = readTest(reading.script, reading.loop, condition)
  if (test.kind !== 'other') reading.explained.push(condition.parent ?? condition)
  if (test.kind === 'flag') addFlag(reading, test, [condition, consequent], statement)
  else if (test.kind !== 'any-flag' || !takeGeneric(reading, consequent)) walk(reading, [consequent])
  if (alternate !== undefined) walk(reading, [alternate])
}

function walkSwitch(reading: Reading, statement: Node): void {
  const subject = conditionOf(statement)
  const prefix = subject === undefined ? undefined : flagPrefix(reading.loop, subject)
  const body = childNamed(statement, 'SwitchBody')
  if (prefix === undefined || body === undefined || subject === undefined) {
    takeWords(reading, statement)
    return
  }
  reading.explained.push(subject.parent ?? subject)
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
  if (test.flags.includes('--')) {
    reading.terminator = true
    takeAfterTerminator(reading, section)
    return
  }
  const flags = [...test.flags, ...test.prefixes.map(prefix => prefix.slice(0, -1))].filter(flag => /^-./.test(flag))
  if (flags.length < test.flags.length + test.prefixes.length) {
    // A word without a dash among the flags is a command.
    reading.unread.push(at)
    return
  }
  const inside = (nodes: ReadonlySet<Node>) => [...nodes].filter(node => section.some(part => isInside(node, part)))
  const following = inside(loop.next).filter(node => !isGuard(node))
  if (following.length === 0 && isHelpFlag(script, flags, section)) {
    reading.explained.push(...section)
    return
  }
  const ordered = [...new Set(flags)].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  reading.explained.push(...inside(loop.next))

  if (test.prefixes.length > 0) {
    const attached = attachedValues(loop, section)
    if (attached.length === 0) reading.unread.push(at)
    reading.explained.push(...attached)
    const limits = { noEquals: attached.some(node => /\.split\(\s*['"]=['"]\s*\)\s*(?:\[1\])?$/.test(textOf(node))) }
    const list = attached.some(isPushed)
    keepFlag(reading, { flags: ordered, at, form: 'equals', nodes: attached, list, limits }, section)
  }
  if (test.flags.length === 0) return
  const form = following.length > 0 ? 'separate' : 'none'
  const limits = following.length > 0 ? limitsOf(loop, section) : {}
  const assigned = form === 'none' ? switchTarget(section) : undefined
  const nodes = form === 'none' ? (assigned ?? []) : following
  keepFlag(reading, { flags: ordered, at, form, nodes, list: following.some(isPushed), limits }, section)
}

/** What follows `--` goes where other plain words go; anything else is not understood. */
function takeAfterTerminator(reading: Reading, section: readonly Node[]): void {
  const before = reading.words.length
  walk(reading, section.slice(-1))
  for (const word of reading.words.splice(before)) {
    if (word.kind === 'push') reading.words.push({ ...word, all: false })
    else reading.unread.push(word.at)
  }
}

function keepFlag(reading: Reading, flag: FlagRead, section: readonly Node[]): void {
  reading.flags.push(flag)
  reading.sections.set(flag, section)
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

/** `options[key] = value`, with a key that is the word without its dashes. */
function takeGeneric(reading: Reading, section: Node): boolean {
  for (const node of descendants(section)) {
    const member = memberOf(assignmentOf(node)?.target)
    if (member?.index === undefined || member.name !== undefined || member.index.name === 'Number') continue
    if (!isFlagName(reading, member.index)) continue
    reading.generic ??= { object: member.object, section }
    // The key and the value may be made beforehand.
    reading.explained.push(section, ...(section.parent?.children.filter(isDeclaration) ?? []))
    return true
  }
  return false
}

function isDeclaration({ name }: Node): boolean {
  return name === 'VariableDeclaration'
}

/** Whether an expression is what is left of a word when its dashes are cut off. */
function isFlagName(reading: Reading, node: Node, depth = 4): boolean {
  const parts = [...descendants(node)]
  // A table could give the flag another name.
  const isLookup = (part: Node) => memberOf(part)?.index?.name === 'VariableName' && !reading.loop.current.has(part)
  if (depth === 0 || parts.some(isLookup)) return false
  if (/(?:slice|substring|substr)\(\s*2|replace\(\s*\/\^-|\.(?:match|exec)\(/.test(textOf(node))) return true
  return parts.some(part => {
    const origin = bindingOf(reading.script, part)?.origin
    return origin?.kind === 'value' && isFlagName(reading, origin.value, depth - 1)
  })
}

/** Finds where a statement keeps the word at hand. */
function takeWords(reading: Reading, statement: Node): void {
  if (statement.name === 'VariableDeclaration') return
  if (
    statement.name === 'ThrowStatement' ||
    (statement.name === 'ExpressionStatement' && givesUp(reading.script, statement))
  ) {
    reading.explained.push(statement)
    return
  }
  if (statement.name === 'ExpressionStatement' && takeGeneric(reading, statement)) return
  for (const node of descendants(statement)) {
    const isRest = reading.loop.rest.has(node)
    if (!isRest && !reading.loop.current.has(node)) continue
    keepWord(reading, isRest ? chainFrom(node) : node, isRest)
  }
}

function keepWord(reading: Reading, word: Node, all: boolean): void {
  const parent = word.parent
  const call = parent?.name === 'ArgList' ? methodCallOf(parent.parent ?? undefined) : undefined
  const assignment = assignmentOf(parent ?? undefined)
  if (call?.method === 'push') reading.words.push({ kind: 'push', list: call.object, at: word, all })
  else if (assignment?.value === word)
    reading.words.push({ kind: 'assign', target: assignment.target, value: word, at: word, all })
  else return
  reading.explained.push(word)
}

export function isInside(node: Node, part: Node): boolean {
  return node.from >= part.from && node.to <= part.to
}
