// How a list of commands ends: does it always leave the script, and was that a failure?
import type { Command } from './shell-syntax.ts'
import type { Ending } from './walk.ts'
import { literalText } from './word-text.ts'
import { readsArguments, someWord } from './words-in.ts'

/** Reads endings with the script's own functions (`usage`, `die`) taken into account. */
export function createEndings(functions: ReadonlyMap<string, Command>): (commands: readonly Command[]) => Ending {
  const known = new Map<string, Ending>()
  const lists = new WeakMap<readonly Command[], Ending>()

  function ofList(commands: readonly Command[]): Ending {
    for (const [index, command] of commands.entries()) {
      const ending = ofCommand(command)
      if (ending === 'open') continue
      if (ending === 'failure' && commands.slice(0, index).some(maySucceed)) return 'success'
      // A successful exit after nothing but text is help, whatever its code.
      return ending === 'success' && isHelpText(commands.slice(0, index)) ? 'help' : ending
    }
    return 'open'
  }

  function ofCommand(command: Command): Ending {
    switch (command.type) {
      case 'simple':
        return ofSimple(command)
      case 'group':
        return command.subshell ? 'open' : ofList(command.body)
      case 'and':
      case 'or': {
        const left = ofCommand(command.left)
        if (left !== 'open') return left
        // `echo … && exit 1` leaves; `[ … ] || exit 1` may go on.
        return command.type === 'and' && tells(command.left) ? ofCommand(command.right) : 'open'
      }
      case 'if': {
        const bodies = [...command.branches.map(branch => branch.body), command.otherwise].map(ofList)
        return bodies.every(ending => ending !== 'open')
          ? bodies.includes('success')
            ? 'success'
            : bodies[0]!
          : 'open'
      }
      default:
        return 'open'
    }
  }

  function ofSimple(command: Extract<Command, { type: 'simple' }>): Ending {
    const name = literalText(command.words[0])
    if (name === 'exit' || name === 'return') {
      const code = literalText(command.words[1])
      return command.words.length === 1 || code === '0' || code === undefined ? 'success' : 'failure'
    }
    if (name === undefined) return 'open'
    const body = functions.get(name)
    if (body?.type !== 'group' && body?.type !== undefined) return 'open'
    if (!body) return 'open'
    if (!known.has(name)) {
      // While it is being read, a function that calls itself goes on.
      known.set(name, 'open')
      known.set(name, returnsOnly(body.body) ? 'open' : ofList(body.body))
    }
    const ending = known.get(name)!
    if (ending === 'success' && /usage|help/i.test(name)) return 'help'
    return ending
  }

  /** A branch or a loop that leaves the script with success: what stands behind it is only the other way out. */
  function maySucceed(command: Command): boolean {
    switch (command.type) {
      case 'if':
        return [...command.branches.map(branch => branch.body), command.otherwise].some(endsWell)
      case 'case':
        return command.arms.some(arm => endsWell(arm.body))
      case 'loop':
      case 'for':
        return endsWell(command.body)
      case 'and':
      case 'or':
        return endsWell([command.right])
      default:
        return false
    }
  }

  function endsWell(body: readonly Command[]): boolean {
    return ofList(body) === 'success' || body.some(maySucceed)
  }

  /** `return 1` leaves the function, not the script. */
  function returnsOnly(body: readonly Command[]): boolean {
    const last = body.findLast(
      command => command.type === 'simple' && /^(?:exit|return)$/.test(literalText(command.words[0]) ?? ''),
    )
    return last?.type === 'simple' && literalText(last.words[0]) === 'return'
  }

  /** What prints an argument is no help, unless it complains about it. */
  function isHelpText(commands: readonly Command[]): boolean {
    return commands.every(tells) && (onlyComplains(commands) || !someWord(commands, readsArguments))
  }

  return commands => {
    const ending = lists.get(commands) ?? ofList(commands)
    lists.set(commands, ending)
    return ending
  }
}

/** A `*)` arm that only says what would have been right, even if it forgets to fail. */
export function onlyComplains(body: readonly Command[]): boolean {
  const known = complaints.get(body) ?? complainsOnly(body)
  complaints.set(body, known)
  return known
}

/** Every walk through a script asks the same of the same arms. */
const complaints = new WeakMap<readonly Command[], boolean>()

function complainsOnly(body: readonly Command[]): boolean {
  let complains = false
  const tells = body.every(command => {
    if (command.type !== 'simple') return false
    const name = literalText(command.words[0]) ?? ''
    if (/usage|help/i.test(name)) complains = true
    else if (!/^(?:echo|printf|cat|exit|return|:|true|shift)$|err|warn|die|fail|log/i.test(name)) return false
    else if (name === 'cat' && !command.redirects.some(redirect => redirect.body)) return false
    const text = [...command.words, ...command.redirects.flatMap(({ body: told }) => (told ? [told] : []))]
    if (text.some(word => word.parts.some(part => part.type === 'text' && COMPLAINT.test(part.text)))) complains = true
    return true
  })
  return tells && complains
}

const COMPLAINT =
  /usage|unknown|invalid|unsupported|unrecogni|not supported|must be|available|expected|bad |commands?:/i

/** A command that only prints. */
export function tells(command: Command): boolean {
  if (command.type === 'pipe') return command.commands.every(tells)
  if (command.type !== 'simple') return false
  const name = literalText(command.words[0]) ?? ''
  return (
    /^(?:echo|printf|cat|sed|grep|awk|head|tail|cut|:|true)$/.test(name) ||
    /usage|help|print|log|error|info|warn|die|fail|err/i.test(name)
  )
}
