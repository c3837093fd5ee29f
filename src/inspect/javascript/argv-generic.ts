// Loops that accept any flag, `options[key] = value`: what the script reads from the object says which there are.
import type { InspectionNote } from '../inspection.ts'
import type { FlagRead } from './argv-flag.ts'
import type { ArgLoop, GenericSink } from './argv-loop.ts'
import { isInside } from './argv-loop.ts'
import { evaluate } from './evaluate.ts'
import { memberOf, methodCallOf } from './expressions.ts'
import { gapAt } from './interface.ts'
import { isHelp } from './parse-args.ts'
import { type PropertyRead, propertyReads } from './result-object.ts'
import { bindingOf, type Script } from './script.ts'
import { type Node, textOf } from './syntax-tree.ts'
import { factsOf, initialValue } from './value-facts.ts'
import { readsOfProperty } from './value-flow.ts'

export function readGeneric(
  script: Script,
  sink: GenericSink,
  loop: ArgLoop,
): { flags: readonly FlagRead[]; gaps: readonly InspectionNote[] } {
  const member = memberOf(sink.object)
  const starts =
    member?.name === undefined
      ? (bindingOf(script, sink.object)?.reads ?? [])
      : readsOfProperty(script, member.object, member.name)
  const outside = starts.filter(start => !isInside(start, loop.at) || isPassedOn(start))
  const { reads, unread } = propertyReads(script, outside)
  const style = styleOf(sink, loop)

  const groups = new Map<string, PropertyRead[]>()
  for (const read of reads) {
    if (read.key === '_' || isHelp(read.key) || isListMethod(read.key)) continue
    const flag = flagOf(read.key, style)
    groups.set(flag, [...(groups.get(flag) ?? []), read])
  }
  const flags = [...groups].map(([flag, uses]) => flagRead(script, flag, uses, sink, style))
  return { flags, gaps: unread.map(at => gapAt(at, 'the parsed options are used in a way that could not be read')) }
}

type Style = {
  /** `--max-age` is read as `maxAge`. */
  readonly camel: boolean
  readonly equals: boolean
  readonly separate: boolean
  readonly limits: FlagRead['limits']
  readonly dash: string
}

function styleOf(sink: GenericSink, loop: ArgLoop): Style {
  const text = textOf(sink.section)
  const guards = [...loop.next]
    .map(node => methodCallOf(node.parent?.parent ?? undefined))
    .filter(call => call?.method === 'startsWith')
  const dash = guards.some(call => call?.args[0] !== undefined && /^['"]-['"]$/.test(textOf(call.args[0]))) ? '-' : '--'
  return {
    camel: /replace\(\s*\/-\(/.test(text) || /toCamel|camelCase/i.test(text),
    equals: /['"]=['"]|\(\[\^=\]/.test(text),
    separate: loop.next.size > 0,
    limits: guards.length > 0 ? { dash, nonEmpty: true } : { nonEmpty: true },
    dash: sink.dash === '--' ? '--' : '--',
  }
}

function flagOf(key: string, style: Style): string {
  const word = style.camel ? key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) : key
  return (word.length === 1 && style.dash === '-' ? '-' : '--') + word
}

function flagRead(
  script: Script,
  flag: string,
  uses: readonly PropertyRead[],
  sink: GenericSink,
  style: Style,
): FlagRead {
  const nodes = uses.flatMap(use => use.nodes)
  const at = uses[0]?.at as Node
  const fallback = uses.find(use => use.fallback !== undefined)?.fallback
  const initial = initialProperty(script, sink.object, uses[0]?.key ?? '')
  const preset = evaluate(script, fallback ?? initial)?.value
  const isSwitch = factsOf(script, nodes).type === 'boolean' || typeof preset === 'boolean'
  const form = isSwitch ? 'none' : style.equals ? 'equals' : style.separate ? 'separate' : 'equals'
  const limits = form === 'equals' ? {} : style.limits
  return {
    flags: [flag],
    at,
    form,
    nodes,
    list: false,
    limits,
    ...(preset === undefined || preset === null ? {} : { default: preset }),
  }
}

/** The value that the object has for a key before any flag is read. */
function initialProperty(script: Script, object: Node, key: string): Node | undefined {
  const binding = bindingOf(script, object)
  if (binding?.origin.kind !== 'value') return undefined
  const reference = binding.reads.map(read => read.parent).find(parent => memberOf(parent ?? undefined)?.name === key)
  return reference === undefined || reference === null ? undefined : initialValue(script, reference)?.node
}

function isPassedOn(start: Node): boolean {
  return start.parent?.name === 'ReturnStatement' || start.parent?.name === 'Property'
}

function isListMethod(key: string): boolean {
  return key === 'hasOwnProperty' || key === 'toString'
}
