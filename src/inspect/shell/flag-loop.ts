// Loops over flags: `while [[ $# -gt 0 ]]; do case "$1" in --out) OUT="$2"; shift 2 ;; …`, and `for arg in "$@"`.
import { isHelp, nameSwitch, readFlagArm } from './flag-arm.ts'
import { ifAsCase } from './if-as-case.ts'
import type { CaseArm, Command, LoopCommand, Word } from './shell-syntax.ts'
import { nextPosition, note, positionSlot, see, type Walk } from './walk.ts'
import { literalText, soleExpansion } from './word-text.ts'
import { hasLiteral, readsArguments, someWord } from './words-in.ts'

export type FlagLoop = Extract<Command, { type: 'loop' | 'for' }>

/** What the patterns of an arm stand for. */
export type ArmKind =
  | { readonly type: 'flags'; readonly flags: readonly { readonly name: string; readonly equals: boolean }[] }
  | { readonly type: 'terminator' | 'unknown-flags' | 'strays' }
  | { readonly type: 'words'; readonly words: readonly string[] }

/** What becomes of words that are no flags: an error, read by the loop, or left for the code behind it. */
type Strays = 'refused' | 'taken' | 'left'

/** The loop with its chain of `if`s as a `case`; undefined when its body does not look for flags. */
export function asFlagLoop<T extends FlagLoop>(walk: Walk, loop: T): T | undefined {
  if (walk.arm) return undefined
  const normal = { ...loop, body: oneCase(loop) }
  const kinds = armsOf(normal)?.map(arm => armKind(arm).type) ?? []
  if (!kinds.includes('flags') && !kinds.includes('unknown-flags')) return undefined
  for (const command of loop.body) if (command.type === 'if' || command.type === 'and') see(walk, [command])
  return normal
}

export function readFlagLoop(walk: Walk, loop: FlagLoop): void {
  const arms = armsOf(loop) ?? []
  const outer = walk.scope
  if (loop.type === 'for' && arms.every(arm => onlyHelps(arm))) {
    see(walk, [loop])
    return
  }
  beginLoop(walk, loop)
  let strays: Strays = loop.type === 'loop' && onlyFlags(loop) ? 'left' : 'refused'
  let terminator: CaseArm | undefined
  const words: { readonly arm: CaseArm; readonly word: string }[] = []
  for (const [index, arm] of arms.entries()) {
    const kind = armKind(arm)
    const ending = walk.ends(arm.body)
    if (kind.type === 'terminator') {
      terminator = arm
      continue
    }
    if (ending === 'failure' && kind.type === 'unknown-flags') walk.strict = true
    if (ending === 'failure' || (ending === 'help' && kind.type !== 'flags')) continue
    if (kind.type !== 'flags' && ignores(arm.body)) {
      see(walk, arm.body)
      continue
    }
    if (kind.type === 'unknown-flags') {
      note(walk, 'Takes flags that it does not name', arm.offset)
      see(walk, arm.body)
      continue
    }
    if (kind.type === 'words') {
      words.push({ arm, word: kind.words[0]! })
      continue
    }
    const stopped = readFlagArm(walk, loop, index, kind, ending)
    if (kind.type === 'strays') strays = stopped === 'break' ? 'left' : 'taken'
  }
  if (words.length > 0) takeWords(walk, words, strays)
  if (terminator && hasLiteral(terminator.body, 'break')) {
    see(walk, terminator.body)
    walk.terminator = strays !== 'taken' || someWord(terminator.body, readsArguments)
    if (strays === 'refused') strays = 'left'
  }
  if (loop.type === 'for') {
    walk.scope = strays === 'taken' ? { known: [], rest: undefined } : outer
    if (strays !== 'taken') walk.mixed = true
  } else walk.scope = { known: [], rest: strays === 'left' ? nextPosition(walk) : undefined }
}

/** `history) ACTION=history; shift ;;`: words of a choice between the flags. */
function takeWords(
  walk: Walk,
  words: readonly { readonly arm: CaseArm; readonly word: string }[],
  strays: Strays,
): void {
  const [first] = words
  if (!first) return
  const slot = positionSlot(walk, nextPosition(walk), first.arm.offset)
  slot.choices = words.map(({ word }) => word)
  slot.required = false
  for (const { arm } of words) {
    nameSwitch(slot, arm.body)
    if (strays !== 'refused' || someWord(arm.body, readsArguments))
      note(walk, 'Gives some words a meaning of their own', arm.offset)
    see(walk, arm.body)
  }
}

