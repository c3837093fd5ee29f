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
  for (const example of examples) for (const one of readExample(example)) merge(parameters, one)
  if (parameters.size === 0) return []
  return [
    {
      convention: {
        type: 'command-line',
        command: [],
        parameters: [...parameters.values()],
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
const END = /\s(?:\||\|\||&&|&|;|#|\d?>{1,2}|<|\\?$)/

function findExamples(body: string, file: string): Example[] {
  const base = file.split('/').at(-1)!
  const lines = body.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap((text, index) => {
    const at = text.indexOf(base)
    const before = text[at - 1] ?? ' '
    const after = text[at + base.length] ?? ' '
    if (at < 0 || !/[\s/"'`]/.test(before) || !/[\s"']/.test(after)) return []
    // In prose only what stands between back-ticks is a command.
    const rest = text.slice(at + base.length).replace(/^["']/, '')
    const isQuoted = (text.slice(0, at).split('`').length - 1) % 2 === 1
    const command = isQuoted ? rest.split('`')[0]! : /^\s*(?:\$ |[\w./-]+ )*\S*$/.test(text.slice(0, at)) ? rest : ''
    return [{ words: splitWords(command.split(END)[0]!), line: index + 1 }]
  })
}

function readExample({ words, line }: Example): ScriptParameter[] {
  const found: ScriptParameter[] = []
  let position = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.replace(/^\[|\]$/g, '')
    const next = words[i + 1]
    if (/^-/.test(word) && !/^-{1,2}[A-Za-z][\w-]*(?:=|$)/.test(word)) return found
    const [flag = '', joined] = splitOnce(word, '=')
    if (!word.startsWith('-')) found.push(positional(word, ++position, line))
    else if (joined !== undefined) found.push(option(flag, joined, 'equals', line))
    else if (next !== undefined && !next.startsWith('-')) {
      found.push(option(flag, next.replace(/\]$/, ''), 'separate', line))
      i++
    } else
      found.push(parameter(propertyName(flag), { type: 'boolean' }, { as: 'switch', flags: [flag], when: true }, line))
  }
  return found
}

function option(flag: string, value: string, join: 'equals' | 'separate', line: number): ScriptParameter {
  const pass: ParameterPassing = { as: 'option', flags: [flag], join, refusesDashes: join === 'separate' }
  return parameter(propertyName(flag), exampleSchema(value), pass, line)
}

function positional(word: string, position: number, line: number): ScriptParameter {
  const placeholder = PLACEHOLDER.exec(word)
  const name = placeholder ? propertyName(word) : `argument_${position}`
  return parameter(name, exampleSchema(word), { as: 'positional' }, line)
}

/** `<input>`, `{file}`, `INPUT_FILE`: stands for a value, and is no example of one. */
const PLACEHOLDER = /^(?:<[^>]+>|\{[^}]+\}|\[[^\]]+\]|[A-Z][A-Z0-9_]+)$/

function exampleSchema(value: string): JsonSchema {
  return PLACEHOLDER.test(value) ? { type: 'string' } : { type: 'string', examples: [value] }
}

function parameter(name: string, schema: JsonSchema, pass: ParameterPassing, line: number): ScriptParameter {
  return { name, schema, required: false, level: 0, line, pass }
}

/** A flag that takes a value in one example takes one in all; further example values are kept, a few. */
function merge(parameters: Map<string, ScriptParameter>, one: ScriptParameter): void {
  const known = parameters.get(one.name)
  if (!known || (known.pass.as === 'switch' && one.pass.as === 'option')) {
    parameters.set(one.name, one)
    return
  }
  const examples = [...new Set([...examplesOf(known), ...examplesOf(one)])].slice(0, 3)
  if (examples.length > 0) parameters.set(one.name, { ...known, schema: { ...known.schema, examples } })
}

function examplesOf({ schema }: ScriptParameter): readonly string[] {
  return (schema['examples'] ?? []) as readonly string[]
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
