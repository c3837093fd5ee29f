// The `type=` of an argument as a JSON type.
import type { BooleanWords, JsonSchema } from '../../types.ts'
import { callFunction } from './call.ts'
import { EXHAUSTED, type Machine, RAISED, SIDE_STEPS } from './machine.ts'
import { type FunctionValue, text, type Value } from './values.ts'

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

function functionType(type: FunctionValue, machine: Machine): ArgumentType {
  const isBoolean = [true, false].every(expected => {
    const answer = tryCall(type, String(expected), machine)
    return answer?.kind === 'bool' && answer.value === expected
  })
  if (isBoolean) return { schema: { type: 'boolean' }, words: ['true', 'false'] }
  return { schema: { type: numberType(type) ?? 'string' } }
}

function tryCall(type: FunctionValue, argument: string, machine: Machine): Value | undefined {
  const { limit, branch } = machine
  machine.limit = machine.steps + SIDE_STEPS
  try {
    return callFunction(type, { positional: [text(argument)], named: new Map(), open: false }, machine)
  } catch (error) {
    if (error !== RAISED && error !== EXHAUSTED) throw error
    return undefined
  } finally {
    machine.limit = limit
    machine.branch = branch
  }
}

/** A function that hands its text to `int` or `float` untouched takes numbers; one that looks inside may take more. */
function numberType(type: FunctionValue): 'integer' | 'number' | undefined {
  const name = type.parameters.at(type.self ? 1 : 0)?.name
  if (!name || 'lambda' in type.body) return undefined
  const source = type.body.definition.text()
  if (new RegExp(`\\b${name}\\s*(\\.|\\[|==|\\bin\\b)|\\bin\\s+${name}\\b`).test(source)) return undefined
  const converted = new RegExp(`\\b(int|float)\\(\\s*${name}\\s*\\)`).exec(source)
  if (!converted) return undefined
  return source.includes('float(') ? 'number' : 'integer'
}
