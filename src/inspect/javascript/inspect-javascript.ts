import type { Inspection, ScriptSource } from '../inspection.ts'
import { firstParagraph } from '../paragraph.ts'
import { withStdin } from '../stdin-parameter.ts'
import { describeScript } from './description.ts'
import { readInterface } from './read-interface.ts'
import { runsWhenLoaded } from './runs.ts'
import { readScript, type Script } from './script.ts'
import { asksQuestions, readRequirements, readsStdin } from './surroundings.ts'
import { lineOf, parseScript } from './syntax-tree.ts'

// Bundles and minified files are parsed only at their head: no file may hold up compiling.
const LONGEST = 80 * 1024
const HEAD = 8 * 1024

/** Reads a JavaScript or TypeScript file without running it. It never throws. */
export function inspectJavascript(source: ScriptSource): Inspection {
  if (isBinary(source.text)) return unread('the file is not text', { runs: false })
  if (source.text.length > LONGEST || isMinified(source.text)) return inspectHead(source)
  try {
    return inspectWhole(readScript(source))
  } catch (error) {
    // Nesting beyond the stack is the one way here.
    if (!(error instanceof RangeError)) throw error
    return unread('the file is nested too deeply to be read', { runs: true })
  }
}

function inspectWhole(script: Script): Inspection {
  const { tree, root } = script
  const description = describeScript(tree)
  const runs = runsWhenLoaded(root)
  const about = {
    runs,
    ...(description === undefined ? {} : { description }),
    interactive: asksQuestions(script),
    requirements: readRequirements(script),
  }
  if (tree.firstError !== undefined) {
    const line = lineOf({ ...root, from: tree.firstError })
    return { ...about, commands: [], confidence: 'none', notes: [{ message: 'the file has a syntax error', line }] }
  }
  if (!runs) return { ...about, commands: [], confidence: 'none', notes: [] }

  const { commands, gaps, description: told } = readInterface(script)
  const stdin = readsStdin(script)
  const hasNothing = commands.every(
    ({ convention }) => convention.parameters.length === 0 && convention.command.length === 0,
  )
  const whole = { ...(told === undefined ? {} : { description: firstParagraph(told) ?? told }), ...about, notes: gaps }
  if (hasNothing && (gaps.length > 0 || stdin !== undefined)) return { ...whole, commands: [], confidence: 'none' }
  const all = stdin === undefined ? commands : commands.map(command => withStdin(command, stdin.line))
  return { ...whole, commands: all, confidence: gaps.length > 0 ? 'partial' : 'exact' }
}

function inspectHead(source: ScriptSource): Inspection {
  const description = describeScript(parseScript(source.text.slice(0, HEAD), source.language))
  const inspection = unread('the file is too large or too dense to be read whole', { runs: true })
  return { ...inspection, ...(description === undefined ? {} : { description }) }
}

function unread(message: string, { runs }: { readonly runs: boolean }): Inspection {
  const notes = [{ message, line: 1 }]
  return { runs, commands: [], confidence: 'none', notes, interactive: false, requirements: [] }
}

function isBinary(text: string): boolean {
  return text.slice(0, HEAD).includes('\0')
}

/** Long lines throughout: the output of a bundler, whose names say nothing. */
function isMinified(text: string): boolean {
  if (text.length < 20_000) return false
  const lines = text.split('\n', 2_000)
  return text.length / lines.length > 500
}
