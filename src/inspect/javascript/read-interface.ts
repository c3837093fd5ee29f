import { readArg } from './arg.ts'
import { readArgv } from './argv.ts'
import { argvSources } from './argv-view.ts'
import { readCommander } from './commander.ts'
import { gapAt, oneCommand, type ReadInterface } from './interface.ts'
import { readMeow } from './meow.ts'
import { readMinimist } from './minimist.ts'
import { readParseArgs } from './parse-args.ts'
import type { Script } from './script.ts'
import { importedModules } from './surroundings.ts'
import { readYargs } from './yargs.ts'

const READERS = [readCommander, readYargs, readParseArgs, readMinimist, readArg, readMeow]

/** Argument libraries that are not read: their scripts stay open to any arguments. */
const UNREAD_LIBRARY =
  /^(?:cleye|citty|sade|clipanion|@oclif\/core|command-line-args|caporal|@caporal\/core|vorpal|gluegun|argparse|docopt|nopt|optionator|getopts|zx|brocli|cmd-ts|yargs-parser)$/

/** What the script takes on its command line; a script that never looks at it takes nothing. */
export function readInterface(script: Script): ReadInterface {
  for (const read of READERS) {
    const found = read(script)
    if (found !== undefined) return found
  }
  const library = importedModules(script).find(({ module }) => UNREAD_LIBRARY.test(module))
  if (library !== undefined)
    return {
      commands: [],
      gaps: [gapAt(library.node, `arguments are read with ${library.module}, which is not understood`)],
    }

  const byHand = readArgv(script)
  const gaps = [...(byHand?.gaps ?? []), ...hiddenReaders(script)]
  const open = gaps.length > 0
  if (byHand === undefined) return { commands: [oneCommand([], { dashes: 'pass', open, line: 1 })], gaps }
  return {
    commands: byHand.commands.map(command => ({ ...command, convention: { ...command.convention, open } })),
    gaps,
  }
}

/** Imported files of the skill may look at the command line as well. */
function hiddenReaders(script: Script) {
  return importedModules(script).flatMap(({ module, node }) => {
    if (!/^\.\.?\//.test(module) || module.endsWith('.json')) return []
    const sibling = script.sibling(module)
    if (sibling === undefined) return [gapAt(node, `${module} could not be read`)]
    const readsArguments =
      argvSources(sibling).length > 0 ||
      importedModules(sibling).some(other => /^(?:commander|yargs|minimist|mri|arg|meow|cac)$/.test(other.module))
    return readsArguments ? [gapAt(node, `${module} looks at the command line too`)] : []
  })
}
