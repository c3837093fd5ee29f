// Usage texts, in any language's scripts: what they say of parameters. The text may be out of date, so the readers of
// a language trust their own findings first, and take names, descriptions and choices from here.

import type { Json, JsonSchema, ScriptParameter } from '../types.ts'
import { firstParagraph } from './paragraph.ts'
import { propertyName } from './property-name.ts'
import { withUniqueNames } from './unique-names.ts'
import { sortUsageLines, type UsageLine, type UsageLines } from './usage-lines.ts'
import { readOptionLine } from './usage-option-line.ts'
import { readSynopsis, type SynopsisItem } from './usage-synopsis.ts'
import { valueSchema } from './usage-value.ts'

export type UsageReading = {
  /** Of the first synopsis and of all option lines. */
  readonly parameters: readonly ScriptParameter[]
  /** False when the text points to options that it does not tell, or shows several different ways to call. */
  readonly complete: boolean
  /** Every way to call that the text shows. */
  readonly synopses: readonly UsageSynopsis[]
  /** Commands that a `Commands:` section describes. */
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  /** What stands above the synopsis. */
  readonly description?: string
}

export type UsageSynopsis = {
  /** Words to be typed as they stand, before any parameter. */
  readonly words: readonly string[]
  readonly parameters: readonly ScriptParameter[]
  readonly complete: boolean
  readonly line: number
}

