// What a Python script says of itself, read from its source alone.
import type { Inspection, ScriptSource } from '../inspection.ts'
import { withStdin } from '../stdin-parameter.ts'
import type { ReadCommands } from './argparse-commands.ts'
import { readConversation } from './conversation.ts'
import { describe } from './description.ts'
import { doesRun } from './does-run.ts'
import { type Module, parseModule } from './parse-module.ts'
import { BrokenSource } from './parse-tree.ts'
import { readArgparse } from './read-argparse.ts'
import { readArgv } from './read-argv.ts'
import { readFrameworks } from './read-frameworks.ts'
import { readMain } from './read-main.ts'
import { readRequirements } from './requirements.ts'
import { takesNothing } from './takes-nothing.ts'

/** Reads a Python script. Never throws: a source that cannot be read is free-form, with a note that says why. */
export function inspectPython(source: ScriptSource): Inspection {
  try {
    const parsed = parseModule(source.text)
    return parsed.ok ? inspectModule(parsed.module, source) : unreadable(parsed.message, parsed.line)
  } catch (error) {
    // Expressions nested thousands deep exhaust the stack of any recursive reader.
    if (error instanceof RangeError) return unreadable('The script is nested too deeply to be read.', 1)
    if (error instanceof BrokenSource)
      return unreadable(error.message, source.text.slice(0, error.offset).split('\n').length)
    throw error
  }
}

function inspectModule(module: Module, source: ScriptSource): Inspection {
  const description = describe(module)
  const runs = doesRun(module.statements)
  const found = readCommands(module, source)
  const main = found ? undefined : readMain(module, source.sibling)
  const { asks, reads } = readConversation(module)
  const read = found ?? (runs && !main && takesNothing(module.text, source.sibling) ? NOTHING : undefined)
  const own = read?.notes ?? main?.notes ?? []
  const isRead = (read?.commands.length ?? 0) > 0 || main !== undefined
  const confidence = !isRead ? 'none' : own.length > 0 ? 'partial' : 'exact'
  return {
    runs,
    ...(description === undefined ? {} : { description }),
    commands: (read?.commands ?? []).map(command => (reads ? withStdin(command, reads.line) : command)),
    confidence,
    notes: [...own, ...(asks ? [asks] : []), ...(reads && confidence === 'none' ? [reads] : [])],
    interactive: asks !== undefined,
    ...(main ? { callable: main.callable } : {}),
    requirements: readRequirements(module, source.sibling),
  }
}

function readCommands(module: Module, source: ScriptSource): ReadCommands | undefined {
  const { text } = module
  // The walk to a parser is the longest, so what shows no sign of one is read by hand first.
  const byHand = !PARSER.test(text) && text.includes('sys.argv') ? readArgv(module) : undefined
  if (byHand && byHand.commands.length > 0) return byHand
  const argparse = text.includes('arg') ? readArgparse(module, source.sibling) : undefined
  return argparse ?? readFrameworks(module, source.sibling) ?? byHand ?? readArgv(module)
}

const NOTHING: ReadCommands = {
  commands: [
    {
      convention: {
        type: 'command-line',
        command: [],
        parameters: [],
        exclusive: [],
        dashes: 'pass',
        open: false,
      },
      line: 1,
    },
  ],
  notes: [],
}

const PARSER = /parse|click|typer|fire/i

function unreadable(message: string, line: number): Inspection {
  return {
    runs: true,
    commands: [],
    confidence: 'none',
    notes: [{ message, line }],
    interactive: false,
    requirements: [],
  }
}
