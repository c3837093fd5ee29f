// Commands as a library declares them: a root, its sub-commands, and what each of them takes.
import type { CommandLine, ExclusiveGroup, ScriptParameter } from '../../types.ts'
import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { withUniqueNames } from '../unique-names.ts'
import type { ReadInterface } from './interface.ts'

export type CommandDraft = {
  /** The word that selects it; empty for the root and for a command that needs no word. */
  word: string
  parent?: CommandDraft
  readonly children: CommandDraft[]
  readonly positionals: ScriptParameter[]
  readonly options: ScriptParameter[]
  readonly exclusive: ExclusiveGroup[]
  description?: string
  /** True when it does something of its own. */
  acts: boolean
  readonly line: number
}

export function newDraft(word: string, line: number, parent?: CommandDraft): CommandDraft {
  const draft: CommandDraft = { word, children: [], positionals: [], options: [], exclusive: [], acts: false, line }
  if (parent !== undefined) {
    draft.parent = parent
    parent.children.push(draft)
  }
  return draft
}

/** How many command words stand before a draft's own parameters. */
export function levelOf(draft: CommandDraft): number {
  const above = draft.parent === undefined ? 0 : levelOf(draft.parent)
  return above + (draft.word === '' ? 0 : 1)
}

/** One command for each draft that can be run: those that act, and those without sub-commands. */
export function finishCommands(
  root: CommandDraft,
  { dashes, gaps }: { readonly dashes: CommandLine['dashes']; readonly gaps: readonly InspectionNote[] },
): ReadInterface {
  const commands: InspectedCommand[] = []
  const visit = (draft: CommandDraft, words: readonly string[], above: readonly CommandDraft[]) => {
    const own = draft.word === '' ? words : [...words, draft.word]
    const line = [...above, draft]
    if (draft.acts || draft.children.length === 0) commands.push(toCommand(line, own, dashes, gaps.length > 0))
    for (const child of draft.children) visit(child, own, line)
  }
  visit(root, [], [])
  return { commands, gaps, ...(root.description === undefined ? {} : { description: root.description }) }
}

function toCommand(
  line: readonly CommandDraft[],
  command: readonly string[],
  dashes: CommandLine['dashes'],
  open: boolean,
): InspectedCommand {
  const draft = line.at(-1) as CommandDraft
  const parameters = withUniqueNames([...draft.positionals, ...line.toReversed().flatMap(({ options }) => options)])
  const convention: CommandLine = {
    type: 'command-line',
    command,
    parameters,
    exclusive: line.flatMap(({ exclusive }) => exclusive),
    dashes,
    open,
  }
  const description = draft.description === undefined ? {} : { description: draft.description }
  return { convention, ...description, line: draft.line }
}
