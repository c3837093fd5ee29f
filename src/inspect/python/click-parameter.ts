// One option or argument of click as a typed parameter.
import type { Json, JsonSchema, ParameterPassing } from '../../types.ts'
import type { ReadArgument } from './argparse-argument.ts'
import type { CliDoubt, CliParameter, CliType } from './cli-model.ts'
import { clickType } from './click-type.ts'
import { itemsOf } from './evaluate.ts'
import type { Machine } from './machine.ts'
import { isTrue, NONE, toJson, type Value } from './values.ts'

/** Reads a parameter; what could not be read is added to `doubts`. Undefined when there is nothing to pass. */
export function readCliParameter(
  parameter: CliParameter,
  machine: Machine,
  doubts: CliDoubt[],
): ReadArgument | undefined {
  const doubt = (message: string) => doubts.push({ message, at: parameter.at })
  if (parameter.doubt) doubt(parameter.doubt)
  const setting = (name: string): Value => parameter.settings.get(name) ?? NONE
  const fallback = setting('default')
  const type = clickType(setting('type'), fallback, machine)
  const names = parameter.form === 'option' ? optionNames(parameter.names) : argumentNames(parameter.names)
  if (!names) {
    doubt('A parameter has a name that could not be read.')
    return undefined
  }
  if (type === undefined) doubt(`The type of \`${names.dest}\` could not be read.`)
  const shape =
    parameter.form === 'option'
      ? optionShape(names, type ?? { schema: { type: 'string' } }, setting, doubt)
      : argumentShape(names.dest, type ?? { schema: { type: 'string' } }, setting, doubt)
  const initial = initialOf(fallback)
  if (initial === 'unknown') doubt(`The default of \`${names.dest}\` could not be read.`)
  const value = shape.initial ?? (initial === 'unknown' ? undefined : initial)
  const described = [helpOf(setting('help')), environmentOf(setting('envvar'))].filter(Boolean).join(' ')
  return {
    dest: names.dest,
    flags: [...names.primary, ...names.secondary],
    schema: {
      ...shape.schema,
      ...(value === undefined || value === null || isEmpty(value) || shape.constant ? {} : { default: value }),
      ...(described ? { description: described } : {}),
    },
    required: shape.required,
    pass: shape.pass,
    at: parameter.at,
  }
}

type Names = { readonly dest: string; readonly primary: readonly string[]; readonly secondary: readonly string[] }

type Shape = {
  readonly schema: JsonSchema
  readonly pass: ParameterPassing
  readonly required: boolean
  /** Default where click has one of its own. */
  readonly initial?: Json
  /** The default is no value of the property. */
  readonly constant?: boolean
}

