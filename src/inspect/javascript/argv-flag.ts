// A flag of a hand-written command line, and the parameter that it becomes.
import type { Json, ScriptParameter } from '../../types.ts'
import { asDefault, orBare, toParameter } from './interface.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'

export type FlagRead = {
  readonly flags: readonly string[]
  readonly at: Node
  /** How the value comes: in the next word, after `=`, or not at all. */
  readonly form: 'separate' | 'equals' | 'none'
  /** Expressions that carry the value. */
  readonly nodes: readonly Node[]
  /** True when each occurrence adds to a list. */
  readonly list: boolean
  readonly limits: ValueLimits
  /** True when the flag may also stand without its value. */
  readonly bare?: boolean
  /** What the script puts in place of a missing value, as far as it is known. */
  readonly default?: Json
}

/** Values that the script's own loop would take for something else. */
export type ValueLimits = {
  /** Words with this beginning are flags to it. */
  readonly dash?: '-' | '--'
  readonly nonEmpty?: boolean
  /** The value is cut at a further `=`. */
  readonly noEquals?: boolean
}

export function flagParameter(script: Script, read: FlagRead, limits: ValueLimits): ScriptParameter {
  const facts = factsOf(script, read.nodes)
  const name = longest(read.flags)
  const line = lineOf(read.at)
  const fallback = read.default ?? facts.default
  const preset = fallback === undefined || fallback === null || fallback === '' ? {} : { default: fallback }
  if (read.form === 'none') {
    const value = { type: 'boolean' as const, ...(typeof fallback === 'boolean' ? preset : {}) }
    return toParameter({ name, value, line, pass: { as: 'switch', flags: read.flags, when: true } })
  }
  const type = facts.type === 'boolean' ? 'string' : facts.type
  const all = merge(limits, read.limits)
  const value = {
    type,
    ...(read.list ? { list: true } : {}),
    ...(facts.choices === undefined ? {} : { choices: facts.choices }),
    ...(read.list ? {} : asDefault(fallback, type)),
    ...(type === 'string'
      ? patternOf(all, read.form)
      : all.dash === '-' && read.form === 'separate'
        ? { minimum: 0 }
        : {}),
  }
  const list = read.list ? { list: 'repeat' as const } : {}
  const bare = read.bare === true ? { bare: true } : {}
  const pass = { as: 'option', flags: read.flags, join: read.form, ...list, ...bare } as const
  const parameter = toParameter({ name, value, required: facts.required && !('default' in value), line, pass })
  return read.bare === true ? orBare(parameter) : parameter
}

/** `--color` and `--no-color` are one switch. */
export function joinOpposites(parameters: readonly ScriptParameter[]): readonly ScriptParameter[] {
  const flagOf = ({ pass }: ScriptParameter) => (pass.as === 'switch' ? pass.flags[0] : undefined)
  const all = new Set(parameters.map(flagOf))
  return parameters.flatMap(parameter => {
    const { pass } = parameter
    const flag = flagOf(parameter)
    if (pass.as !== 'switch' || flag === undefined) return [parameter]
    if (flag.startsWith('--no-') && all.has(flag.replace('--no-', '--'))) return []
    const opposite = flag.replace('--', '--no-')
    return [all.has(opposite) ? { ...parameter, pass: { ...pass, opposite } } : parameter]
  })
}

/** Flags that say the same thing in two places are one. */
export function joinFlags(reads: readonly FlagRead[]): readonly FlagRead[] {
  const joined: FlagRead[] = []
  const known = new Map<string, number>()
  for (const read of reads) {
    const index = read.flags.map(flag => known.get(flag)).find(at => at !== undefined) ?? joined.length
    const other = joined[index]
    joined[index] = other === undefined ? read : joinTwo(other, read)
    for (const flag of read.flags) known.set(flag, index)
  }
  return joined
}

function joinTwo(a: FlagRead, b: FlagRead): FlagRead {
  // `--out=x` cannot be misread, so it is preferred where the script knows both forms.
  const form = [a.form, b.form].includes('equals')
    ? 'equals'
    : [a.form, b.form].includes('separate')
      ? 'separate'
      : 'none'
  const main = a.form === form ? a : b
  const flags = [...new Set([...main.flags, ...a.flags, ...b.flags])]
  return { ...main, flags, form, nodes: [...a.nodes, ...b.nodes], list: a.list || b.list }
}

function merge(a: ValueLimits, b: ValueLimits): ValueLimits {
  const dash = a.dash === '-' || b.dash === '-' ? '-' : (a.dash ?? b.dash)
  return { ...a, ...b, ...(dash === undefined ? {} : { dash }), nonEmpty: a.nonEmpty === true || b.nonEmpty === true }
}

/** Without look-ahead, which the validator's linear-time engine does not have. */
function patternOf({ dash, nonEmpty, noEquals }: ValueLimits, form: 'separate' | 'equals'): { pattern?: string } {
  if (noEquals) return { pattern: nonEmpty ? '^[^=]+$' : '^[^=]*$' }
  if (form === 'equals') return nonEmpty ? { pattern: '^(.|\\n)' } : {}
  if (dash === '-') return { pattern: nonEmpty ? '^[^-]' : '^([^-]|$)' }
  if (dash === '--') return { pattern: nonEmpty ? '^(-?[^-]|-$)' : '^(-?[^-]|-?$)' }
  return nonEmpty ? { pattern: '^(.|\\n)' } : {}
}

function longest(flags: readonly string[]): string {
  return flags.find(flag => flag.startsWith('--')) ?? flags[0] ?? ''
}
