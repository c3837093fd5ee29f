// One `add_argument` call as a typed parameter.
import type { BooleanWords, Json, JsonSchema, ParameterPassing } from '../../types.ts'
import { destOf } from './argparse-calls.ts'
import type { Doubt, ParserArgument, ParserModel } from './argparse-model.ts'
import { argumentType, choiceText } from './argparse-type.ts'
import { itemsOf } from './evaluate.ts'
import { expandHelp } from './help-text.ts'
import type { Machine } from './machine.ts'
import { isTooBig, isTrue, NONE, toJson, type Value } from './values.ts'

export type ReadArgument = {
  readonly dest: string
  readonly flags: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
  readonly pass: ParameterPassing
  readonly exclusive?: number
  readonly at: number
}

/** Reads an argument; what could not be read is added to `doubts`. Undefined for `--help` and `--version`. */
export function readArgument(
  argument: ParserArgument,
  parser: ParserModel,
  machine: Machine,
  doubts: Doubt[],
): ReadArgument | undefined {
  const doubt = (message: string) => doubts.push({ message, at: argument.at })
  const option = (name: string): Value => argument.options.get(name) ?? NONE
  const dest = destOf(argument, parser)
  if (dest === undefined) {
    doubt('An argument has a `dest` that could not be read.')
    return undefined
  }
  const action = actionOf(option('action'))
  if (action === 'help' || action === 'version') return undefined
  if (action === undefined) doubt(`The action of \`${dest}\` could not be read.`)
  const isFlag = parser.prefixChars.includes(argument.names[0]?.charAt(0) ?? '')
  const flags = isFlag ? preferLong(argument.names, action === 'boolean') : []
  const nargs = nargsOf(option('nargs'))
  if (nargs === undefined) doubt(`The number of values of \`${dest}\` could not be read.`)

  const type = argumentType(option('type'), machine)
  if (type === undefined) doubt(`The type of \`${dest}\` could not be read.`)
  const choices = choicesOf(option('choices'), option('type'), machine)
  if (choices === undefined) doubt(`The choices of \`${dest}\` could not be read.`)
  const given = argument.options.get('default') ?? parser.defaults.get(dest) ?? parser.argumentDefault ?? NONE
  const fallback = isConstant(action) && given.kind !== 'bool' ? NONE : given
  const shape = shapeOf(
    action ?? 'store',
    nargs ?? null,
    item(type?.schema ?? { type: 'string' }, choices ?? null),
    flags,
    {
      bare: toJson(option('const')),
      ...(type?.words ? { words: type.words } : {}),
    },
  )
  if (!shape) {
    doubt(`\`${dest}\` takes the rest of the command line and was left out.`)
    return undefined
  }
  const initial = defaultOf(fallback, shape.schema)
  if (initial === 'unknown') doubt(`The default of \`${dest}\` could not be read.`)
  const required = isFlag ? isTrue(option('required')) : nargs !== '?' && nargs !== '*' && nargs !== '...'
  if (required === undefined) doubt(`Whether \`${dest}\` is required could not be read.`)
  const description = expandHelp(option('help'), {
    fallback: fallback.kind === 'runtime' ? undefined : initial,
    choices,
  })
  const words = [description, computedDefault(fallback, initial)].filter(Boolean).join(' ')
  return {
    dest,
    flags,
    schema: {
      ...shape.schema,
      ...(typeof initial === 'object' && initial.value !== undefined
        ? { default: initial.value }
        : switchDefault(action, fallback)),
      ...(words ? { description: words } : {}),
    },
    required: required ?? false,
    pass: shape.pass,
    ...(argument.exclusive === undefined ? {} : { exclusive: argument.exclusive }),
    at: argument.at,
  }
}

type Action =
  | 'store'
  | 'true'
  | 'false'
  | 'const'
  | 'append'
  | 'append_const'
  | 'extend'
  | 'count'
  | 'boolean'
  | 'help'
  | 'version'

