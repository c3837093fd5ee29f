// minimist and its kin: flags need not be declared, so what the script reads from the result says what there is.
import type { Json, ScriptParameter } from '../../types.ts'
import { argvOffset } from './argv-view.ts'
import { type Config, entryValue, fieldTexts, fieldValue, readConfig } from './config-object.ts'
import { declaredValue } from './declared-value.ts'
import { callOf } from './expressions.ts'
import { importedAs } from './imports.ts'
import { gapAt, oneCommand, type ReadInterface, toParameter } from './interface.ts'
import { isHelp, positionalParameters } from './parse-args.ts'
import { nodesOf, type PropertyReads, patternDefault, propertyReads } from './result-object.ts'
import type { Script } from './script.ts'
import { lineOf, type Node } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'

const LIBRARIES = ['minimist', 'mri', 'yargs-parser']

export function readMinimist(script: Script): ReadInterface | undefined {
  const call = script.calls.find(at => isParser(script, callOf(at)?.callee) && !script.scope?.excludes(at))
  const parts = callOf(call)
  if (call === undefined || parts === undefined) return undefined
  const config = parts.args[1] === undefined ? DEFAULT : readConfig(script, parts.args[1])
  const result = propertyReads(script, [call])
  const declared = declaredFlags(script, config, result)
  const positionals = positionalParameters(script, result, '_')

  const offset = argvOffset(script, parts.args[0])
  const gaps = [
    ...(offset === undefined ? [gapAt(call, 'the parser reads another list than the command line')] : []),
    ...(config.complete ? [] : [gapAt(call, 'some options of the parser are computed')]),
    ...[...result.unread, ...positionals.unread].map(at =>
      gapAt(at, 'the parsed arguments are used in a way that could not be read'),
    ),
  ]
  const flags = declared.map(flag => flagParameter(script, flag, config, result, call))
  const all = [...positionals.parameters, ...flags]
  return {
    commands: [oneCommand(all, { dashes: 'terminator', open: gaps.length > 0, line: lineOf(call) })],
    gaps,
    first: positionals.first,
    offset: offset ?? 0,
  }
}

const DEFAULT: Config = { entries: new Map(), complete: true }

function isParser(script: Script, callee: Node | undefined): boolean {
  const imported = importedAs(script, callee)
  return (
    imported !== undefined &&
    LIBRARIES.includes(imported.module) &&
    (imported.name === '*' || imported.name === 'default')
  )
}

type Flag = { readonly keys: readonly string[]; readonly kind: 'string' | 'boolean' | 'unknown' }

/** Flags that are declared or read, aliases joined, long names first. */
function declaredFlags(script: Script, config: Config, result: PropertyReads): readonly Flag[] {
  const strings = fieldTexts(script, config, 'string') ?? []
  const booleans = fieldTexts(script, config, 'boolean') ?? []
  const aliases = readConfig(script, config.entries.get('alias'))
  const defaults = readConfig(script, config.entries.get('default'))
  const groups: Set<string>[] = []
  const add = (keys: readonly string[]) => {
    const joined = groups.filter(group => keys.some(key => group.has(key)))
    const first = joined[0]
    if (first === undefined) groups.push(new Set(keys))
    else for (const key of [...keys, ...joined.flatMap(group => [...group])]) first.add(key)
    for (const other of joined.slice(1)) groups.splice(groups.indexOf(other), 1)
  }
  for (const [key, entry] of aliases.entries) {
    const value = entryValue(script, entry)
    add([key, ...(typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [])])
  }
  for (const key of [...strings, ...booleans, ...defaults.entries.keys()]) if (key !== '_') add([key])
  for (const read of result.reads) if (read.key !== '_' && read.key !== '--') add([camelMatch(read.key, groups)])
  return groups
    .map(group => ({
      keys: [...group].sort((a, b) => Number(a.length === 1) - Number(b.length === 1)),
      kind: kindOf(group, strings, booleans),
    }))
    .filter(flag => !flag.keys.some(isHelp))
}

/** The declared spelling of a key; a key that is read but not declared is its own. */
function camelMatch(key: string, groups: readonly ReadonlySet<string>[]): string {
  if (groups.some(group => group.has(key))) return key
  const kebab = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  return groups.some(group => group.has(kebab)) ? kebab : key
}

function kindOf(group: ReadonlySet<string>, strings: readonly string[], booleans: readonly string[]): Flag['kind'] {
  if (booleans.some(key => group.has(key))) return 'boolean'
  return strings.some(key => group.has(key)) ? 'string' : 'unknown'
}

function flagParameter(script: Script, flag: Flag, config: Config, result: PropertyReads, call: Node): ScriptParameter {
  const [name = ''] = flag.keys
  const flags = flag.keys.map(key => (key.length === 1 ? `-${key}` : `--${key}`))
  const reads = result.reads.filter(read => flag.keys.includes(read.key) && read.deeper.length === 0)
  const facts = factsOf(script, nodesOf(reads))
  const preset = presetOf(script, flag.keys, config) ?? patternDefault(script, reads)
  const line = lineOf(reads[0]?.at ?? call)

  const isSwitch =
    flag.kind === 'boolean' || (flag.kind === 'unknown' && (facts.type === 'boolean' || typeof preset === 'boolean'))
  if (isSwitch) {
    const value = { type: 'boolean' as const, default: preset ?? facts.default }
    const opposite = name.length === 1 ? {} : { opposite: `--no-${name}` }
    return toParameter({ name, value, line, pass: { as: 'switch', flags, when: true, ...opposite } })
  }
  const pass = { as: 'option', flags, join: 'equals' } as const
  const type = flag.kind === 'string' ? flag.kind : undefined
  return declaredValue({ name, line, pass, type, default: preset, facts })
}

function presetOf(script: Script, keys: readonly string[], config: Config): Json | undefined {
  const defaults = readConfig(script, config.entries.get('default'))
  for (const key of keys) {
    const value = fieldValue(script, defaults, key)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}
