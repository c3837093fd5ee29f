// Bare `sys.argv`: the script is followed by hand, and its usage text gives names and descriptions.
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import type { ReadCommands } from './argparse-commands.ts'
import { argvCommand } from './argv-command.ts'
import type { ArgvReading } from './argv-model.ts'
import { type ArgvWalk, createArgvWalker } from './argv-walk.ts'
import type { Module } from './parse-module.ts'
import { readUsage } from './usage-text.ts'

const MOST_COMMANDS = 40

/** Commands of a script that reads its arguments without a library; undefined when it reads none. */
export function readArgv(module: Module): ReadCommands | undefined {
  if (!/\bargv\b/.test(module.text)) return undefined
  const { statements, lineAt } = module
  const walk = createArgvWalker(statements)
  const any = walk(undefined)
  if (isEmpty(any.reading)) return undefined
  const usage = readUsage(module)
  const notes: InspectionNote[] = []
  const commands: InspectedCommand[] = []
  const add = (found: ArgvWalk, word: string | null | undefined) => {
    const synopsis = usage?.synopses.find(one => (word ? one.words[0] === word : one.words.length === 0))
    const built = argvCommand(found, word, { lineAt, usage, synopsis })
    commands.push(built.command)
    notes.push(...built.notes.filter(note => !notes.some(other => sameNote(note, other))))
  }
  const words = [...any.reading.words.keys()]
  const other = words.length > 0 ? walk(null) : undefined
  if (!other || !isDispatch(words, any, other)) {
    add(any, undefined)
    const isTyped = commands.some(({ convention }) => convention.parameters.length > 0)
    return { commands: isTyped || notes.length === 0 ? commands : [], notes }
  }
  for (const word of words) add(walk(word), word)
  if (other.ended !== 'gives-up') {
    const line = lineAt(any.reading.words.values().next().value ?? 0)
    // Without a word the script does what it does by default.
    if (other.bounds.min < 2) add(other, null)
    else notes.push({ message: 'Other words than these commands may be accepted.', line })
  }
  return { commands: notes.length > 0 ? commands.map(opened) : commands, notes }
}

function sameNote(left: InspectionNote, right: InspectionNote): boolean {
  return left.message === right.message && left.line === right.line
}

function isEmpty({ positions, flags, rest, words, doubts }: ArgvReading): boolean {
  return positions.size + flags.size + words.size + doubts.length === 0 && !rest
}

/** The first argument is a command when the script refuses words that it does not know. */
function isDispatch(words: readonly string[], any: ArgvWalk, other: ArgvWalk): boolean {
  if (words.length > MOST_COMMANDS || words.some(word => word.startsWith('-'))) return false
  if (other.ended === 'gives-up') return true
  return words.length > 1 || !any.reading.positions.get(1)?.name
}

function opened(command: InspectedCommand): InspectedCommand {
  return { ...command, convention: { ...command.convention, open: true } }
}
