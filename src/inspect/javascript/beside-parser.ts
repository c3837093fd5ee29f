// What a script reads from the command line besides giving it to a library.
import { argvSources } from './argv-view.ts'
import { gapAt, type ReadInterface } from './interface.ts'
import { type ListUse, listUses } from './list-uses.ts'
import { readPositionals } from './positionals.ts'
import type { Script } from './script.ts'

/** A parser's findings, with the words before those that it sees, and doubts about everything else. */
export function withWordsBeside(script: Script, found: ReadInterface): ReadInterface {
  const uses = argvSources(script).flatMap(({ node, offset }) => listUses(script, node, offset))
  const { offset = 0 } = found
  const isLead = (use: ListUse) => use.kind === 'item' && use.index >= 0 && use.index < offset
  const others = uses.filter(use => !isLead(use) && !isHarmless(use))
  const gaps = others.map(use => gapAt(use.at, 'the command line is read besides the parser'))
  const lead = readPositionals(script, uses.filter(isLead))
  // Only a word that selects a command surely comes before all options.
  const isSelected = offset === 1 && script.scope !== undefined
  const at = uses[0]?.at
  if (offset > 0 && !isSelected && at !== undefined)
    gaps.push(gapAt(at, 'the parser sees only part of the command line'))
  const all = [...found.gaps, ...gaps]
  return {
    ...found,
    ...(offset > 0 ? { first: lead.first } : {}),
    gaps: all,
    commands: found.commands.map(command => ({
      ...command,
      convention: {
        ...command.convention,
        parameters: [...lead.parameters, ...command.convention.parameters],
        open: all.length > 0,
      },
    })),
  }
}

/** Handed on as a whole, counted, or the program's own name. */
function isHarmless(use: ListUse): boolean {
  return use.kind === 'whole' || use.kind === 'length' || (use.kind === 'item' && use.index < 0)
}
