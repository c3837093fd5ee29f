// Arguments → our command line → the script's own parser → the same values again?
import { spawnSync } from 'node:child_process'
import { buildCommandLine } from '../src/executors/command-line.ts'
import type { Inspection } from '../src/inspect/inspection.ts'
import type { CommandLine, Json, JsonSchema, ScriptParameter } from '../src/types.ts'
import { sameArgument } from './inspect-compare.ts'
import type { Truth, TruthArgument } from './inspect-truth.ts'

export type ReadScript = { readonly truth: Truth; readonly inspection: Inspection }

export type RoundTrip = {
  readonly calls: number
  /** Values that our builder refuses, since no command line could pass them safely. */
  readonly refused: number
  /** Calls that a function of the script's own turned down: only it knows what it takes. */
  readonly rejectedByScript: number
  readonly failures: readonly string[]
}

type Args = { [name: string]: Json }
type Call = { readonly script: string; readonly argv: readonly string[]; readonly args: Args; readonly read: Known }
type Known = { readonly convention: CommandLine; readonly rows: ReadonlyMap<string, TruthArgument> }
type Answer = { readonly values?: { readonly [dest: string]: Json }; readonly error?: string }

const TEXTS = [
  'plain',
  '',
  'two words',
  `q"u'o\`te $x`,
  'line\nbreak\ttab',
  '-x',
  '--flag=1',
  '-- x',
  'ünï 漢字 🙂',
  '@file',
  'a=b',
  '-',
]
const INTEGERS = [0, 7, -5, 2 ** 53 - 1, 1e21]
const NUMBERS = [0.5, -1.5, 0, 1e-7, -1e21, 3]
const ROUNDS = 8

export function roundTrip(scripts: readonly ReadScript[], oracle: string): RoundTrip {
  let refused = 0
  const calls: Call[] = []
  for (const { truth, inspection } of scripts)
    for (const { convention } of inspection.commands) {
      const read = { convention, rows: rowsOf(convention, truth) }
      for (let round = 0; round <= ROUNDS; round++) {
        const args = makeArgs(read, round)
        const built = buildCommandLine(convention, args)
        if (built.ok) calls.push({ script: truth.script, argv: built.invocation.argv, args, read })
        else refused++
      }
    }
  const answers = ask(calls, oracle)
  const judged = calls.map((call, i) => judge(call, answers[i] ?? { error: 'no answer' }))
  return {
    calls: calls.length,
    refused,
    rejectedByScript: judged.filter(one => one === 'own rule').length,
    failures: judged.flatMap((one, i) =>
      one && one !== 'own rule' ? [`${calls[i]!.script}: ${one} ${JSON.stringify(calls[i]!.argv)}`] : [],
    ),
  }
}

function ask(calls: readonly Call[], oracle: string): Answer[] {
  const input = calls.map(({ script, argv }) => JSON.stringify({ script, argv })).join('\n')
  const { stdout } = spawnSync('python3', [oracle, '--parse'], { input, encoding: 'utf8', maxBuffer: 1 << 30 })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line.replace(/: (-?Infinity|NaN)\b/g, ': {"py": "float"}')) as Answer)
}

function rowsOf(convention: CommandLine, truth: Truth): Map<string, TruthArgument> {
  const rows = new Map<string, TruthArgument>()
  for (const parameter of convention.parameters) {
    const key = convention.command.slice(0, parameter.level).join(' ')
    const row = (truth.commands[key] ?? []).find(one => !('subparsers' in one) && sameArgument(parameter, one))
    if (row && !('subparsers' in row)) rows.set(parameter.name, row)
  }
  return rows
}

/** Round 0 gives only what is required; later ones give all, each with other values. */
function makeArgs({ convention, rows }: Known, round: number): Args {
  const args: Args = {}
  const used = new Set<string>()
  for (const [index, parameter] of convention.parameters.entries()) {
    const group = convention.exclusive.find(one => one.names.includes(parameter.name))
    const isFirstOfGroup = !group || group.names[round % group.names.length] === parameter.name
    const isNeeded = parameter.required || (group?.required && isFirstOfGroup)
    const dest = rows.get(parameter.name)?.dest ?? parameter.name
    // Two flags for one value would overwrite each other.
    if ((round === 0 && !isNeeded) || !isFirstOfGroup || used.has(dest)) continue
    used.add(dest)
    args[parameter.name] = makeValue(parameter, rows.get(parameter.name), round + index)
  }
  return args
}

function makeValue({ schema, pass }: ScriptParameter, row: TruthArgument | undefined, seed: number): Json {
  if (pass.as === 'switch') return pass.when
  if (pass.as === 'count') return 1 + (seed % 3)
  return fromSchema(schema, seed, {
    isPlain: isOwnType(row) || pass.as === 'rest',
    isSpread: 'list' in pass && pass.list === 'spread',
  })
}

type ValueOptions = { readonly isPlain: boolean; readonly isSpread: boolean }

function fromSchema(schema: JsonSchema, seed: number, options: ValueOptions): Json {
  const choices = schema['enum'] as readonly Json[] | undefined
  if (choices) return choices[seed % choices.length]!
  if (Array.isArray(schema['anyOf'])) return fromSchema(schema['anyOf'][0] as JsonSchema, seed, options)
  switch (schema['type']) {
    case 'array': {
      const least = Number(schema['minItems'] ?? 0)
      const length = Math.max(least, Math.min(Number(schema['maxItems'] ?? 3), 1 + (seed % 3)))
      return Array.from({ length }, (_, i) =>
        fromSchema((schema['items'] ?? {}) as JsonSchema, seed + i, {
          ...options,
          isSpread: options.isSpread || length > 1,
        }),
      )
    }
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : INTEGERS[seed % INTEGERS.length]!
    case 'number':
      return NUMBERS[seed % NUMBERS.length]!
    case 'boolean':
      return seed % 2 === 0
    default:
      return options.isPlain ? 'plain' : TEXTS[seed % TEXTS.length]!
  }
}

const KNOWN_TYPES = new Set([null, 'str', 'int', 'float', 'Path', 'PosixPath', 'bool'])
const isOwnType = (row: TruthArgument | undefined): boolean => row !== undefined && !KNOWN_TYPES.has(row.type)

function judge({ args, read }: Call, { values, error }: Answer): string | undefined {
  const hasOwnRule = Object.keys(args).some(name => isOwnType(read.rows.get(name)))
  if (!values) return hasOwnRule ? 'own rule' : `${error}`
  for (const [name, value] of Object.entries(args)) {
    const row = read.rows.get(name)
    if (!row || isOwnType(row)) continue
    const found = values[row.dest] ?? null
    const expected = expectedValue(value, row)
    if (expected !== undefined && JSON.stringify(found) !== JSON.stringify(expected))
      return `${name} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`
  }
  return undefined
}

/** Undefined where the parsed value has no JSON form. */
function expectedValue(value: Json, row: TruthArgument): Json | undefined {
  if (row.type === 'Path' || row.type === 'PosixPath' || /Const$/.test(row.action)) return undefined
  const before = Array.isArray(row.default) ? row.default : []
  if (row.action === 'Append' || row.action === 'Extend') return [...before, ...(value as readonly Json[])]
  if (row.action === 'Count') return Number(row.default ?? 0) + Number(value)
  if (row.type === 'bool') return undefined
  // Python writes 3.0 for the float 3; both are the same number here.
  return value
}
