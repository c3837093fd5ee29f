// Where a shell script tells its usage: comments, here-documents, and runs of `echo`.
import { parseUsage, type UsageReading } from '../usage.ts'
import type { Command, Word } from './shell-syntax.ts'
import { literalText } from './word-text.ts'
import { someWord } from './words-in.ts'

type UsageText = { readonly text: string; readonly offset: number }

/** Variables that hold colours print nothing. */
const COLOUR =
  /^(?:RED|GREEN|YELLOW|BLUE|CYAN|MAGENTA|PURPLE|WHITE|GRAY|GREY|BOLD|DIM|NC|RESET|NORMAL|UNDERLINE|C_\w+|COLOR_\w+)$/i

/** All usage texts of a script, those that the script prints first. */
export function readUsages(
  text: string,
  commands: readonly Command[],
  lineAt: (offset: number) => number,
): readonly UsageReading[] {
  const printed: UsageText[] = []
  collect(commands, false, constantsOf(commands), printed)
  const readings = printed
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, 40)
    .map(({ text: usage, offset }) => parseUsage(usage, lineAt(offset)))
  const comments = commentBlocks(text).map(block => parseUsage(block.text, block.line))
  return [...readings, ...comments].filter(reading => reading !== undefined)
}

function collect(
  commands: readonly Command[],
  inUsage: boolean,
  constants: ReadonlyMap<string, string>,
  found: UsageText[],
): void {
  let run: { text: string; offset: number } | undefined
  const close = () => {
    if (run && (inUsage || /usage/i.test(run.text)) && run.text.length < 20_000) found.push(run)
    run = undefined
  }
  for (const command of commands) {
    const told = toldBy(command, constants)
    if (told !== undefined) {
      if (run) run.text += `\n${told}`
      else run = { text: told, offset: command.offset }
      continue
    }
    close()
    for (const list of listsIn(command))
      collect(list, inUsage || (command.type === 'function' && /usage|help/i.test(command.name)), constants, found)
    collectMessages(command, constants, found)
  }
  close()
}

/** The text that a command prints. */
function toldBy(command: Command, constants: ReadonlyMap<string, string>): string | undefined {
  if (command.type === 'pipe') return toldBy(command.commands[0]!, constants)
  if (command.type !== 'simple') return undefined
  const name = literalText(command.words[0])
  const body = command.redirects.find(redirect => redirect.body)?.body
  if (name === 'cat' && body) return render(body, constants)
  if (name !== 'echo' && name !== 'printf') return undefined
  const words = command.words.slice(1).filter(word => !/^-[neE]+$/.test(literalText(word) ?? ''))
  const text = words.map(word => render(word, constants)).join(' ')
  return text.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\n$/, '')
}

/** `die "Usage: …"` and `${1:?Usage: …}`. */
function collectMessages(command: Command, constants: ReadonlyMap<string, string>, found: UsageText[]): void {
  if (command.type !== 'simple') return
  for (const word of [
    ...command.words,
    ...command.assignments.flatMap(assignment => (assignment.value ? [assignment.value] : [])),
  ]) {
    const asked = word.parts.map(part =>
      part.type === 'expansion' && /^:?\?$/.test(part.operator) && part.argument
        ? render(part.argument, constants)
        : '',
    )
    for (const text of [...asked, render(word, constants)]) {
      if (/^\W*usage\b/i.test(text)) found.push({ text, offset: command.offset })
    }
  }
}

function listsIn(command: Command): readonly (readonly Command[])[] {
  switch (command.type) {
    case 'function':
      return [[command.body]]
    case 'group':
    case 'for':
      return [command.body]
    case 'loop':
      return [command.condition, command.body]
    case 'if':
      return [...command.branches.map(branch => branch.body), command.otherwise]
    case 'case':
      return command.arms.map(arm => arm.body)
    case 'and':
    case 'or':
      return [[command.left], [command.right]]
    default:
      return []
  }
}

function render(word: Word, constants: ReadonlyMap<string, string>): string {
  return word.parts
    .map(part => {
      if (part.type === 'text') return part.text
      if (part.type === 'command') return someWord(part.commands, namesScript) ? '$0' : ''
      if (part.type === 'arithmetic' || COLOUR.test(part.name)) return ''
      if (part.name === '0' || part.name === 'BASH_SOURCE') return '$0'
      return constants.get(part.name) ?? `$${part.name}`
    })
    .join('')
}

function namesScript(word: Word): boolean {
  return word.parts.some(part => part.type === 'expansion' && /^(?:0|BASH_SOURCE)$/.test(part.name))
}

/** Literal assignments at the top level: defaults that the usage text quotes. */
function constantsOf(commands: readonly Command[]): ReadonlyMap<string, string> {
  const constants = new Map<string, string>()
  for (const command of commands) {
    if (command.type !== 'simple') continue
    for (const { name, value } of command.assignments) {
      const text = literalText(value)
      if (text !== undefined && text.length < 80 && !text.includes('\u001b')) constants.set(name, text)
    }
  }
  return constants
}

/** Runs of comment lines that tell a usage. */
function commentBlocks(text: string): readonly { text: string; line: number }[] {
  const blocks: { text: string; line: number }[] = []
  let block: { lines: string[]; line: number } | undefined
  const close = () => {
    if (block && /\busage\b|\b(?:arguments|options|parameters)\s*:/i.test(block.lines.join('\n')))
      blocks.push({ text: block.lines.join('\n'), line: block.line })
    block = undefined
  }
  for (const [index, line] of text.split('\n').entries()) {
    const comment = /^\s*#(?!!)\s?(.*)$/.exec(line)
    if (!comment) close()
    else if (block) block.lines.push(comment[1]!)
    else block = { lines: [comment[1]!], line: index + 1 }
  }
  close()
  return blocks.slice(0, 40)
}
