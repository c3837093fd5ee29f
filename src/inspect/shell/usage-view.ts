// What the usage texts of a script say about one of its commands.
import type { ScriptParameter } from '../../types.ts'
import type { UsageReading, UsageSynopsis } from '../usage.ts'

export type UsageView = {
  /** Positionals after the command's words, in order; undefined when no text shows how to call it. */
  readonly positionals: readonly ScriptParameter[] | undefined
  /** Every option that some text tells. */
  readonly options: readonly ScriptParameter[]
  /** False when the text shows several commands at once, so that what it shows need not be this one's. */
  readonly own: boolean
  readonly description?: string
}

/** `path` are the words that select the command; `sole` is true when the script has no others. */
export function usageFor(readings: readonly UsageReading[], path: readonly string[]): UsageView {
  const shown = readings.map(reading => reading.synopses.flatMap(synopsis => positionalsFor(synopsis, path)))
  const best = shown.find(lists => lists.length > 0)
  const positionals = best ? merged(best) : argumentsOf(readings)
  const options = readings.flatMap(reading => reading.parameters).filter(parameter => 'flags' in parameter.pass)
  const description = readings
    .flatMap(reading => reading.commands)
    .find(command => command.name === path.at(-1))?.description
  const own =
    path.length === 0 ||
    readings.some(({ synopses }) => synopses.some(({ words }) => words.join(' ') === path.join(' ')))
  return { positionals, options, own, ...(description === undefined ? {} : { description }) }
}

export function flagsOf({ pass }: ScriptParameter): readonly string[] {
  return 'flags' in pass ? pass.flags : []
}

/** An `Arguments:` section without a synopsis. */
function argumentsOf(readings: readonly UsageReading[]): readonly ScriptParameter[] | undefined {
  const told = readings.find(
    reading => reading.synopses.length === 0 && reading.parameters.some(({ pass }) => pass.as === 'positional'),
  )
  return told?.parameters.filter(({ pass }) => pass.as === 'positional')
}

/** The synopsis's positionals when it shows this command; nothing when it shows another. */
function positionalsFor(synopsis: UsageSynopsis, path: readonly string[]): readonly (readonly ScriptParameter[])[] {
  const positionals = synopsis.parameters.filter(({ pass }) => pass.as === 'positional')
  const words = synopsis.words
  const common = Math.min(words.length, path.length)
  if (words.slice(0, common).some((word, index) => word !== path[index])) return []
  if (words.length > path.length) {
    // `x.sh input output` names its arguments without brackets.
    const named = words.slice(path.length).map(word => placeholder(word, synopsis.line))
    return path.length === 0 ? [[...named, ...positionals]] : []
  }
  const missing = path.slice(words.length)
  const stands = missing.every((word, index) => standsFor(positionals[index], word))
  return stands ? [positionals.slice(missing.length)] : []
}

function standsFor(parameter: ScriptParameter | undefined, word: string): boolean {
  if (!parameter) return false
  const choices = parameter.schema.enum
  return Array.isArray(choices)
    ? choices.includes(word)
    : /^(?:command|cmd|action|subcommand|mode|operation)$/.test(parameter.name)
}

function placeholder(word: string, line: number): ScriptParameter {
  return {
    name: word.replace(/-/g, '_'),
    schema: { type: 'string' },
    required: true,
    level: 0,
    line,
    pass: { as: 'positional' },
  }
}

/** Several ways to call: the longest, where only what all of them show is required. */
function merged(lists: readonly (readonly ScriptParameter[])[]): readonly ScriptParameter[] {
  const [longest = []] = [...lists].sort((a, b) => b.length - a.length)
  const fewest = Math.min(...lists.map(list => list.length))
  return longest.map((parameter, index) => (index < fewest ? parameter : { ...parameter, required: false }))
}
