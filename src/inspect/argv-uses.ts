// Positionals in Ruby and Perl scripts: every place that reads `ARGV` must be understood, or the reading is partial.
import type { Json, ScriptParameter } from '../types.ts'
import type { InspectionNote } from './inspection.ts'
import { propertyName } from './property-name.ts'
import { someMatches } from './source-code.ts'
import { lineAt } from './split-arguments.ts'
import type { UsageReading } from './usage.ts'

/** What a pattern means when the text around an `ARGV` matches it. Named groups: name, names, index, number, initial. */
export type ArgvPattern = {
  readonly kind: 'item' | 'shift' | 'items' | 'list' | 'text' | 'empty' | 'fewer' | 'unequal' | 'nothing'
  readonly pattern: RegExp
}

type Found = { name: string; line: number; initial?: Json; demanded: boolean }

export function readArgv(
  code: string,
  patterns: readonly ArgvPattern[],
  usage: UsageReading | undefined,
): { readonly parameters: readonly ScriptParameter[]; readonly gaps: readonly InspectionNote[] } {
  const gaps: InspectionNote[] = []
  const items = new Map<number, Found>()
  let list: (Found & { joined: boolean }) | undefined
  let least = 0
  let shifted = 0
  for (const use of someMatches(
    code,
    /ARGV|\bshift\b(?<=^my[ \t(]+\$\w+\)?[ \t]*=[ \t]*shift)(?=[ \t]*(?:;|\/\/|\|\|))/gm,
    gaps,
  )) {
    const line = lineAt(code, use.index)
    const statement = statementAt(code, use.index)
    const match = patterns
      .map(({ kind, pattern }) => ({ kind, found: pattern.exec(statement) }))
      .find(({ found }) => found)
    const groups = match?.found?.groups ?? {}
    const demanded = /\b(?:or|\|\|)\s*(?:abort|die|raise|exit|usage)/.test(statement)
    const fails = /\b(?:abort|raise|exit|die|usage|pod2usage)\b/.test(
      statement + code.slice(use.index, use.index + 250),
    )
    const found = { name: groups.name ?? '', line, demanded, ...initialIn(groups.initial) }
    switch (match?.kind) {
      case 'item':
        keep(items, Number(groups.index ?? 0), found)
        break
      case 'shift':
        keep(items, shifted++, found)
        break
      case 'items':
        for (const [index, name] of (groups.names ?? '').split(',').entries())
          keep(items, index, { ...found, name: name.trim() })
        break
      case 'list':
      case 'text':
        list ??= { ...found, joined: match.kind === 'text' }
        break
      case 'empty':
        if (fails) least = Math.max(least, shifted + 1)
        break
      case 'fewer':
      case 'unequal':
        if (fails) least = Math.max(least, Number(groups.number))
        break
      case 'nothing':
        break
      default:
        gaps.push({ message: 'Reads its arguments in a way that could not be followed', line })
    }
  }
  const told = usage?.parameters.filter(({ pass }) => pass.as === 'positional') ?? []
  const count = Math.max(0, ...[...items.keys()].map(index => index + 1), list ? 0 : least)
  const parameters: ScriptParameter[] = []
  for (let index = 0; index < Math.min(count, 20); index++) {
    const item = items.get(index) ?? { name: '', line: 1, demanded: false }
    const known = item.demanded || index < least ? true : item.initial !== undefined ? false : told[index]?.required
    if (known === undefined)
      gaps.push({ message: `Does not say whether it needs argument ${index + 1}`, line: item.line })
    const value = { type: 'string', ...(item.initial === undefined ? {} : { default: item.initial }) }
    parameters.push(
      positional(item.name || (told[index]?.name ?? `arg_${index + 1}`), value, known ?? false, item.line),
    )
  }
  if (list) {
    const schema = list.joined ? { type: 'string' } : { type: 'array', items: { type: 'string' } }
    const name = list.name || (told[count]?.name ?? 'arguments')
    parameters.push(positional(name, schema, least > count, list.line))
  }
  const last = parameters.findLastIndex(({ required }) => required)
  return { parameters: parameters.map((parameter, index) => ({ ...parameter, required: index <= last })), gaps }
}

function positional(name: string, schema: ScriptParameter['schema'], required: boolean, line: number): ScriptParameter {
  return { name: propertyName(name), schema, required, level: 0, line, pass: { as: 'positional' } }
}

/** The first reading gives the name; a later one may give what the first lacks. */
function keep(items: Map<number, Found>, index: number, found: Found): void {
  const known = items.get(index)
  if (!known) items.set(index, found)
  else items.set(index, { ...known, name: known.name || found.name, demanded: known.demanded || found.demanded })
}

/** The line of the use; names stand before it, checks behind. */
function statementAt(code: string, offset: number): string {
  const start = code.lastIndexOf('\n', offset) + 1
  const end = code.indexOf('\n', offset)
  return code.slice(Math.max(start, offset - 200), Math.min(end < 0 ? code.length : end, offset + 200))
}

function initialIn(text: string | undefined): { initial?: Json } {
  const found = text === undefined ? undefined : /^["']([^"'#$]*)["']$|^(\d+)$/.exec(text.trim())
  return found ? { initial: found[1] ?? found[2] ?? '' } : {}
}
