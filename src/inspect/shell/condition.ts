// Conditions: what `[ … ]`, `[[ … ]]`, `(( … ))` and `command -v` ask.
import type { Command, Word } from './shell-syntax.ts'
import { literalText, soleExpansion } from './word-text.ts'

export type Condition =
  | { readonly type: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** About `$#`. */
  | { readonly type: 'count'; readonly operator: Comparison; readonly number: number }
  | { readonly type: 'empty' | 'filled'; readonly word: Word }
  | { readonly type: 'equal' | 'unequal'; readonly word: Word; readonly pattern: Word }
  | { readonly type: 'compare'; readonly left: Word; readonly operator: Comparison; readonly right: Word }
  | { readonly type: 'match' | 'mismatch'; readonly word: Word; readonly expression: Word }
  | { readonly type: 'program' | 'no-program'; readonly name: Word }
  | { readonly type: 'other'; readonly command?: Command; readonly words: readonly Word[] }

export type Comparison = '-lt' | '-le' | '-gt' | '-ge' | '-eq' | '-ne'

const INVERSE: Record<Comparison, Comparison> = {
  '-lt': '-ge',
  '-ge': '-lt',
  '-gt': '-le',
  '-le': '-gt',
  '-eq': '-ne',
  '-ne': '-eq',
}
const SYMBOL: Record<string, Comparison> = {
  '<': '-lt',
  '<=': '-le',
  '>': '-gt',
  '>=': '-ge',
  '==': '-eq',
  '!=': '-ne',
}

export function readCondition(command: Command): Condition {
  switch (command.type) {
    case 'and':
    case 'or':
      return { type: command.type, parts: [readCondition(command.left), readCondition(command.right)] }
    case 'not':
      return negated(readCondition(command.command))
    case 'test':
      return readTest(command.words)
    case 'group':
      return command.body.length === 1 ? readCondition(command.body[0]!) : { type: 'other', command, words: [] }
    case 'arithmetic':
      return readArithmeticTest(command)
    case 'simple':
      return readSimpleTest(command)
    default:
      return { type: 'other', command, words: [] }
  }
}

export function negated(condition: Condition): Condition {
  switch (condition.type) {
    case 'and':
      return { type: 'or', parts: condition.parts.map(negated) }
    case 'or':
      return { type: 'and', parts: condition.parts.map(negated) }
    case 'count':
    case 'compare':
      return { ...condition, operator: INVERSE[condition.operator] }
    case 'empty':
      return { ...condition, type: 'filled' }
    case 'filled':
      return { ...condition, type: 'empty' }
    case 'equal':
      return { ...condition, type: 'unequal' }
    case 'unequal':
      return { ...condition, type: 'equal' }
    case 'match':
      return { ...condition, type: 'mismatch' }
    case 'mismatch':
      return { ...condition, type: 'match' }
    case 'program':
      return { ...condition, type: 'no-program' }
    case 'no-program':
      return { ...condition, type: 'program' }
    case 'other':
      return condition
  }
}

function readSimpleTest(command: Extract<Command, { type: 'simple' }>): Condition {
  const name = literalText(command.words[0])
  if (name === '[') return readTest(command.words.slice(1, -1))
  if (name === 'test') return readTest(command.words.slice(1))
  const asked = command.words.slice(1).find(word => !literalText(word)?.startsWith('-'))
  const looks =
    name === 'command' ? /^-[vV]$/.test(literalText(command.words[1]) ?? '') : /^(?:which|hash|type)$/.test(name ?? '')
  if (looks && asked) return { type: 'program', name: asked }
  return { type: 'other', command, words: [] }
}

function readArithmeticTest(command: Extract<Command, { type: 'arithmetic' }>): Condition {
  return readComparison(command.text) ?? { type: 'other', command, words: [] }
}

/** `$# < 1 || $# > 3`; undefined when it compares something else. */
function readComparison(text: string): Condition | undefined {
  for (const [type, operator] of [
    ['or', '||'],
    ['and', '&&'],
  ] as const) {
    if (!text.includes(operator)) continue
    const parts = text.split(operator).map(readComparison)
    return parts.every(part => part !== undefined) ? { type, parts } : undefined
  }
  const found = /^\s*\$(?:#|\{#\})\s*(<=|>=|==|!=|<|>)\s*(\d+)\s*$/.exec(text)
  if (found) return { type: 'count', operator: SYMBOL[found[1]!]!, number: Number(found[2]) }
  return /^\s*"?\$#"?\s*$/.test(text) ? { type: 'count', operator: '-gt', number: 0 } : undefined
}

/** Words of a test, by precedence: or, and, not, one question. */
function readTest(words: readonly Word[]): Condition {
  for (const [type, operators] of [
    ['or', ['||', '-o']],
    ['and', ['&&', '-a']],
  ] as const) {
    const parts = splitAt(words, operators)
    if (parts.length > 1) return { type, parts: parts.map(readTest) }
  }
  const first = operatorText(words[0])
  if (first === '!') return negated(readTest(words.slice(1)))
  if (first === '(' && operatorText(words.at(-1)) === ')') return readTest(words.slice(1, -1))
  return readQuestion(words)
}

function readQuestion(words: readonly Word[]): Condition {
  const [left, middle, right] = words
  if (words.length === 1 && left) return { type: 'filled', word: left }
  const unary = operatorText(left)
  if (words.length === 2 && middle) {
    if (unary === '-z')
      return isCount(middle) ? { type: 'count', operator: '-eq', number: 0 } : { type: 'empty', word: middle }
    if (unary === '-n') return isCount(middle) ? { type: 'other', words } : { type: 'filled', word: middle }
  }
  const operator = operatorText(middle)
  if (words.length !== 3 || !left || !right || operator === undefined) return { type: 'other', words }
  const literal = literalText(right)
  const comparison = (operator in INVERSE ? operator : undefined) as Comparison | undefined
  if (isCount(left) && literal !== undefined && /^\d+$/.test(literal)) {
    const asNumber = comparison ?? (operator === '=' ? '-eq' : SYMBOL[operator])
    if (asNumber) return { type: 'count', operator: asNumber, number: Number(literal) }
  }
  if (comparison) return { type: 'compare', left, operator: comparison, right }
  if (operator === '=~') return { type: 'match', word: left, expression: right }
  if (operator === '=' || operator === '==')
    return literal === '' ? { type: 'empty', word: left } : { type: 'equal', word: left, pattern: right }
  if (operator === '!=')
    return literal === '' ? { type: 'filled', word: left } : { type: 'unequal', word: left, pattern: right }
  return { type: 'other', words }
}

function splitAt(words: readonly Word[], operators: readonly string[]): readonly Word[][] {
  const parts: Word[][] = [[]]
  let depth = 0
  for (const word of words) {
    const operator = operatorText(word)
    if (operator === '(') depth++
    else if (operator === ')') depth--
    if (depth === 0 && operator !== undefined && operators.includes(operator) && parts.at(-1)!.length > 0)
      parts.push([])
    else parts.at(-1)!.push(word)
  }
  return parts.every(part => part.length > 0) ? parts : [[...words]]
}

function operatorText(word: Word | undefined): string | undefined {
  const [part, ...more] = word?.parts ?? []
  return part?.type === 'text' && !part.quoted && more.length === 0 ? part.text : undefined
}

function isCount(word: Word): boolean {
  const sole = soleExpansion(word)
  return sole?.name === '#' || (sole?.prefix === '#' && (sole.name === '@' || sole.name === '*'))
}
