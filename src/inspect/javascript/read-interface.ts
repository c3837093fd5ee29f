import type { InspectedCommand, InspectionNote } from '../inspection.ts'
import { readArg } from './arg.ts'
import { readArgv } from './argv.ts'
import { withWordsBeside } from './beside-parser.ts'
import { readCommander } from './commander.ts'
import { findDispatch } from './dispatch.ts'
import { hiddenReaders, LIBRARY } from './hidden-readers.ts'
import { gapAt, oneCommand, type ReadInterface } from './interface.ts'
import { readMeow } from './meow.ts'
import { readMinimist } from './minimist.ts'
import { readParseArgs } from './parse-args.ts'
import { CUT_SHORT, type Script } from './script.ts'
import { importedModules } from './surroundings.ts'
import { lineOf } from './syntax-tree.ts'
import { applyUsage } from './usage-text.ts'
import { readYargs } from './yargs.ts'

const READERS = [
  { modules: /^(?:commander|@commander-js\/extra-typings|cac)$/, read: readCommander },
  { modules: /^yargs(?:\/yargs)?$/, read: readYargs },
  { modules: /^(?:(?:node:)?util|@pkgjs\/parseargs)$/, read: readParseArgs },
  { modules: /^(?:minimist|mri|yargs-parser)$/, read: readMinimist },
  { modules: /^arg$/, read: readArg },
  { modules: /^meow$/, read: readMeow },
]

// Each command is a reading of its own: a script with more of them stays one tool with a choice of words.
const MOST_COMMANDS = 40

/** What the script takes on its command line; a script that never looks at it takes nothing. */
export function readInterface(script: Script): ReadInterface {
  const found = readCommands(script)
  const isWhole = !script.memo.once.has(CUT_SHORT)
  return applyUsage(
    script,
    isWhole ? found : opened(found, [gapAt(script.root, 'the file is too tangled to be read whole')]),
  )
}

function readCommands(script: Script): ReadInterface {
  const whole = readOnce(script)
  const dispatch = whole.first === undefined ? undefined : findDispatch(script, whole.first)
  if (dispatch === undefined) return whole
  const beyond = dispatch.commands[MOST_COMMANDS]
  if (beyond !== undefined)
    return opened(whole, [gapAt(beyond.at, 'there are too many commands to tell what each of them takes')])

  const readings = dispatch.commands.map(({ word, scope, at }) => ({
    word,
    at,
    ...readOnce({ ...script, scope: scope() }),
  }))
  const doubts = dispatch.doubts.map(at => gapAt(at, 'a first word that selects no command is used too'))
  const shapes = new Set(readings.map(({ commands }) => shapeOf(commands[0])))
  // Words that change nothing about the other parameters are values, not commands.
  if (shapes.size === 1) return doubts.length > 0 ? opened(whole, doubts) : whole
  return {
    commands: readings.flatMap(({ word, at, commands, gaps }) =>
      commands.map(command => select(command, word, { line: lineOf(at), open: gaps.length > 0 || doubts.length > 0 })),
    ),
    gaps: distinct([...doubts, ...readings.flatMap(({ gaps }) => gaps)]),
  }
}

function opened(found: ReadInterface, gaps: readonly InspectionNote[]): ReadInterface {
  const commands = found.commands.map(command => ({ ...command, convention: { ...command.convention, open: true } }))
  return { ...found, commands, gaps: [...found.gaps, ...gaps] }
}

/** The first positional is the word that selects the command; everything else comes after it. */
function select(
  command: InspectedCommand,
  word: string,
  { line, open }: { readonly line: number; readonly open: boolean },
): InspectedCommand {
  const { parameters } = command.convention
  const first = parameters.findIndex(({ pass }) => pass.as === 'positional')
  const rest = parameters.filter((_, index) => index !== first).map(parameter => ({ ...parameter, level: 1 }))
  return { ...command, line, convention: { ...command.convention, command: [word], parameters: rest, open } }
}

function shapeOf(command: InspectedCommand | undefined): string {
  return JSON.stringify(
    command?.convention.parameters.map(({ name, schema, required, pass }) => [name, schema, required, pass]),
  )
}

function distinct(notes: readonly InspectionNote[]): readonly InspectionNote[] {
  return [...new Map(notes.map(note => [`${note.line} ${note.message}`, note])).values()]
}

function readOnce(script: Script): ReadInterface {
  const modules = importedModules(script)
  for (const { modules: own, read } of READERS) {
    const found = modules.some(({ module }) => own.test(module)) ? read(script) : undefined
    if (found !== undefined) return withWordsBeside(script, found)
  }
  const library = modules.find(({ module }) => LIBRARY.test(module))
  if (library !== undefined)
    return {
      commands: [],
      gaps: [gapAt(library.node, `arguments are read with ${library.module}, which is not understood`)],
    }

  const byHand = readArgv(script)
  const hidden = hiddenReaders(script)
  if (byHand === undefined)
    return { commands: [oneCommand([], { dashes: 'pass', open: hidden.length > 0, line: 1 })], gaps: hidden }
  return hidden.length > 0 ? opened(byHand, hidden) : byHand
}
