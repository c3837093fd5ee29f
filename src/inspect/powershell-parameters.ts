// The `param (…)` block of a PowerShell script.
import type { Json, JsonSchema, ParameterPassing, ScriptParameter } from '../types.ts'
import type { InspectionNote } from './inspection.ts'
import { propertyName } from './property-name.ts'
import { withoutMarked } from './source-code.ts'
import { lineAt, type SourceItem, splitArguments, stringText } from './split-arguments.ts'

export type ParameterBlock = {
  readonly parameters: readonly ScriptParameter[]
  readonly gaps: readonly InspectionNote[]
}

/** What may stand before the block: line comments, `using`, and attributes of the script. */
const BEFORE =
  /^(?:\s|#[^\n]*|using\s[^\n]*|\[(?:CmdletBinding|OutputType|Diagnostics\.[\w.]+)\b[^\]]*\])*param\s*(?=\()/i
const INTEGER = /^(?:u?int(?:16|32|64)?|long|short|byte|System\.Int(?:16|32|64))$/i
const NUMBER = /^(?:double|float|single|decimal)$/i
/** `-Name -Force` gives `-Force` to the shell and not to the parameter. */
const NO_DASH = '^(?:[^-]|$)'

/** Reads the block; undefined when the script has none. `describe` tells the help text of a parameter. */
export function readParameterBlock(
  text: string,
  describe: (name: string) => string | undefined,
): ParameterBlock | undefined {
  const start = BEFORE.exec(withoutMarked(text, '<#', '#>'))?.[0].length
  if (start === undefined) return undefined
  const block = splitArguments(text, start, '`')
  if (!block)
    return { parameters: [], gaps: [{ message: 'Has a param block without its end', line: lineAt(text, start) }] }
  const gaps: InspectionNote[] = []
  const parameters = block.items.flatMap(item => readOne(item, lineAt(text, item.offset), describe, gaps))
  return { parameters, gaps }
}

function readOne(
  item: SourceItem,
  line: number,
  describe: (name: string) => string | undefined,
  gaps: InspectionNote[],
): readonly ScriptParameter[] {
  const attributes: string[] = []
  let rest = item.text
  for (;;) {
    const found = /^\s*\[((?:[^[\]"']|"[^"]*"|'[^']*'|\[[^\]]*\])*)\]/.exec(rest)
    if (!found) break
    attributes.push(found[1]!.trim())
    rest = rest.slice(found[0].length)
  }
  const found = /^\s*\$(\w+)\s*(?:=\s*([\s\S]+))?$/.exec(rest)
  if (!found) {
    gaps.push({ message: 'Declares a parameter in a way that could not be read', line })
    return []
  }
  const [, variable = '', initial] = found
  const type = attributes.find(attribute => /^[\w.]+(?:\[\])?$/.test(attribute))?.replace(/^System\./i, '') ?? 'string'
  const parameter = attributes.find(attribute => /^Parameter\s*\(/i.test(attribute)) ?? ''
  if (/ParameterSetName/i.test(parameter))
    gaps.push({ message: `Takes ${variable} in one set of parameters only`, line })
  if (/\[\]$|^(?:hashtable|scriptblock|psobject|object|bool|boolean|securestring|pscredential)$/i.test(type)) {
    gaps.push({ message: `Takes ${variable} as ${type}, which a command line cannot give whole`, line })
  }
  const flags = [`-${variable}`]
  const isSwitch = /^switch$/i.test(type)
  const pass: ParameterPassing = isSwitch
    ? { as: 'switch', flags, when: true }
    : { as: 'option', flags, join: 'separate' }
  const description = describe(variable)
  const schema = {
    ...(isSwitch ? { type: 'boolean' } : valueSchema(type, attributes, initial?.trim())),
    ...(description === undefined ? {} : { description }),
  }
  const required = /\bMandatory\b(?!\s*=\s*\$?false)/i.test(parameter)
  return [{ name: propertyName(variable), schema, required, level: 0, line, pass }]
}

function valueSchema(type: string, attributes: readonly string[], initial: string | undefined): JsonSchema {
  const kind = INTEGER.test(type) ? 'integer' : NUMBER.test(type) ? 'number' : 'string'
  const choices = argumentsOf(attributes, 'ValidateSet')?.flatMap(
    item => stringText(item) ?? (/^-?\d+$/.test(item) ? item : []),
  )
  const [least, most] = argumentsOf(attributes, 'ValidateRange')?.map(Number) ?? []
  const value = literal(kind, initial)
  const enumeration = choices && choices.length > 0 ? (kind === 'string' ? choices : choices.map(Number)) : undefined
  return {
    type: kind,
    ...(enumeration ? { enum: enumeration } : kind === 'string' ? { pattern: NO_DASH } : {}),
    ...(least === undefined || Number.isNaN(least) ? {} : { minimum: least }),
    ...(most === undefined || Number.isNaN(most) ? {} : { maximum: most }),
    ...(value === undefined ? {} : { default: value }),
  }
}

function argumentsOf(attributes: readonly string[], name: string): readonly string[] | undefined {
  const found = attributes.find(attribute => attribute.toLowerCase().startsWith(`${name.toLowerCase()}(`))
  return found === undefined ? undefined : splitArguments(found, name.length, '`')?.items.map(item => item.text)
}

function literal(kind: string, initial: string | undefined): Json | undefined {
  if (initial === undefined) return undefined
  if (kind !== 'string') return /^-?\d+(?:\.\d+)?$/.test(initial) ? Number(initial) : undefined
  return stringText(initial) || undefined
}