function actionOf(value: Value): Action | undefined {
  if (value.kind === 'none') return 'store'
  if (value.kind === 'external') return ACTION_CLASSES[value.path]
  // An action of the script's own stores in its own way; the command line is that of the action it is made from.
  if (value.kind === 'class') {
    const [base] = value.bases
    if (!base || value.bases.length > 1 || value.members.has('__init__')) return undefined
    if (base.kind === 'external' && base.path === 'argparse.Action') return 'store'
    return actionOf(base)
  }
  if (value.kind !== 'str') return undefined
  return ACTIONS[value.value]
}

const ACTIONS: Record<string, Action> = {
  store: 'store',
  store_true: 'true',
  store_false: 'false',
  store_const: 'const',
  append: 'append',
  append_const: 'append_const',
  extend: 'extend',
  count: 'count',
  help: 'help',
  version: 'version',
}

const ACTION_CLASSES: Record<string, Action> = {
  'argparse.BooleanOptionalAction': 'boolean',
  'argparse._StoreAction': 'store',
  'argparse._StoreTrueAction': 'true',
  'argparse._StoreFalseAction': 'false',
  'argparse._AppendAction': 'append',
  'argparse._ExtendAction': 'extend',
  'argparse._CountAction': 'count',
  'argparse._HelpAction': 'help',
  'argparse._VersionAction': 'version',
}

/** The long spelling first; `--no-x` is added by argparse itself. */
function preferLong(names: readonly string[], negatable: boolean): string[] {
  const isLong = (name: string) => name.length > 2 && name.charAt(0) === name.charAt(1)
  const ordered = [...names.filter(isLong), ...names.filter(name => !isLong(name))]
  if (!negatable) return ordered
  return [...ordered, ...ordered.filter(name => name.startsWith('--')).map(name => `--no-${name.slice(2)}`)]
}

type Nargs = null | number | '?' | '*' | '+' | '...'

function nargsOf(value: Value): Nargs | undefined {
  if (value.kind === 'none') return null
  if (value.kind === 'int') return value.value
  if (value.kind !== 'str') return undefined
  return ['?', '*', '+', '...'].includes(value.value) ? (value.value as Nargs) : undefined
}

function choicesOf(value: Value, type: Value, machine: Machine): readonly Json[] | null | undefined {
  if (value.kind === 'none') return null
  const items = itemsOf(value)?.map(choice => choiceText(choice, type, machine))
  return !items || items.includes(undefined) ? undefined : (items as Json[])
}

const LONG_RANGE = 50

function item(schema: JsonSchema, choices: readonly Json[] | null): JsonSchema {
  if (!choices) return schema
  const isRange = choices.length > LONG_RANGE && choices.every((choice, index) => choice === Number(choices[0]) + index)
  if (isRange) return { ...schema, minimum: choices[0] ?? 0, maximum: choices.at(-1) ?? 0 }
  return { ...schema, enum: [...new Set(choices)] }
}

type Shape = { readonly schema: JsonSchema; readonly pass: ParameterPassing }

