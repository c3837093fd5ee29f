// Our reading of a script against what argparse says, argument by argument.
import type { Inspection } from '../src/inspect/inspection.ts'
import type { Json, JsonSchema, ScriptParameter } from '../src/types.ts'
import type { Truth, TruthArgument, TruthRow } from './inspect-truth.ts'

/** Every difference, as one line each; none when the script is exactly right. */
export function differences(inspection: Inspection, truth: Truth): string[] {
  const found: string[] = []
  const leaves = new Set(Object.keys(truth.commands).filter(name => !hasSubParsers(truth.commands[name] ?? [])))
  const ours = new Map(inspection.commands.map(command => [command.convention.command.join(' '), command.convention]))
  for (const leaf of leaves) if (!ours.has(leaf)) found.push(`command '${leaf}' is missing`)
  for (const [name, convention] of ours) {
    if (!(name in truth.commands)) {
      found.push(`command '${name}' does not exist`)
      continue
    }
    for (let level = 0; level <= convention.command.length; level++) {
      const key = convention.command.slice(0, level).join(' ')
      const rows = (truth.commands[key] ?? []).filter(isArgument)
      const parameters = convention.parameters.filter(parameter => parameter.level === level)
      const below = new Set(convention.parameters.filter(parameter => parameter.level > level).map(each => each.name))
      found.push(...compareLevel(name, rows, parameters, below))
    }
  }
  return found
}

function compareLevel(
  command: string,
  rows: readonly TruthArgument[],
  parameters: readonly ScriptParameter[],
  below: ReadonlySet<string>,
): string[] {
  const found: string[] = []
  // The parser knows nothing of stdin.
  const unmatched = new Set(parameters.filter(({ pass }) => pass.as !== 'stdin'))
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(row.dest, (counts.get(row.dest) ?? 0) + 1)
  for (const row of rows) {
    const label = `${command ? `${command}: ` : ''}${row.flags.join('/') || row.dest}`
    const match = [...unmatched].find(parameter => sameArgument(parameter, row))
    if (!match) {
      if (!below.has(row.dest)) found.push(`${label} is missing`)
      continue
    }
    unmatched.delete(match)
    const plain = /^[\w.-]{1,64}$/.test(row.dest) && counts.get(row.dest) === 1 && !below.has(row.dest)
    if (plain && match.name !== row.dest) found.push(`${label}: name ${match.name}, not ${row.dest}`)
    for (const [field, our, their] of fields(match, row)) {
      if (!same(our, their)) found.push(`${label}: ${field} ${JSON.stringify(our)}, not ${JSON.stringify(their)}`)
    }
  }
  for (const extra of unmatched) found.push(`${command}: ${extra.name} does not exist`)
  return found
}

function fields(parameter: ScriptParameter, row: TruthArgument): (readonly [string, unknown, unknown])[] {
  // argparse calls a `*` positional required in its table, and does not require it.
  const optional = row.positional && (row.nargs === '*' || row.nargs === '...')
  return [
    ['flags', [...flagsOf(parameter)].sort(), [...row.flags].sort()],
    ['required', parameter.required, row.required && !optional],
    ['type', typeOf(parameter, row), expectedType(row)],
    ['choices', choices(choicesOf(parameter.schema), row), choices(row.choices, row)],
    ['default', defaultOf(parameter, row), expectedDefault(row)],
    ['nargs', shapeOf(parameter, row), expectedShape(row)],
  ]
}

function flagsOf(parameter: ScriptParameter): readonly string[] {
  return 'flags' in parameter.pass ? parameter.pass.flags : []
}

export function sameArgument(parameter: ScriptParameter, row: TruthArgument): boolean {
  const flags = flagsOf(parameter)
  if (row.positional) return flags.length === 0 && (parameter.name === row.dest || !/^[\w.-]+$/.test(row.dest))
  return flags.some(flag => row.flags.includes(flag))
}

