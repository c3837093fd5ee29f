// What a shell script says of itself.
import type { Inspection, ScriptSource } from '../inspection.ts'
import { unreadable } from '../readable.ts'
import { describeShell } from './describe-shell.ts'
import { parseShell } from './parse-shell.ts'
import { readInterface } from './read-interface.ts'
import { runsSomething } from './runs-something.ts'
import type { Command } from './shell-syntax.ts'
import { literalText } from './word-text.ts'

/** Reads a shell script's interface from its source. Never throws and runs nothing. */
export function inspectShell(source: ScriptSource): Inspection {
  const reason = unreadable(source.text) ?? otherLanguage(source.text)
  if (reason !== undefined) return freeForm(`The script ${reason}`, 1, describeShell(source.text, [], source.path))

  const script = parseShell(source.text)
  const description = describeShell(source.text, script.commands, source.path)
  if (script.problem) {
    return freeForm(
      `The script ${script.problem.message}`,
      lineCounter(source.text)(script.problem.offset),
      description,
    )
  }
  return {
    runs: runsSomething(script.commands),
    ...(description === undefined ? {} : { description }),
    ...readInterface({
      text: source.text,
      commands: script.commands,
      sourced: sourcedBy(script.commands, source),
      lineAt: lineCounter(source.text),
    }),
  }
}

/** Commands of the files beside the script that it sources at its top level, one deep. */
function sourcedBy(commands: readonly Command[], source: ScriptSource): readonly (readonly Command[])[] {
  return commands.flatMap(command => {
    if (command.type !== 'simple' || !/^(?:\.|source)$/.test(literalText(command.words[0]) ?? '')) return []
    const last = command.words[1]?.parts.at(-1)
    const path = last?.type === 'text' ? last.text.replace(/^\/+/, '') : ''
    const text = path === '' ? undefined : source.sibling(path)
    return text === undefined || unreadable(text) !== undefined ? [] : [parseShell(text).commands]
  })
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

/** Gives the line of an offset, by halving. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