/** `"name", "-n", "--name"`, `"--a/--no-a"`. */
function optionNames(names: readonly string[]): Names | undefined {
  const explicit = names.find(name => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
  const primary: string[] = []
  const secondary: string[] = []
  for (const name of names.filter(other => other !== explicit)) {
    const [yes = '', no] = name.split(name.startsWith('/') ? ';' : '/').map(part => part.trim())
    if (yes) primary.push(yes)
    if (no) secondary.push(no)
  }
  const [first] = longFirst([...primary, ...secondary])
  if (first === undefined || !/^-/.test(first)) return undefined
  // click prefers the longest prefix; among equals the first.
  const dest = explicit ?? first.replace(/^-+/, '').replaceAll('-', '_').toLowerCase()
  return { dest, primary: longFirst(primary), secondary: longFirst(secondary) }
}

function longFirst(flags: readonly string[]): string[] {
  return [...flags.filter(flag => flag.startsWith('--')), ...flags.filter(flag => !flag.startsWith('--'))]
}

function argumentNames([name]: readonly string[]): Names | undefined {
  return name ? { dest: name.replaceAll('-', '_').toLowerCase(), primary: [], secondary: [] } : undefined
}

type Setting = (name: string) => Value
type Doubting = (message: string) => void

function optionShape(names: Names, type: CliType, setting: Setting, doubt: Doubting): Shape {
  const { dest, primary, secondary } = names
  const given = (name: string) => setting(name).kind !== 'none'
  const [flag, multiple, count, wanted] = ['is_flag', 'multiple', 'count', 'required'].map(name =>
    isTrue(setting(name)),
  )
  if ([flag, multiple, count, wanted].includes(undefined)) doubt(`How \`${dest}\` is given could not be read.`)
  // With standard input closed, a question is as good as a missing value.
  const asks = isTrue(setting('prompt')) === true && setting('prompt_required').kind === 'none'
  const required = asks || (wanted === true && !given('default'))
  if (count) return { schema: { type: 'integer', minimum: 0 }, pass: { as: 'count', flags: primary }, required }

  const isFlag = flag === true || (!given('is_flag') && (given('flag_value') || secondary.length > 0))
  if (isFlag) {
    if (multiple) doubt(`\`${dest}\` can be given several times.`)
    return switchShape(names, setting, required, doubt)
  }
  const long = primary[0]?.startsWith('--') || (primary[0]?.length ?? 0) > 2
  const words = type.words ? { words: type.words } : {}
  const option = { as: 'option', flags: primary, join: long ? 'equals' : 'separate', ...words } as const
  const size = sizeOf(setting('nargs'), type)
  if (size === undefined || size < 1) doubt(`The number of values of \`${dest}\` could not be read.`)
  const isList = type.size !== undefined || (size !== undefined && size > 1)
  const one = isList ? listOf(type.schema, size ?? 1) : type.schema
  if (multiple) return { schema: { type: 'array', items: one }, pass: { ...option, list: 'repeat' }, required }
  if (isList) return { schema: one, pass: { ...option, list: 'spread' }, required }
  // Where the flag can stand alone, click takes a value that begins with a dash for the next flag.
  const mayStandAlone = given('flag_value') || given('prompt_required') || (given('is_flag') && !given('default'))
  if (mayStandAlone) doubt(`\`${dest}\` takes no value that begins with a dash.`)
  // `is_flag=False, flag_value=…`: the flag alone stands for a value of its own.
  if (given('flag_value'))
    return { schema: { anyOf: [one, { const: true }] }, pass: { ...option, bare: true }, required }
  return { schema: one, pass: option, required }
}

function switchShape(names: Names, setting: Setting, required: boolean, doubt: Doubting): Shape {
  const { dest, primary, secondary } = names
  const [opposite] = secondary
  const schema: JsonSchema = { type: 'boolean' }
  const value = setting('flag_value')
  const fallback = setting('default')
  if (value.kind !== 'none' && value.kind !== 'bool') {
    return { schema, pass: { as: 'switch', flags: primary, when: true }, required, constant: true }
  }
  const isOn = fallback.kind === 'bool' && fallback.value
  const when = value.kind === 'bool' ? value.value : true
  // Such a flag switches off before 8.2 of click and does nothing since.
  if (isOn && !opposite && value.kind === 'none') doubt(`\`${dest}\` is a flag that is on by default.`)
  if (primary.length === 0) return { schema, pass: { as: 'switch', flags: secondary, when: false }, required }
  return {
    schema,
    pass: { as: 'switch', flags: [...primary, ...secondary], when, ...(opposite ? { opposite } : {}) },
    required,
    ...(fallback.kind === 'none' && !required && !isTrue(setting('may_be_unset')) ? { initial: !when } : {}),
  }
}

function argumentShape(dest: string, type: CliType, setting: Setting, doubt: Doubting): Shape {
  const size = sizeOf(setting('nargs'), type)
  if (size === undefined) doubt(`The number of values of \`${dest}\` could not be read.`)
  const wanted = setting('required')
  const said = isTrue(wanted)
  if (said === undefined) doubt(`Whether \`${dest}\` is required could not be read.`)
  const hasDefault = setting('default').kind !== 'none'
  const required = wanted.kind === 'none' ? !hasDefault && (size ?? 1) > 0 : said === true && !hasDefault
  const words = type.words ? { words: type.words } : {}
  const pass: ParameterPassing = { as: 'positional', ...words }
  if (size === -1) {
    const schema = { type: 'array', items: type.schema, ...(required ? { minItems: 1 } : {}) }
    return { schema, pass, required }
  }
  const isList = type.size !== undefined || (size ?? 1) > 1
  return { schema: isList ? listOf(type.schema, size ?? 1) : type.schema, pass, required }
}

function sizeOf(nargs: Value, type: CliType): number | undefined {
  if (nargs.kind === 'none') return type.size ?? 1
  return nargs.kind === 'int' ? nargs.value : undefined
}

function listOf(items: JsonSchema, size: number): JsonSchema {
  return { type: 'array', items, minItems: size, maxItems: size }
}

/** The default as JSON, nothing when it has no such form, or `unknown`. */
export function initialOf(value: Value): Json | undefined | 'unknown' {
  switch (value.kind) {
    case 'unknown':
      return 'unknown'
    case 'runtime':
      return value.fallback ? initialOf(value.fallback) : undefined
    case 'enum-member':
      return initialOf(value.value)
    case 'list':
    case 'tuple': {
      const items = itemsOf(value)?.map(initialOf)
      return !items || items.includes('unknown') ? 'unknown' : items.includes(undefined) ? undefined : (items as Json[])
    }
    default:
      return toJson(value)
  }
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) && value.length === 0
}

function helpOf(help: Value): string {
  return help.kind === 'str' ? help.value.replace(/\s+/g, ' ').trim() : ''
}

function environmentOf(variable: Value): string {
  const names = (itemsOf(variable.kind === 'str' ? { kind: 'tuple', items: [variable], born: 0 } : variable) ?? [])
    .map(name => (name.kind === 'str' ? name.value : ''))
    .filter(Boolean)
  return names.length > 0 ? `Default: the environment variable ${names.join(' or ')}, when it is set.` : ''
}
