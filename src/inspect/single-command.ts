// The interface of a script that has one command.
import type { CommandLine, ScriptParameter } from '../types.ts'
import type { Inspection, InspectionNote } from './inspection.ts'

/** `gaps` are the reasons why the parameters are not all; any makes the interface partial. */
export function singleCommand(
  parameters: readonly ScriptParameter[],
  gaps: readonly InspectionNote[],
  dashes: CommandLine['dashes'],
): Pick<Inspection, 'commands' | 'confidence' | 'notes'> {
  const open = gaps.length > 0
  const convention: CommandLine = { type: 'command-line', command: [], parameters, exclusive: [], dashes, open }
  return { commands: [{ convention, line: 1 }], confidence: open ? 'partial' : 'exact', notes: gaps }
}
