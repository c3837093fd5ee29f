// Loops that accept any flag, `options[key] = value`: what the script reads from the object says which there are.
import type { Json } from '../../types.ts'
import type { InspectionNote } from '../inspection.ts'
import type { FlagRead } from './argv-flag.ts'
import { type ArgLoop, type GenericSink, isInside } from './argv-loop.ts'
import { evaluate } from './evaluate.ts'
import { memberOf, methodCallOf } from './expressions.ts'
import { initialValue } from './initial-value.ts'
import { gapAt } from './interface.ts'
import { isHelp } from './parse-args.ts'
import { type PropertyRead, propertyReads } from './result-object.ts'
import { bindingOf, type Script } from './script.ts'
import { type Node, textOf } from './syntax-tree.ts'
import { factsOf } from './value-facts.ts'
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
    if (read.key === '_' || isHelp(read.key) || /^(?:hasOwnProperty|toString)$/.test(read.key)) continue
    const word = style.camel ? read.key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) : read.key
    groups.set(word, [...(groups.get(word) ?? []), read])
  }
  const flags = [...groups].map(([word, uses]) => flagRead(script, `--${word}`, uses, sink, style))
  return { flags, gaps: unread.map(at => gapAt(at, 'the parsed options are used in a way that could not be read')) }
}

type Style = {
  /** `--max-age` is read as `maxAge`. */
  readonly camel: boolean
  readonly form: 'equals' | 'separate' | 'none'
  /** Whether a flag may stand without a value. */
  readonly bare: boolean
  readonly limits: FlagRead['limits']
}

function styleOf(sink: GenericSink, loop: ArgLoop): Style {
  const section = textOf(sink.section)
  // The key and the value may be made before the statement that keeps them.
  const text = textOf(loop.at)
  const guards = [...loop.next].flatMap(node => {
    const call = methodCallOf(node.parent?.parent ?? undefined)
    return call?.method === 'startsWith' && call.args[0] !== undefined ? [textOf(call.args[0])] : []
  })
  const dash = guards.some(guard => /^['"]-['"]$/.test(guard)) ? '-' : '--'
  const form = /['"]=['"]|\(\[\^=\]/.test(text) ? 'equals' : loop.next.size > 0 ? 'separate' : 'none'
  return {
    camel: /replace\(\s*\/-\(|camel/i.test(text),
    form,
    bare: form === 'none' || /\btrue\b/.test(section) || (guards.length > 0 && /\btrue\b/.test(text)),
    limits: form !== 'separate' ? {} : guards.length > 0 ? { dash, nonEmpty: true } : { nonEmpty: true },
  }
}

function flagRead(
  script: Script,
  flag: string,
  uses: readonly PropertyRead[],
  sink: GenericSink,
  style: Style,
): FlagRead {
  const nodes = uses.flatMap(use => use.nodes)
  const fallback = uses.find(use => use.fallback !== undefined)?.fallback
  const preset = evaluate(script, fallback)?.value ?? initialProperty(script, sink.object, uses[0]?.key ?? '')
  const facts = factsOf(script, nodes)
  const isSwitch = style.bare && (facts.type === 'boolean' || typeof preset === 'boolean')
  const form = isSwitch ? 'none' : style.form
  return {
    flags: [flag],
    at: uses[0]?.at as Node,
    form,
    nodes,
    list: false,
    limits: style.limits,
    // Where the uses do not tell, the flag may come with a value or without.
    ...(form !== 'none' && style.bare && !facts.certain ? { bare: true } : {}),
    ...(preset === undefined || preset === null ? {} : { default: preset }),
  }
}

/** The value that the object has for a key before any flag is read. */
function initialProperty(script: Script, object: Node, key: string): Json | undefined {
  const reads = bindingOf(script, object)?.reads ?? []
  const reference = reads.map(read => read.parent).find(parent => memberOf(parent ?? undefined)?.name === key)
  return reference === undefined || reference === null ? undefined : initialValue(script, reference)?.value
}

function isPassedOn(start: Node): boolean {
  return start.parent?.name === 'ReturnStatement' || start.parent?.name === 'Property'
}
