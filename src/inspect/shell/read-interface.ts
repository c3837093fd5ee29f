// The interface of a shell script: its commands, and what could not be read.
import type { Inspection, InspectionNote, Requirement } from '../inspection.ts'
import { buildCommand } from './build-command.ts'
import type { Command } from './shell-syntax.ts'
import { walkScript } from './start-walk.ts'
import { readUsages } from './usage-texts.ts'
import type { Walk } from './walk.ts'
import { eachWord, readsArguments } from './words-in.ts'

export type ReadInterface = Pick<Inspection, 'commands' | 'confidence' | 'notes' | 'interactive' | 'requirements'>

export type ShellText = {
  readonly text: string
  readonly commands: readonly Command[]
  readonly sourced: readonly (readonly Command[])[]
  readonly lineAt: (offset: number) => number
}

export function readInterface(script: ShellText): ReadInterface {
  const walks = walkScript(script)
  const usages = readUsages(script.text, script.commands, script.lineAt)
  const built = walks.map(walk => buildCommand(walk, usages))
  const unread = unreadArguments(script, walks)
  const gaps = unique([...built.flatMap(({ gaps: found }) => found), ...unread])
  const open = unread.length > 0
  return {
    commands: built.map(({ command }) =>
      open ? { ...command, convention: { ...command.convention, open } } : command,
    ),
    confidence: gaps.length > 0 ? 'partial' : 'exact',
    notes: [...gaps, ...environmentNotes(walks, script.lineAt)],
    interactive: walks.some(walk => walk.interactive),
    requirements: requirementsOf(walks, script.lineAt),
  }
}

/** Arguments that no walk has come past: whatever they mean, it was not read. */
function unreadArguments({ commands, lineAt }: ShellText, walks: readonly Walk[]): readonly InspectionNote[] {
  const [first] = walks
  if (!first) return []
  const notes: InspectionNote[] = []
  eachWord(
    commands,
    word => {
      if (notes.length > 0 || !readsArguments(word) || first.seen.has(word.offset)) return
      notes.push({ message: 'Reads arguments at a place that could not be followed', line: lineAt(word.offset) })
    },
    list => !/^(?:failure|help)$/.test(first.ends(list)),
  )
  return notes
}

function environmentNotes(walks: readonly Walk[], lineAt: (offset: number) => number): readonly InspectionNote[] {
  const found = new Map(walks.flatMap(walk => [...walk.environment]))
  return [...found].map(([name, offset]) => ({
    message: `Needs the environment variable ${name}`,
    line: lineAt(offset),
    about: 'environment',
  }))
}

function requirementsOf(walks: readonly Walk[], lineAt: (offset: number) => number): readonly Requirement[] {
  const found = new Map(walks.flatMap(walk => [...walk.programs]))
  return [...found].map(([name, offset]) => ({ kind: 'program', name, line: lineAt(offset) }))
}

function unique(notes: readonly InspectionNote[]): readonly InspectionNote[] {
  const seen = new Set<string>()
  return notes.filter(({ message, line }) => {
    const key = `${line} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}
