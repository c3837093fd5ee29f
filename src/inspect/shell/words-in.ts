// All words in a list of commands, those inside of substitutions and expansions included.
import type { Command, Expansion, Word } from './shell-syntax.ts'
import { literalText } from './word-text.ts'

/** Visits every word; `enter` says which lists to go into. Bodies of functions are not part of the commands around them. */
export function eachWord(
  commands: readonly Command[],
  visit: (word: Word) => void,
  enter: (commands: readonly Command[]) => boolean = () => true,
): void {
  const list = (inner: readonly Command[]): void => {
    if (!enter(inner)) return
    for (const command of inner) one(command)
  }
  const word = (found: Word | undefined): void => {
    if (!found) return
    visit(found)
    for (const part of found.parts) {
      if (part.type === 'command') list(part.commands)
      else if (part.type === 'expansion') word(part.argument)
    }
  }
  const one = (command: Command): void => {
    for (const { target, body } of command.redirects) {
      word(target)
      word(body)
    }
    switch (command.type) {
      case 'simple':
        for (const { value, items } of command.assignments) {
          word(value)
          items?.forEach(word)
        }
        command.words.forEach(word)
        return
      case 'test':
        command.words.forEach(word)
        return
      case 'case':
        word(command.subject)
        for (const arm of command.arms) {
          arm.patterns.forEach(word)
          list(arm.body)
        }
        return
      case 'loop':
        list(command.condition)
        list(command.body)
        return
      case 'for':
        command.words?.forEach(word)
        list(command.body)
        return
      case 'if':
        for (const { condition, body } of command.branches) {
          list(condition)
          list(body)
        }
        list(command.otherwise)
        return
      case 'and':
      case 'or':
        list([command.left])
        list([command.right])
        return
      case 'pipe':
        list(command.commands)
        return
      case 'not':
        list([command.command])
        return
      case 'group':
        list(command.body)
        return
      case 'function':
      case 'arithmetic':
        return
    }
  }
  list(commands)
}

/** True for `$1`, `${2:-x}`, `"$@"`, `$*`. */
function isArgument(expansion: Expansion): boolean {
  return /^(?:[1-9]\d*|[@*])$/.test(expansion.name) && expansion.prefix !== '#'
}

export function readsArguments(word: Word): boolean {
  return word.parts.some(part => part.type === 'expansion' && isArgument(part))
}

export function someWord(commands: readonly Command[], test: (word: Word) => boolean): boolean {
  let found = false
  eachWord(commands, word => {
    found ||= test(word)
  })
  return found
}

export function hasLiteral(commands: readonly Command[], text: string): boolean {
  return someWord(commands, word => literalText(word) === text)
}
