// Does running the file do anything, or does it only define things for others to source?
import type { Command, Word } from './shell-syntax.ts'
import { literalText } from './word-text.ts'

/** Commands that set the shell up and leave nothing behind. */
const SETUP = new Set(
  'set shopt export readonly declare typeset local unset alias unalias umask return source . true : trap enable complete compgen hash'.split(
    ' ',
  ),
)

/** False when there are definitions and nothing else at the top level. */
export function runsSomething(commands: readonly Command[]): boolean {
  if (commands.some(acts)) return true
  return !commands.some(
    command => command.type === 'function' || (command.type === 'simple' && definesVariable(command)),
  )
}

function acts(command: Command): boolean {
  switch (command.type) {
    case 'function':
    case 'test':
    case 'arithmetic':
      return false
    case 'simple':
      return !isSetup(command)
    case 'if':
      if (isSourceGuard(command.branches[0]?.condition ?? [])) {
        return !onlyFails(command.branches[0]?.body ?? []) || command.otherwise.some(acts)
      }
      return [...command.branches.map(branch => branch.body), command.otherwise].some(body => body.some(acts))
    case 'and':
      if (isSourceGuard([command.left])) return !onlyFails([command.right])
      return acts(command.left) || acts(command.right)
    case 'or':
      if (isSourceGuard([command.left])) return !onlyFails([command.right]) && acts(command.right)
      return acts(command.left) || acts(command.right)
    case 'not':
      return acts(command.command)
    case 'pipe':
      return command.commands.some(acts)
    case 'group':
    case 'loop':
    case 'for':
      return command.body.some(acts)
    case 'case':
      return command.arms.some(arm => arm.body.some(acts))
  }
}

function isSetup(command: Extract<Command, { type: 'simple' }>): boolean {
  const [first] = command.words
  if (!first) return true
  const name = literalText(first)
  return name !== undefined && (SETUP.has(name) || name === '[' || name === 'test' || name === 'command')
}

function definesVariable(command: Extract<Command, { type: 'simple' }>): boolean {
  return command.assignments.length > 0
}

/** `[[ "${BASH_SOURCE[0]}" == "$0" ]]`: is the file run, or sourced? */
export function isSourceGuard(condition: readonly Command[]): boolean {
  return condition.some(command => {
    if (command.type === 'not') return isSourceGuard([command.command])
    if (command.type !== 'test' && command.type !== 'simple') return false
    return names(command.words).has('BASH_SOURCE') && names(command.words).has('0')
  })
}

function names(words: readonly Word[]): Set<string> {
  return new Set(words.flatMap(word => word.parts.flatMap(part => (part.type === 'expansion' ? [part.name] : []))))
}

/** "Source me, do not run me": it prints and exits. */
function onlyFails(body: readonly Command[]): boolean {
  const last = body.at(-1)
  if (last?.type === 'group') return onlyFails(last.body)
  if (last?.type !== 'simple') return false
  const name = literalText(last.words[0])
  return (
    (name === 'exit' || name === 'return') &&
    body.every(command => {
      const word = command.type === 'simple' ? literalText(command.words[0]) : undefined
      return word === 'echo' || word === 'printf' || word === 'cat' || word === name
    })
  )
}
