// What a Python script says of itself, read from its source alone.
import type { Inspection, ScriptSource } from '../inspection.ts'
import { describe } from './description.ts'
import { doesRun } from './does-run.ts'
import { type Module, parseModule } from './parse-module.ts'

/** Reads a Python script. Never throws: a source that cannot be read is free-form, with a note that says why. */
export function inspectPython(source: ScriptSource): Inspection {
  try {
    const parsed = parseModule(source.text)
    return parsed.ok ? inspectModule(parsed.module, source) : unreadable(parsed.message, parsed.line)
  } catch (error) {
    // Expressions nested thousands deep exhaust the stack of any recursive reader.
    if (error instanceof RangeError) return unreadable('The script is nested too deeply to be read.', 1)
    throw error
  }
}

function inspectModule(module: Module, _source: ScriptSource): Inspection {
  const description = describe(module)
  return {
    runs: doesRun(module.statements),
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: [],
    interactive: false,
    requirements: [],
  }
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