/** Reads a usage text whose first line is `line` of the file; undefined when it says nothing about parameters. */
export function parseUsage(text: string, line: number): UsageReading | undefined {
  const lines = sortUsageLines(text.replace(/\\?\u001b\[[0-9;]*m|\\(?:033|e|x1b)\[[0-9;]*m/g, ''), line)
  const options = lines.options.flatMap(optionParameter)
  const synopses = lines.synopses.map(synopsis => readOne(synopsis, lines, options)).filter(isNoHelp)
  const commands = lines.commands.flatMap(commandLine)
  const [first, ...others] = synopses
  if (!first && options.length === 0 && lines.arguments.length === 0) return undefined

  const described = first?.parameters ?? lines.arguments.flatMap(argumentParameter)
  const parameters = [...described, ...options.filter(option => !described.some(other => sameFlag(other, option)))]
  const description = firstParagraph(lines.intro.join('\n'))
  return {
    parameters,
    complete: first?.complete === true && others.every(other => sameShape(other, first)),
    synopses,
    commands,
    ...(description === undefined ? {} : { description }),
  }
}

function readOne(synopsis: UsageLine, lines: UsageLines, options: readonly ScriptParameter[]): UsageSynopsis {
  const items = readSynopsis(synopsis.text)
  const start = items.findIndex(item => item.type !== 'word')
  const words = items.slice(0, start < 0 ? undefined : start).flatMap(item => (item.type === 'word' ? [item.text] : []))
  const rest = start < 0 ? [] : items.slice(start)
  const told = lines.arguments.flatMap(argumentParameter)
  const parameters = rest.flatMap(item => itemParameter(item, synopsis.line, told, options))
  const pointsElsewhere = rest.some(item => item.type === 'options') && options.length === 0
  return {
    words,
    parameters: withUniqueNames(parameters),
    complete: !pointsElsewhere && !rest.some(item => item.type === 'word'),
    line: synopsis.line,
  }
}

function itemParameter(
  item: SynopsisItem,
  line: number,
  told: readonly ScriptParameter[],
  options: readonly ScriptParameter[],
): readonly ScriptParameter[] {
  if (item.type === 'options') return []
  if (item.type === 'option') {
    const own = optionFrom({ ...item, description: '' }, line, item.required)
    if (!own) return []
    const known = options.find(option => sameFlag(option, own))
    return [known ? { ...known, required: item.required || known.required } : own]
  }
  const name = item.type === 'word' ? propertyName(item.text) : nameOf(item)
  if (name === '') return []
  const known = told.find(parameter => parameter.name === name)
  const choices = item.type === 'positional' ? item.choices : undefined
  const initial = item.type === 'positional' ? item.initial : undefined
  const value = { ...valueSchema(choices ? choices.join('|') : name, '', initial), ...known?.schema }
  const repeated = item.type === 'positional' && item.repeated
  return [
    {
      name,
      schema: repeated ? listOf(value) : value,
      required: item.type === 'word' || item.required,
      level: 0,
      line,
      pass: { as: 'positional' },
    },
  ]
}

/** A choice has no name of its own. */
function nameOf(item: Extract<SynopsisItem, { type: 'positional' }>): string {
  if (item.choices) return 'choice'
  return propertyName(item.text.includes('|') ? item.text.split(/\s*\|\s*/).join('_or_') : item.text)
}

function listOf(item: JsonSchema): JsonSchema {
  const { description, default: _, ...rest } = item as Record<string, Json>
  return { type: 'array', items: rest, ...(description === undefined ? {} : { description }) }
}

function optionParameter(line: UsageLine): readonly ScriptParameter[] {
  const read = readOptionLine(line.text)
  if (!read) return []
  const parameter = optionFrom(
    read,
    line.line,
    /\(required\)|\[required\]|^required\b|\brequired\.?$/i.test(read.description),
  )
  return parameter ? [parameter] : []
}

function optionFrom(
  option: { flags: readonly string[]; value?: string; description: string },
  line: number,
  required: boolean,
): ScriptParameter | undefined {
  const flags = [...option.flags].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  if (flags.some(flag => flag === '--help') || (flags.length === 1 && flags[0] === '-h')) return undefined
  if (flags.includes('--version') && option.value === undefined) return undefined
  const name = propertyName(flags[0] ?? '')
  if (name === '') return undefined
  const { value, description } = option
  if (value === undefined) {
    const schema = { type: 'boolean', ...(description ? { description } : {}) }
    return { name, schema, required: false, level: 0, line, pass: { as: 'switch', flags, when: true } }
  }
  const placeholder = value.replace(/^[<[]|[\]>]$/g, '')
  const repeats =
    /\b(?:repeatable|can be (?:used|given|repeated|specified) (?:multiple|several|many) times|multiple allowed)/i.test(
      description,
    )
  const schema = valueSchema(placeholder, description)
  return {
    name,
    schema: repeats ? listOf(schema) : schema,
    required,
    level: 0,
    line,
    pass: { as: 'option', flags, join: 'separate', ...(repeats ? { list: 'repeat' as const } : {}) },
  }
}

/** `  <input>   the file to read (optional)`, `  $1 - the file`. */
function argumentParameter(line: UsageLine): readonly ScriptParameter[] {
  const found = /^\s*[*•-]?\s*[`<[]?([\w$][\w |-]*?)(?:\.\.\.)?[`>\]]*(?:\s{2,}|\t|\s*[:–—]\s+|\s+-\s+)(.+)$/.exec(
    line.text,
  )
  if (!found) return []
  const [, label = '', description = ''] = found
  const name = propertyName(label.replace(/^\$/, 'arg_'))
  const schema = valueSchema(name, description.trim())
  const required = !/optional|default/i.test(description) && !line.text.trim().startsWith('[')
  return [{ name, schema, required, level: 0, line: line.line, pass: { as: 'positional' } }]
}

function commandLine(line: UsageLine): readonly { name: string; description: string }[] {
  const found = /^\s*[*•-]?\s*`?([a-z][\w:-]*)(?:[ |,][^\n]*?)??`?(?:\s{2,}|\t|\s*[:–—]\s+|\s+-\s+)(\S.*)$/.exec(
    line.text,
  )
  return found
    ? [
        {
          name: found[1]!,
          description: found[2]!
            .replace(/^[<[].*?\s{2,}/, '')
            .replace(/\s+/g, ' ')
            .trim(),
        },
      ]
    : []
}

function sameFlag(a: ScriptParameter, b: ScriptParameter): boolean {
  const flagsOf = ({ pass }: ScriptParameter) => ('flags' in pass ? pass.flags : [])
  return flagsOf(a).some(flag => flagsOf(b).includes(flag))
}

function sameShape(a: UsageSynopsis, b: UsageSynopsis): boolean {
  const names = (synopsis: UsageSynopsis) =>
    [...synopsis.words, ...synopsis.parameters.map(({ name }) => name)].join(' ')
  return names(a) === names(b)
}

/** `x.sh --help` is a way to call that no tool needs. */
function isNoHelp(synopsis: UsageSynopsis, _: number, all: readonly UsageSynopsis[]): boolean {
  return all.length === 1 || synopsis.words.length + synopsis.parameters.length > 0
}
