// A slot that the walk has filled, as a parameter.
import type { Json, JsonSchema, ParameterPassing, ScriptParameter } from '../../types.ts'
import { propertyName } from '../property-name.ts'
import type { Flag, Slot } from './slot.ts'

/** Names that say nothing about what they hold. */
const PLAIN =
  /^(?:[a-z]|arg|args|argument|arguments|argv|param|params|value|val|var|tmp|_+|input_args|positional|positional_args|first|second)$/

export type SlotContext = {
  /** The parameter of the usage text that stands for the same thing. */
  readonly told: ScriptParameter | undefined
  readonly required: boolean
  readonly level: number
  readonly line: number
}

export function positionalParameter(slot: Slot, fallback: string, context: SlotContext): ScriptParameter {
  const list = slot.place.at === 'rest' && !isText(slot)
  const value = valueSchema(slot, context.told)
  const pass: ParameterPassing = slot.place.at === 'stdin' ? { as: 'stdin' } : { as: 'positional' }
  return { ...placed(context), name: nameOf(slot, context.told, fallback), schema: list ? listOf(value) : value, pass }
}

/** Joined arguments are one text when a variable holds them (`QUERY="$*"`); what is only printed stays a list. */
export function isText({ place, names, derivedNames }: Slot): boolean {
  return place.at === 'rest' && place.joined && names.length + derivedNames.length > 0
}

export function flagParameter(slot: Slot, flag: Flag, context: SlotContext): ScriptParameter {
  const flags = [...flag.flags].sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  const [best = ''] = flags
  const name =
    best.startsWith('--') || best.length > 2 ? propertyName(best) : nameOf(slot, context.told, propertyName(best))
  const { description } = context.told?.schema ?? {}
  const told = description === undefined ? {} : { description }
  const base = { ...placed(context), name }
  if (flag.takes === 'nothing')
    return { ...base, schema: { type: 'boolean', ...told }, pass: { as: 'switch', flags, when: true } }
  if (flag.takes === 'count')
    return { ...base, schema: { type: 'integer', minimum: 0, ...told }, pass: { as: 'count', flags } }
  const value = valueSchema(slot, context.told)
  const join = flag.takes === 'equals' ? 'equals' : 'separate'
  if (!flag.repeats) return { ...base, schema: value, pass: { as: 'option', flags, join } }
  return { ...base, schema: listOf(value), pass: { as: 'option', flags, join, list: 'repeat' } }
}

function placed({ required, level, line }: SlotContext) {
  return { required, level, line }
}

/** The variable that holds it, unless the usage text has a better word. */
function nameOf(slot: Slot, told: ScriptParameter | undefined, fallback: string): string {
  const names = slot.names.map(propertyName).filter(name => name !== '')
  const good = names.find(name => !PLAIN.test(name))
  if (good !== undefined) return good
  if (told && told.name !== '' && told.name !== 'choice') return told.name
  return names[0] ?? slot.derivedNames.map(propertyName).find(name => name !== '' && !PLAIN.test(name)) ?? fallback
}

function valueSchema(slot: Slot, told: ScriptParameter | undefined): JsonSchema {
  const tells = (told?.schema.type === 'array' ? told.schema.items : told?.schema) as JsonSchema | undefined
  const choices = slot.choices ?? (slot.worded ? undefined : (tells?.enum as readonly string[] | undefined))
  const whole = /^-?\d+$/
  const counted = tells?.type === 'integer' && !slot.worded
  const integer = (slot.numeric || counted) && !slot.worded && !choices && whole.test(slot.initial ?? '0')
  const initial = slot.initial ?? (slot.required === true ? undefined : toldDefault(tells))
  const usable = initial !== undefined && (!choices || choices.includes(initial)) && (!integer || whole.test(initial))
  const value: Json | undefined = usable ? (integer ? Number(initial) : initial) : undefined
  const description = told?.schema.description
  return {
    type: integer ? 'integer' : 'string',
    ...(choices ? { enum: choices } : {}),
    ...(integer && slot.minimum !== undefined ? { minimum: slot.minimum } : {}),
    ...(integer && slot.maximum !== undefined ? { maximum: slot.maximum } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...(description === undefined ? {} : { description }),
  }
}

function toldDefault(tells: JsonSchema | undefined): string | undefined {
  const value = tells?.default
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function listOf(item: JsonSchema): JsonSchema {
  const { description, default: _, ...rest } = item as Record<string, Json>
  return { type: 'array', items: rest, ...(description === undefined ? {} : { description }) }
}
