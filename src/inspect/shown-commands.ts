// How SKILL.md calls a script: the last resort for scripts that tell nothing themselves. Examples show what is possible, not
// what is required, so that what comes of them is always partial.
import { splitWords } from '../text/split-words.ts'
import type { JsonSchema, ParameterPassing, ScriptParameter } from '../types.ts'
import type { InspectedCommand } from './inspection.ts'
import { propertyName } from './property-name.ts'

type Example = { readonly words: readonly string[]; readonly line: number }

/** One command with every flag and position that the text shows for the script; none when it shows no arguments. */
export function readShownCommands(body: string, file: string): readonly InspectedCommand[] {
  const examples = findExamples(body, file).slice(0, MAX_EXAMPLES)
  const parameters = new Map<string, ScriptParameter>()
  for (const example of examples) for (const [key, one] of readExample(example)) merge(parameters, key, one)
  if (parameters.size === 0) return []
  return [
    {
      convention: {
        type: 'command-line',
        command: [],
        parameters: distinct([...parameters.values()]),
        exclusive: [],
        dashes: 'refuse',
        open: true,
      },
      line: examples[0]!.line,
    },
  ]
}

const MAX_EXAMPLES = 50
/** Where the arguments of a shown command end. */
const END = /\s(?:\||&|;|#|\d?>|<(?![\w -]+>))/

function findExamples(body: string, file: string): Example[] {
  const base = file.split('/').at(-1)!
  const examples: Example[] = []
  let isFenced = false
  for (const { text, line } of joinedLines(body)) {
    if (/^\s*(?:```|~~~)/.test(text)) isFenced = !isFenced
    const at = text.indexOf(base)
    if (at < 0 || !/[\s/"'`]/.test(text[at - 1] ?? ' ') || !/[\s"']/.test(text[at + base.length] ?? ' ')) continue
    const rest = text.slice(at + base.length).replace(/^["']/, '')
    // In prose only what stands between back-ticks is a command.
    const isQuoted = (text.slice(0, at).split('`').length - 1) % 2 === 1
    if (isQuoted) examples.push({ words: splitWords(rest.split('`')[0]!.split(END)[0]!), line })
    else if (isFenced || /^(?: {4}|\t)/.test(text)) examples.push({ words: splitWords(rest.split(END)[0]!), line })
  }
  return examples
}

/** Lines with those that a backslash continues, numbered from 1. */
function joinedLines(body: string): { readonly text: string; readonly line: number }[] {
  const joined: { text: string; line: number }[] = []
  let isOpen = false
  for (const [index, text] of body.split(/\r?\n/).entries()) {
    if (isOpen) joined.at(-1)!.text += ` ${text.trim().replace(/\\$/, '')}`
    else joined.push({ text: text.replace(/\\$/, ''), line: index + 1 })
    isOpen = text.endsWith('\\')
  }
  return joined
}

/** What one example shows, by flag or by position. */
function readExample({ words, line }: Example): [key: string, ScriptParameter][] {
  const found: [string, ScriptParameter][] = []
  let position = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.replace(/^\[|\]$/g, '')
    const [flag = '', joined] = splitOnce(word, '=')
    if (!word.startsWith('-')) {
      const key = `argument_${++position}`
      const name = (PLACEHOLDER.test(word) && propertyName(word)) || key
      found.push([key, parameter(name, exampleSchema(word), { as: 'positional' }, line)])
      continue
    }
    if (!/^-{1,2}[A-Za-z][\w-]*$/.test(flag)) return found
    const next = words[i + 1]?.replace(/\]$/, '')
    const takesNext = joined === undefined && next !== undefined && !/^[[-]/.test(next)
    if (takesNext) i++
    const value = joined ?? (takesNext ? next : undefined)
    const pass: ParameterPassing =
      value === undefined
        ? { as: 'switch', flags: [flag], when: true }
        : { as: 'option', flags: [flag], join: takesNext ? 'separate' : 'equals', refusesDashes: takesNext }
    const schema = value === undefined ? { type: 'boolean' } : exampleSchema(value)
    found.push([flag, parameter(propertyName(flag), schema, pass, line)])
  }
  return found
}

/** `<input>`, `{file}`, `INPUT_FILE`: stands for a value, and is no example of one. */
const PLACEHOLDER = /^(?:<[^>]+>|\{[^}]+\}|\[[^\]]+\]|[A-Z][A-Z0-9_]+)$/

function exampleSchema(value: string): JsonSchema {
  return PLACEHOLDER.test(value) ? { type: 'string' } : { type: 'string', examples: [value] }
}

function parameter(name: string, schema: JsonSchema, pass: ParameterPassing, line: number): ScriptParameter {
  return { name, schema, required: false, level: 0, line, pass }
}

/** A flag that takes a value in one example takes one in all; a placeholder names a position better than its number. */
function merge(parameters: Map<string, ScriptParameter>, key: string, one: ScriptParameter): void {
  const known = parameters.get(key) ?? one
  const base = known.pass.as === 'switch' ? one : known
  const name = known.name === key ? one.name : known.name
  const examples = [...new Set([...examplesOf(known), ...examplesOf(one)])].slice(0, 3)
  const schema = examples.length > 0 ? { ...base.schema, examples } : base.schema
  parameters.set(key, { ...base, name, schema })
}

/** A flag and a placeholder may have the same name; the first keeps it. */
function distinct(parameters: readonly ScriptParameter[]): ScriptParameter[] {
  return parameters.filter((one, i) => parameters.findIndex(other => other.name === one.name) === i)
}

function examplesOf({ schema }: ScriptParameter): readonly string[] {
  return (schema['examples'] ?? []) as readonly string[]
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
