// The value of a word in the course of a walk: its substitutions are walked, and `$(cat)` is the script's stdin.
import { evaluateWord } from './evaluate-word.ts'
import type { Word } from './shell-syntax.ts'
import { createSlot, type Slot, type Value } from './slot.ts'
import type { Walk } from './walk.ts'
import { walkCommands } from './walk-commands.ts'
import { literalText } from './word-text.ts'

export function evaluate(walk: Walk, word: Word | undefined): Value {
  const stdin = readsStdin(word)
  if (stdin && walk.fed === 0 && walk.arm === undefined) {
    return { type: 'slot', slot: readStdin(walk, word!.offset), derived: false }
  }
  return evaluateWord(walk, word, commands => {
    const scope = walk.scope
    walkCommands(walk, commands)
    walk.scope = scope
    walk.stopped = undefined
  })
}

export function readStdin(walk: Walk, offset: number): Slot {
  walk.stdin ??= createSlot({ at: 'stdin' }, offset, walk.chosen.length)
  return walk.stdin
}

/** `$(cat)`: all of stdin. */
function readsStdin(word: Word | undefined): boolean {
  const [part, ...more] = word?.parts ?? []
  if (part?.type !== 'command' || more.length > 0) return false
  const [command, ...others] = part.commands
  if (
    command?.type !== 'simple' ||
    others.length > 0 ||
    command.redirects.some(redirect => redirect.operator.startsWith('<'))
  )
    return false
  const words = command.words.map(literalText)
  return (
    words[0] === 'cat' && (words.length === 1 || (words.length === 2 && /^(?:-|\/dev\/stdin)$/.test(words[1] ?? '')))
  )
}
