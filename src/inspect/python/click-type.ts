// The `type=` of a click parameter.
import type { JsonSchema } from '../../types.ts'
import { argumentType } from './argparse-type.ts'
import type { CliType } from './cli-model.ts'
import { itemsOf } from './evaluate.ts'
import type { Machine } from './machine.ts'
import { toJson, type Value } from './values.ts'

const STRING: CliType = { schema: { type: 'string' } }
const BOOLEAN: CliType = { schema: { type: 'boolean' }, words: ['true', 'false'] }

/** Without a type click takes that of the default. Undefined when the type could not be read. */
export function clickType(type: Value, fallback: Value, machine: Machine): CliType | undefined {
  switch (type.kind) {
    case 'none':
      return guessed(fallback)
    case 'cli':
      return type.cli.is === 'type' ? type.cli.type : undefined
    case 'external':
      return named(type.path)
    case 'tuple':
    case 'list': {
      const types = type.items.map(item => clickType(item, { kind: 'none' }, machine))
      if (type.open || types.includes(undefined)) return undefined
      return several(types as CliType[])
    }
    case 'class': {
      const values = itemsOf(type)?.map(member => (member.kind === 'enum-member' ? toJson(member.value) : undefined))
      return values?.every(value => typeof value === 'string') ? { schema: { type: 'string', enum: values } } : STRING
    }
    case 'function':
      return argumentType(type, machine)
    case 'unknown':
    case 'runtime':
      return undefined
    default:
      return STRING
  }
}

/** A value of each type, together one array. */
export function several(types: readonly CliType[]): CliType {
  const kinds = [...new Set(types.map(({ schema }) => String(schema['type'])))]
  const [first] = types
  const same = types.every(type => JSON.stringify(type) === JSON.stringify(first))
  const items: JsonSchema = same && first ? first.schema : { type: kinds.length === 1 ? (kinds[0] ?? 'string') : kinds }
  const words = types.find(type => type.words)?.words
  return { schema: items, ...(words ? { words } : {}), size: types.length }
}

function named(path: string): CliType | undefined {
  switch (path.replace(/^.*\./, '')) {
    case 'int':
    case 'INT':
      return { schema: { type: 'integer' } }
    case 'float':
    case 'FLOAT':
      return { schema: { type: 'number' } }
    case 'bool':
    case 'BOOL':
      return BOOLEAN
    // Named without being called, these take everything.
    case 'Choice':
    case 'Tuple':
      return undefined
    default:
      return STRING
  }
}

function guessed(fallback: Value): CliType | undefined {
  switch (fallback.kind) {
    case 'bool':
      return BOOLEAN
    case 'int':
      return { schema: { type: 'integer' } }
    case 'float':
      return { schema: { type: 'number' } }
    case 'list':
    case 'tuple': {
      const [first] = fallback.items
      return first ? guessed(first) : STRING
    }
    case 'runtime':
      return fallback.fallback ? guessed(fallback.fallback) : STRING
    case 'unknown':
      return undefined
    default:
      return STRING
  }
}
