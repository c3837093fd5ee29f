// The `type=` of an argument as a JSON type. Functions of the script are tried out on sample texts.
import type { BooleanWords, Json, JsonSchema } from '../../types.ts'
import { callValue } from './call.ts'
import { EXHAUSTED, type Machine, RAISED, SIDE_STEPS } from './machine.ts'
import { equals, text, toJson, UNKNOWN, type Value } from './values.ts'

export type ArgumentType = { readonly schema: JsonSchema; readonly words?: BooleanWords }

const STRING: ArgumentType = { schema: { type: 'string' } }

/** Undefined when the type could not be read. Whatever takes a text and is not a number or a boolean is a string. */
export function argumentType(type: Value, machine: Machine): ArgumentType | undefined {
  switch (type.kind) {
    case 'external':
      if (type.path === 'int') return { schema: { type: 'integer' } }
      if (type.path === 'float') return { schema: { type: 'number' } }
      // `bool("")` is the only way to say no.
      if (type.path === 'bool') return { schema: { type: 'boolean' }, words: ['True', ''] }
      return STRING
    case 'function':
      return functionType(type, machine)
    case 'unknown':
    case 'runtime':
      return undefined
    default:
      return STRING
  }
}

function functionType(type: Value, machine: Machine): ArgumentType {
  if (machine.steps > MOST_STEPS) return STRING
  const isBoolean = [true, false].every(expected => {
    const answer = tryOut(type, String(expected), machine)
    return answer !== 'refused' && answer.kind === 'bool' && answer.value === expected
  })
  if (isBoolean) return { schema: { type: 'boolean' }, words: ['true', 'false'] }
  const takesText = TEXTS.some(sample => tryOut(type, sample, machine) !== 'refused')
  if (takesText) return STRING
  const numbers = NUMBERS.map(sample => tryOut(type, sample, machine)).filter(answer => answer !== 'refused')
  const kinds = new Set(numbers.map(answer => answer.kind))
  if (kinds.size !== 1) return STRING
  return kinds.has('int')
    ? { schema: { type: 'integer' } }
    : kinds.has('float')
      ? { schema: { type: 'number' } }
      : STRING
}

/** A type that takes one of these wants more than a number. */
const TEXTS = ['x', 'auto', '', '5%', '1,2', '1:2', '1x2', '10k', '10MB', '1-2', '0x10', '2024-01-01', '#1']
/** What the walk and all trials together may cost; a text is never wrong, only less helpful. */
const MOST_STEPS = 100_000
/** Some of these pass every sensible check of bounds. */
const NUMBERS = ['0', '1', '2', '7', '10', '50', '100', '512', '1000', '8080', '0.5', '0.1', '-1']

/** What the function makes of a text, or that it raises. */
function tryOut(type: Value, argument: string, machine: Machine): Value | 'refused' {
  const { limit, branch, site } = machine
  machine.limit = machine.steps + SIDE_STEPS / 10
  try {
    return callValue(type, [text(argument)], machine, 0)
  } catch (error) {
    if (error === RAISED) return 'refused'
    if (error !== EXHAUSTED) throw error
    return UNKNOWN
  } finally {
    Object.assign(machine, { limit, branch, site })
  }
}

/** What to write for a choice; undefined when that could not be read. An enum's member is written as its type reads it. */
export function choiceText(choice: Value, type: Value, machine: Machine): Json | undefined {
  if (choice.kind !== 'enum-member') return toJson(choice)
  const { value } = choice
  // Without a type the text is compared with the member itself, which only equals it if the enum is made of texts.
  if (type.kind === 'none') return choice.of.bases.length > 0 && isText(choice) ? toJson(value) : undefined
  const spellings = [toJson(value), choice.name, choice.name.toLowerCase()]
  return spellings.find(spelling => {
    if (typeof spelling !== 'string') return false
    const answer = tryOut(type, spelling, machine)
    return answer !== 'refused' && equals(answer, choice) === true
  })
}

function isText(member: Extract<Value, { kind: 'enum-member' }>): boolean {
  return member.of.bases.some(base => base.kind === 'external' && /^str$|(^|\.)StrEnum$/.test(base.path))
}