function armKind(arm: CaseArm): ArmKind {
  const patterns = arm.patterns.map(pattern => patternText(pattern))
  const flags = patterns.flatMap(pattern => {
    // `path=*` is a flag without dashes.
    const found = /^(-{1,2}[A-Za-z0-9?@][\w.-]*)(=\*|=\?\*)?$|^([A-Za-z][\w-]*)(=\*)$/.exec(pattern)
    return found ? [{ name: found[1] ?? found[3]!, equals: (found[2] ?? found[4]) !== undefined }] : []
  })
  if (flags.length > 0) return { type: 'flags', flags }
  if (patterns.includes('--')) return { type: 'terminator' }
  if (patterns.every(pattern => /^-/.test(pattern))) return { type: 'unknown-flags' }
  const words = patterns.filter(pattern => /^[A-Za-z0-9][\w.:-]*$/.test(pattern))
  if (words.length === patterns.length) return { type: 'words', words }
  return { type: 'strays' }
}

/** The text of a pattern; expansions in it are no words. */
export function patternText(pattern: Word): string {
  return literalText(pattern) ?? '*'
}

/** The body with its tests of the loop's word, `if`s and `&&`s included, as a single `case`. */
function oneCase(loop: FlagLoop): readonly Command[] {
  const body = loop.body.map(command => {
    const test: Command =
      command.type === 'and'
        ? { ...command, type: 'if', branches: [{ condition: [command.left], body: [command.right] }], otherwise: [] }
        : command
    return test.type === 'if' ? (ifAsCase(test) ?? command) : command
  })
  const cases = body.filter(command => command.type === 'case' && isSubject(command.subject, loop))
  const [first] = cases
  if (first?.type !== 'case' || cases.length === 1) return body
  const arms = cases.flatMap(command => (command.type === 'case' ? command.arms : []))
  const whole = { ...first, arms: arms.filter((arm, index) => arm.body.length > 0 || index === arms.length - 1) }
  return body.flatMap(command => (command === first ? [whole] : cases.includes(command) ? [] : [command]))
}

/** The arms of the `case` over the loop's word. */
function armsOf(loop: FlagLoop): readonly CaseArm[] | undefined {
  for (const command of loop.body) {
    if (command.type === 'case' && isSubject(command.subject, loop)) return command.arms
  }
  return undefined
}

/** `$1`, the variable of the `for`, or a variable that the body has just set to `$1`. */
function isSubject(word: Word, loop: FlagLoop): boolean {
  const sole = soleExpansion(word)
  if (!sole || (sole.operator !== '' && sole.operator !== ':-' && sole.operator !== '-')) return false
  if (loop.type === 'for') return sole.name === loop.variable
  return sole.name === '1' || loop.body.some(command => copiesFirst(command, sole.name))
}

function copiesFirst(command: Command, name: string): boolean {
  return (
    command.type === 'simple' &&
    command.assignments.some(assignment => assignment.name === name && soleExpansion(assignment.value)?.name === '1')
  )
}

/** From here on `$#` counts flags too, and what was merely asked of `$1` was asked of any argument. */
function beginLoop(walk: Walk, loop: FlagLoop): void {
  const { rest } = walk.scope
  for (const [index, slot] of walk.positions) if (!slot.used && index >= (rest ?? 0)) walk.positions.delete(index)
  // What was only printed before the loop is the whole command line, flags and all.
  if (walk.rest?.names.length === 0) walk.rest = undefined
  if (walk.loop) note(walk, 'Reads its flags in more than one loop', loop.offset)
  else walk.leading = nextPosition(walk)
  if (walk.branch > 0 && !walk.guarded) note(walk, 'Reads flags in one case only', loop.offset)
  walk.loop = true
  walk.initials = new Map(walk.variables)
  walk.least = Math.min(walk.least, rest ?? walk.least)
  walk.most = undefined
  if (loop.type === 'loop') see(walk, loop.condition)
}

/** `while [[ "$1" == -* ]]` ends at the first word that is no flag. */
function onlyFlags(loop: LoopCommand): boolean {
  return someWord(loop.condition, word => /^(?:\^?--?\*?)$/.test(literalText(word) ?? ''))
}

function onlyHelps(arm: CaseArm): boolean {
  const kind = armKind(arm)
  return kind.type === 'flags' ? kind.flags.every(({ name }) => isHelp(name)) : arm.body.length === 0
}

/** An arm that only shifts, or says that it goes on. */
function ignores(body: readonly Command[]): boolean {
  return body.every(
    command =>
      command.type === 'simple' &&
      /^(?:shift|echo|printf|log\w*|warn\w*|:|continue)$/.test(literalText(command.words[0]) ?? ''),
  )
}
