// `if [ "$1" = a ]; then … elif [ "$1" = b ]; …` is a `case` in other words.
import { type Condition, readCondition } from './condition.ts'
import type { CaseArm, CaseCommand, Command, IfCommand, Word } from './shell-syntax.ts'
import { soleExpansion } from './word-text.ts'

type Placed<T> = T & Pick<Command, 'offset' | 'redirects'>

/** The `case` that an `if` amounts to; undefined when its first branch asks for something else. */
export function ifAsCase(command: Placed<IfCommand>): Placed<CaseCommand> | undefined {
  const arms: CaseArm[] = []
  let subject: Word | undefined
  for (const [index, { condition, body }] of command.branches.entries()) {
    const asked = condition.length === 1 ? equalities(readCondition(condition[0]!)) : undefined
    if (!asked || (subject && !sameVariable(subject, asked.word))) {
      if (!subject) return undefined
      const rest: Command = { ...command, branches: command.branches.slice(index) }
      return { ...placed(command), subject, arms: [...arms, otherwise([rest], command.offset)] }
    }
    subject ??= asked.word
    arms.push({ patterns: asked.patterns, body, offset: asked.word.offset, end: ';;' })
  }
  if (!subject) return undefined
  return { ...placed(command), subject, arms: [...arms, otherwise(command.otherwise, command.offset)] }
}

function placed(command: Placed<IfCommand>) {
  return { type: 'case' as const, offset: command.offset, redirects: command.redirects }
}

function otherwise(body: readonly Command[], offset: number): CaseArm {
  return { patterns: [{ parts: [{ type: 'text', text: '*', quoted: false }], offset }], body, offset, end: ';;' }
}

function equalities(condition: Condition): { word: Word; patterns: readonly Word[] } | undefined {
  if (condition.type === 'equal') return { word: condition.word, patterns: [condition.pattern] }
  if (condition.type !== 'or') return undefined
  const parts = condition.parts.map(equalities)
  const [first] = parts
  if (!first || !parts.every(part => part !== undefined && sameVariable(part.word, first.word))) return undefined
  return { word: first.word, patterns: parts.flatMap(part => part?.patterns ?? []) }
}

function sameVariable(a: Word, b: Word): boolean {
  const name = soleExpansion(a)?.name
  return name !== undefined && name === soleExpansion(b)?.name
}
