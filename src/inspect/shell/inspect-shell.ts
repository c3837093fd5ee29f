// What a shell script says of itself.
import type { Inspection, ScriptSource } from '../inspection.ts'
import { unreadable } from '../readable.ts'
import { describeShell } from './describe-shell.ts'
import { parseShell } from './parse-shell.ts'
import { runsSomething } from './runs-something.ts'

/** Reads a shell script's interface from its source. Never throws and runs nothing. */
export function inspectShell(source: ScriptSource): Inspection {
  const reason = unreadable(source.text) ?? otherLanguage(source.text)
  if (reason !== undefined) return freeForm(`The script ${reason}`, 1, describeShell(source.text, [], source.path))

  const script = parseShell(source.text)
  const description = describeShell(source.text, script.commands, source.path)
  if (script.problem) {
    return freeForm(`The script ${script.problem.message}`, lineAt(source.text, script.problem.offset), description)
  }
  return {
    runs: runsSomething(script.commands),
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: [],
    interactive: false,
    requirements: [],
  }
}

function freeForm(message: string, line: number, description: string | undefined): Inspection {
  return {
    runs: true,
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: [{ message, line }],
    interactive: false,
    requirements: [],
  }
}

/** A first line that names an interpreter of another language. */
function otherLanguage(text: string): string | undefined {
  const program = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([\w.]+)/.exec(text)?.[1]
  if (program === undefined || /^(?:ba|da|z|k|a|mk)?sh$/.test(program)) return undefined
  return `is written for ${program}`
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
