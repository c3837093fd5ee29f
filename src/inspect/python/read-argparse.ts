// argparse: the script is walked up to the point where it asks for its arguments.
import type { InspectionNote } from '../inspection.ts'
import { argparseCommands, type ReadCommands } from './argparse-commands.ts'
import { createMachine, type Machine, type ParseEvent } from './machine.ts'
import type { Module } from './parse-module.ts'
import { walkModule } from './walk-module.ts'

/** Commands that the script's parser accepts; undefined when it never asks one. */
export function readArgparse(module: Module, sibling: Machine['sibling']): ReadCommands | undefined {
  const machine = createMachine(sibling)
  const { ended } = walkModule(module, machine)
  const event = chosen(machine.parses)
  if (!event) {
    if (!ended)
      return { commands: [], notes: [{ message: 'The script is too long to follow to its arguments.', line: 1 }] }
    return undefined
  }
  const read = argparseCommands(event, machine, module.lineAt)
  const note = (message: string): InspectionNote => ({ message, line: module.lineAt(event.at) })
  const rivals = machine.parses.filter(other => other.parser !== event.parser && other.argv === 'own')
  const doubts = machine.doubts.map(doubt => ({ message: doubt.message, line: module.lineAt(doubt.at) }))
  const notes = [...read.notes, ...doubts]
  if (rivals.length > 0) notes.push(note('The script reads its arguments with more than one parser.'))
  if (event.argv === 'other') notes.push(note('The script parses other arguments than its own.'))
  if (notes.length === 0) return read
  return { commands: rivals.length + doubts.length > 0 ? read.commands.map(opened) : read.commands, notes }
}

/** The one that is surely reached, else the first that may be; a look at known arguments only if nothing follows. */
function chosen(events: readonly ParseEvent[]): ParseEvent | undefined {
  const own = events.filter(event => event.argv === 'own')
  return (
    own.find(event => event.certain && event.way !== 'known') ??
    own.findLast(event => event.certain) ??
    own.find(event => event.way !== 'known') ??
    own[0] ??
    events[0]
  )
}

function opened(command: ReadCommands['commands'][number]): ReadCommands['commands'][number] {
  return { ...command, convention: { ...command.convention, open: true } }
}
