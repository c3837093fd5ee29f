// What fire makes of a function, a class, an object or a dict.
import type { Json, JsonSchema, ParameterPassing } from '../../types.ts'
import type { InspectedCommand } from '../inspection.ts'
import { type Aliases, type Annotation, readAnnotation } from './annotation.ts'
import type { ReadArgument } from './argparse-argument.ts'
import type { ReadCommands } from './argparse-commands.ts'
import { memberOf } from './attributes.ts'
import type { CliDoubt } from './cli-model.ts'
import { docOf, signatureOf } from './click-calls.ts'
import { type Level, toCommand } from './click-commands.ts'
import { initialOf } from './click-parameter.ts'
import { describedParameters } from './docstring-parameters.ts'
import { evaluate } from './evaluate.ts'
import type { Machine } from './machine.ts'
import type { Parameter } from './syntax.ts'
import { type ClassValue, type FunctionValue, toJson, type Value } from './values.ts'

export type FireContext = {
  readonly machine: Machine
  readonly aliases: Aliases
  readonly lineAt: (offset: number) => number
  readonly at: number
}

const DEEPEST = 5

/** Commands of `fire.Fire(component)`. */
export function fireCommands(component: Value, context: FireContext): ReadCommands {
  const doubts: CliDoubt[] = []
  const commands: InspectedCommand[] = []
  const doubt = (message: string, at = context.at) => doubts.push({ message, at })
  const visit = (value: Value, word: string, above: readonly Level[]) => {
    if (above.length > DEEPEST) return
    const before = doubts.length
    const { parameters, children, description, at } = describeComponent(value, context, doubt)
    const doubtful = doubts.length > before
    const level = { word, ...(description ? { description } : {}), parameters, doubtful, at }
    const levels = [...above, level]
    const seen = new Set(above.flatMap(other => other.parameters.map(({ dest }) => dest)))
    if (parameters.some(({ dest }) => seen.has(dest))) doubt('A flag is that of two levels.', at)
    if (children.length === 0) commands.push(toCommand(levels, 'refuse', context.lineAt))
    for (const child of children) visit(child.value, child.name, levels)
  }
  visit(component, '', [])
  const notes = [...new Map(doubts.map(one => [one.message, one])).values()]
  return { commands, notes: notes.map(({ message, at }) => ({ message, line: context.lineAt(at) })) }
}

type Component = {
  readonly parameters: readonly ReadArgument[]
  readonly children: readonly { readonly name: string; readonly value: Value }[]
  readonly description?: string | undefined
  readonly at: number
}

type Doubting = (message: string, at?: number) => void

function describeComponent(value: Value, context: FireContext, doubt: Doubting): Component {
  switch (value.kind) {
    case 'function': {
      const at = 'definition' in value.body && !value.scope.foreign ? value.body.definition.at : context.at
      return { parameters: parametersOf(value, context, doubt), children: [], description: docOf(value), at }
    }
    case 'class': {
      const initialise = memberOf(value, '__init__')
      const parameters = initialise?.kind === 'function' ? parametersOf(initialise, context, doubt) : []
      if (!initialise && value.fields.length > 0) doubt('The fields of the class are flags, too.')
      return { parameters, children: methodsOf(value, doubt), at: context.at }
    }
    case 'instance':
      return { parameters: [], children: methodsOf(value.of, doubt), at: context.at }
    case 'dict': {
      if (value.open) doubt('Some commands could not be read.')
      const children = [...value.entries.values()].flatMap(([key, item]) =>
        key.kind === 'str' ? [{ name: key.value, value: item }] : [],
      )
      return { parameters: [], children, at: context.at }
    }
    default:
      doubt('What fire is given could not be read.')
      return { parameters: [], children: [], at: context.at }
  }
}

function methodsOf(of: ClassValue, doubt: Doubting): Component['children'] {
  if (of.bases.some(base => base.kind !== 'class' && !(base.kind === 'external' && base.path === 'object')))
    doubt('The class inherits from one that could not be read.')
  const inherited = of.bases.flatMap(base => (base.kind === 'class' ? methodsOf(base, doubt) : []))
  const own = [...of.members].flatMap(([name, value]) =>
    value.kind === 'function' && !name.startsWith('_') && value.binding !== 'property' ? [{ name, value }] : [],
  )
  return [...inherited.filter(({ name }) => !of.members.has(name)), ...own]
}

function parametersOf(target: FunctionValue, context: FireContext, doubt: Doubting): ReadArgument[] {
  const signature = signatureOf(target)
  const isBound = signature.owner !== undefined && signature.binding !== 'static'
  const described = describedParameters(docOf(signature) ?? '')
  return signature.parameters.slice(isBound ? 1 : 0).flatMap(parameter => {
    if (parameter.form === 'kwargs') {
      doubt(`Any flag is accepted by \`**${parameter.name}\`.`, parameter.at)
      return []
    }
    return fireParameter(parameter, signature, described.get(parameter.name), context, doubt)
  })
}

/** Fire reads every value as a Python literal where it can, whatever the annotation says. */
const LITERAL = 'Fire reads values as Python: a text such as `10` or `[a]` arrives as a number or a list.'

function fireParameter(
  parameter: Parameter,
  { scope }: FunctionValue,
  described: string | undefined,
  context: FireContext,
  doubt: Doubting,
): ReadArgument {
  const { name } = parameter
  const annotation = parameter.annotation && readAnnotation(parameter.annotation, { ...context, scope })
  const fallback = parameter.fallback && evaluate(parameter.fallback, scope, context.machine)
  const initial = fallback && initialOf(fallback)
  if (initial === 'unknown') doubt(`The default of \`${name}\` could not be read.`, parameter.at)
  const type = annotation ? annotatedType(annotation) : typeOfValue(fallback && toJson(fallback))
  if (type === 'string') doubt(LITERAL)
  const isList = parameter.form === 'args'
  if (isList || parameter.form === 'positional-only') doubt(`\`${name}\` is given by its place.`, parameter.at)
  const value: JsonSchema = { type }
  const words = type === 'boolean' ? ({ words: ['True', 'False'] } as const) : {}
  const option: ParameterPassing = { as: 'option', flags: [`--${name}`], join: 'equals', ...words }
  const plain = typeof initial === 'object' ? undefined : initial
  return {
    dest: name,
    flags: isList ? [] : [`--${name}`],
    schema: {
      ...(isList ? { type: 'array', items: value } : value),
      ...(plain === undefined || plain === null || plain === 'unknown' ? {} : { default: plain }),
      ...(described ? { description: described.replace(/\s+/g, ' ') } : {}),
    },
    required: !isList && parameter.fallback === undefined,
    pass: isList || parameter.form === 'positional-only' ? { as: 'positional' } : option,
    at: parameter.at,
  }
}

function annotatedType({ base, list, tuple }: Annotation): 'integer' | 'number' | 'boolean' | 'string' {
  if (list || tuple || typeof base === 'string' || !('value' in base) || base.value.kind !== 'external') return 'string'
  return BUILTINS[base.value.path] ?? 'string'
}

const BUILTINS: Record<string, 'integer' | 'number' | 'boolean'> = { int: 'integer', float: 'number', bool: 'boolean' }

function typeOfValue(value: Json | undefined): 'integer' | 'number' | 'boolean' | 'string' {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'number') return 'string'
  return Number.isInteger(value) ? 'integer' : 'number'
}
