// The usage text of a script: it names and describes what was read, and stands in where nothing could be read.
import type { ScriptParameter } from '../../types.ts'
import type { InspectedCommand } from '../inspection.ts'
import { parseUsage, type UsageReading } from '../usage.ts'
import { evaluateText } from './evaluate.ts'
import { callOf, pathOf, unescapeText } from './expressions.ts'
import { oneCommand, type ReadInterface } from './interface.ts'
import type { Script } from './script.ts'
import { descendants, enclosing, lineOf, type Node, textOf } from './syntax-tree.ts'

// A usage text is short; a long text that says `usage` somewhere is something else.
const LONGEST = 6_000
const MOST_TEXTS = 40

export function applyUsage(script: Script, found: ReadInterface): ReadInterface {
  const isEmpty = found.commands.every(({ convention }) => convention.parameters.length === 0)
  if (isEmpty && found.gaps.length === 0) return found
  const usages = readUsages(script)
  const [usage] = usages
  if (usage === undefined) return found
  if (isEmpty) {
    const options = { dashes: 'refuse', open: true, line: usage.synopses[0]?.line ?? 1 } as const
    return { ...found, commands: [oneCommand(usage.parameters.filter(isNoHelp), options)] }
  }
  const isOne = found.commands.length === 1
  return { ...found, commands: found.commands.map(command => describe(command, usages, isOne)) }
}

function isNoHelp({ name }: ScriptParameter): boolean {
  return name !== 'help' && name !== 'version'
}

function describe(command: InspectedCommand, usages: readonly UsageReading[], isOne: boolean): InspectedCommand {
  const told = usages.flatMap(({ parameters }) => parameters)
  const { parameters } = command.convention
  const words = parameters.filter(({ pass }) => pass.as === 'positional')
  const synopses = usages.flatMap(usage => usage.synopses)
  const mine = isOne ? usages : synopses.filter(synopsis => synopsis.words.at(-1) === command.convention.command.at(-1))
  const named = mine.map(positionalsOf).find(list => list.length === words.length)
  const described = parameters.map(parameter => {
    const twin = named?.[words.indexOf(parameter)] ?? told.find(other => isSame(other, parameter))
    if (twin === undefined) return parameter
    const isFree = !parameters.some(other => other.name === twin.name)
    const name = /^arg\d+$|^arguments$/.test(parameter.name) && isFree ? twin.name : parameter.name
    const description = parameter.schema['description'] ?? twin.schema['description']
    const schema = description === undefined ? parameter.schema : { ...parameter.schema, description }
    return { ...parameter, name, schema }
  })
  return { ...command, convention: { ...command.convention, parameters: described } }
}

function positionalsOf({ parameters }: Pick<UsageReading, 'parameters'>): readonly ScriptParameter[] {
  return parameters.filter(({ pass }) => pass.as === 'positional')
}

function isSame(a: ScriptParameter, b: ScriptParameter): boolean {
  if ('flags' in a.pass && 'flags' in b.pass) {
    const { flags } = b.pass
    return a.pass.flags.some(flag => flags.includes(flag))
  }
  return a.pass.as === b.pass.as && a.name === b.name
}

function readUsages(script: Script): readonly UsageReading[] {
  return usageTexts(script).flatMap(({ text, line }) => (text.length > LONGEST ? [] : (parseUsage(text, line) ?? [])))
}

function usageTexts({ tree, root, ...script }: Script): readonly { readonly text: string; readonly line: number }[] {
  const comments = tree.comments.filter(comment => MENTIONS.test(textOf(comment))).slice(0, 2)
  const found = commentBlocks(tree.comments, comments)
  const seen = new Set<Node>()
  for (const node of descendants(root)) {
    if ((node.name !== 'String' && node.name !== 'TemplateString') || !MENTIONS.test(textOf(node))) continue
    const block = enclosing(node, at => at.name === 'Block' || at.name === 'Script')
    if (block === undefined || seen.has(block)) continue
    if (block.name === 'Block') seen.add(block)
    const text = block.name === 'Block' ? printedText({ tree, root, ...script }, block) : literalText(node)
    found.push({ text: text.includes('\n') || MENTIONS.test(text) ? text : literalText(node), line: lineOf(node) })
    if (found.length >= MOST_TEXTS) break
  }
  return found
}

const MENTIONS = /\busage\b/i

/** Line comments that touch are one text. */
function commentBlocks(all: readonly Node[], starts: readonly Node[]): { text: string; line: number }[] {
  return starts.map(start => {
    const lines = [textOf(start)]
    let last = start
    for (const next of all.slice(all.indexOf(start) + 1)) {
      if (start.name !== 'LineComment' || !/^[ \t\r]*\n[ \t]*$/.test(next.source.slice(last.to, next.from))) break
      lines.push(textOf(next))
      last = next
    }
    const text = lines
      .join('\n')
      .replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/)[ \t]?/gm, '')
      .replace(/\*\/\s*$/, '')
    return { text, line: lineOf(start) }
  })
}

/** Everything that the calls in a block print, line by line. */
function printedText(script: Script, block: Node): string {
  const lines: string[] = []
  for (const node of descendants(block)) {
    const call = node.name === 'CallExpression' ? callOf(node) : undefined
    if (call === undefined || !/^(?:console\.\w+|process\.std(?:out|err)\.write)$/.test(pathOf(call.callee) ?? ''))
      continue
    const [first] = call.args
    if (first !== undefined) lines.push(evaluateText(script, first) ?? literalText(first))
  }
  return lines.join('\n')
}

/** A literal's text, without what is put into it. */
function literalText(node: Node): string {
  if (node.name !== 'String' && node.name !== 'TemplateString') return ''
  const holes = node.children.filter(child => child.name === 'Interpolation')
  let text = ''
  let at = node.from + 1
  for (const hole of holes) {
    text += node.source.slice(at, hole.from)
    at = hole.to
  }
  return unescapeText(text + node.source.slice(at, node.to - 1))
}