const TYPES: Record<string, string> = { str: 'string', int: 'integer', float: 'number', bool: 'boolean' }

function expectedType(row: TruthArgument): string {
  if (row.action === 'Count') return 'integer'
  if (row.nargs === 0) return 'boolean'
  return row.type === null ? 'string' : (TYPES[row.type] ?? 'custom')
}

/** A function of the script's own may be any scalar to us: it takes a text. */
function typeOf(parameter: ScriptParameter, row: TruthArgument): unknown {
  const type = innermost(parameter.schema)['type']
  return expectedType(row) === 'custom' && typeof type === 'string' ? 'custom' : type
}

function innermost(schema: JsonSchema): JsonSchema {
  const items = schema['items']
  const first = Array.isArray(schema['anyOf']) ? schema['anyOf'][0] : undefined
  if (isObject(items)) return innermost(items)
  return isObject(first) ? innermost(first) : schema
}

function choicesOf(schema: JsonSchema): readonly Json[] | null {
  const inner = innermost(schema)
  if (Array.isArray(inner['enum'])) return inner['enum'] as readonly Json[]
  const { minimum, maximum } = inner
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return null
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index)
}

/** Members of an enum have no JSON form in the oracle's answer: then only their number is compared. */
function choices(values: readonly Json[] | null, row: TruthArgument): unknown {
  if (!values || row.choices?.some(isObject)) return values?.length ?? null
  return [...new Set(values.map(value => JSON.stringify(value)))].sort()
}

const SWITCHES = /^(StoreTrue|StoreFalse|BooleanOptional|StoreConst|AppendConst)$/

function expectedDefault(row: TruthArgument): unknown {
  const { default: value } = row
  // A switch for a constant is to us given or not, whatever it stands for.
  if (/Const$/.test(row.action) && typeof value !== 'boolean') return null
  if (isObject(value)) return 'object'
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && (row.type === 'int' || row.type === 'float'))
    return Number(value)
  return value ?? null
}

/** Paths, functions and what the script computes on the spot have no constant that we could name. */
function defaultOf(parameter: ScriptParameter, row: TruthArgument): unknown {
  const ours = parameter.schema['default'] ?? null
  if (isObject(row.default)) return 'object'
  const computed = String(parameter.schema['description'] ?? '').includes('computed by the script')
  if (computed && ours === null) return expectedDefault(row)
  if (row.default === null && SWITCHES.test(row.action)) return null
  return ours
}

function shapeOf(parameter: ScriptParameter, row: TruthArgument): string {
  const { pass, schema } = parameter
  if (pass.as === 'rest') return 'rest'
  if (pass.as === 'switch' || pass.as === 'count') return 'none'
  if (schema['type'] !== 'array') return 'one'
  const items = schema['items']
  const repeated = pass.as === 'option' && pass.list === 'repeat' && row.action !== 'Extend'
  const inner = repeated ? (isObject(items) ? items : {}) : schema
  if (repeated && inner['type'] !== 'array') return 'repeat one'
  return `${repeated ? 'repeat ' : ''}${String(inner['minItems'] ?? 0)}-${String(inner['maxItems'] ?? '')}`
}

function expectedShape(row: TruthArgument): string {
  const { nargs } = row
  if (/^(StoreTrue|StoreFalse|StoreConst|AppendConst|BooleanOptional|Count)$/.test(row.action)) return 'none'
  const prefix = row.action === 'Append' ? 'repeat ' : ''
  if (nargs === 0) return 'none'
  if (nargs === '...') return 'rest'
  if (nargs === null || nargs === '?') return `${prefix}one`
  if (nargs === '*') return `${prefix}0-`
  return nargs === '+' ? `${prefix}1-` : `${prefix}${nargs}-${nargs}`
}

function isArgument(row: TruthRow): row is TruthArgument {
  return !('subparsers' in row)
}

function hasSubParsers(rows: readonly TruthRow[]): boolean {
  return rows.some(row => 'subparsers' in row && row.names.length > 0)
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