function shapeOf(
  action: Action,
  nargs: Nargs,
  one: JsonSchema,
  flags: readonly string[],
  extra: { readonly bare: Json | undefined; readonly words?: BooleanWords },
): Shape | undefined {
  const words = extra.words ? { words: extra.words } : {}
  const option = { as: 'option', flags, join: 'equals', ...words } as const
  switch (action) {
    case 'true':
    case 'const':
    case 'append_const':
      return { schema: { type: 'boolean' }, pass: { as: 'switch', flags, when: true } }
    case 'false':
      return { schema: { type: 'boolean' }, pass: { as: 'switch', flags, when: false } }
    case 'boolean': {
      const opposite = flags.find(flag => flag.startsWith('--no-'))
      return {
        schema: { type: 'boolean' },
        pass: { as: 'switch', flags, when: true, ...(opposite ? { opposite } : {}) },
      }
    }
    case 'count':
      return { schema: { type: 'integer', minimum: 0 }, pass: { as: 'count', flags } }
    case 'append': {
      const each = nargs === null || nargs === '?' ? one : listOf(one, nargs)
      return { schema: { type: 'array', items: each }, pass: { ...option, list: 'repeat' } }
    }
  }
  if (nargs === '...') return flags.length > 0 ? undefined : { schema: listOf(one, nargs), pass: { as: 'rest' } }
  const isList = nargs !== null && nargs !== '?'
  const schema = isList ? listOf(one, nargs) : one
  // Each item with its own flag adds up to the same list, and lets items begin with `-`.
  if (action === 'extend' && (nargs === '+' || nargs === '*')) return { schema, pass: { ...option, list: 'repeat' } }
  if (flags.length === 0) return { schema, pass: { as: 'positional', ...words } }
  if (isList) return { schema, pass: { ...option, list: 'spread' } }
  if (nargs !== '?' || extra.bare === undefined || extra.bare === null || extra.bare === '')
    return { schema, pass: option }
  // `--flag` alone means the constant. When the constant has the value's own type, saying it is the same.
  if (typeof extra.bare === jsonType(one)) return { schema, pass: option }
  return { schema: { anyOf: [one, { const: true }] }, pass: { ...option, bare: true } }
}

function jsonType(schema: JsonSchema): string {
  return schema['type'] === 'integer' ? 'number' : String(schema['type'])
}

function listOf(items: JsonSchema, nargs: Exclude<Nargs, null | '?'>): JsonSchema {
  if (typeof nargs === 'number') return { type: 'array', items, minItems: nargs, maxItems: nargs }
  return { type: 'array', items, ...(nargs === '+' ? { minItems: 1 } : {}) }
}

/** The default as JSON, nothing when it has no such form, or `unknown`. */
function defaultOf(value: Value, schema: JsonSchema): { readonly value?: Json } | 'unknown' {
  if (value.kind === 'unknown') return 'unknown'
  if (value.kind === 'runtime') return value.fallback ? defaultOf(value.fallback, schema) : {}
  if (value.kind === 'enum-member') return defaultOf(value.value, schema)
  const json = toJson(value)
  if (json === undefined) return hasUnknown(value) ? 'unknown' : {}
  if (json === null || json === '==SUPPRESS==') return {}
  // argparse converts defaults that are strings.
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number'
  if (typeof json === 'string' && isNumber && json.trim() !== '' && Number.isFinite(Number(json)))
    return { value: Number(json) }
  return { value: json }
}

function hasUnknown(value: Value): boolean {
  if (value.kind === 'unknown' || isTooBig(value)) return true
  if (value.kind === 'dict')
    return Boolean(value.open) || [...value.entries.values()].some(([, item]) => hasUnknown(item))
  if (value.kind !== 'list' && value.kind !== 'tuple' && value.kind !== 'set') return false
  return Boolean(value.open) || value.items.some(hasUnknown)
}

/** A switch that says nothing of its default is off. */
function switchDefault(action: Action | undefined, fallback: Value): { default?: Json } {
  if (fallback.kind !== 'none') return {}
  return action === 'true' ? { default: false } : action === 'false' ? { default: true } : {}
}

/** Such a switch stands for a constant; to us it is given or not. */
function isConstant(action: Action | undefined): boolean {
  return action === 'const' || action === 'append_const'
}

/** Says where a default comes from that the schema cannot name. */
function computedDefault(value: Value, initial: { readonly value?: Json } | 'unknown'): string | undefined {
  if (value.kind === 'none' || value.kind === 'str' || initial === 'unknown') return undefined
  if (value.kind === 'runtime' && value.from) return `Default: the environment variable ${value.from}, when it is set.`
  if (value.kind === 'runtime' && value.fallback) return undefined
  return initial.value === undefined ? 'Default: computed by the script.' : undefined
}
