// What a Python script says of itself, read from its source alone.
import type { Inspection, ScriptSource } from '../inspection.ts'
import type { ReadCommands } from './argparse-commands.ts'
import { describe } from './description.ts'
import { doesRun } from './does-run.ts'
import { type Module, parseModule } from './parse-module.ts'
import { BrokenSource } from './parse-tree.ts'
import { readArgparse } from './read-argparse.ts'

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
  const read = readCommands(module, source)
  return {
    runs: doesRun(module.statements),
    ...(description === undefined ? {} : { description }),
    commands: read?.commands ?? [],
    confidence: !read || read.commands.length === 0 ? 'none' : read.notes.length > 0 ? 'partial' : 'exact',
    notes: read?.notes ?? [],
    interactive: false,
    requirements: [],
  }
}

function readCommands(module: Module, source: ScriptSource): ReadCommands | undefined {
  if (module.text.includes('arg')) return readArgparse(module, source.sibling)
  return undefined
}

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
