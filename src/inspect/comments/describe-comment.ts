// What a script's leading comment says the script does, without its licence, its decoration and its own file name.
import { firstParagraph } from '../paragraph.ts'

const SECTION =
  /^(?:usage|synopsis|examples?|options?|arguments?|args|parameters?|params|requires?|requirements|environment(?: variables)?|env(?: vars)?|dependencies|prerequisites|exit codes?|returns?|outputs?|inputs?|notes?|authors?|version|date|created|updated|flags|commands?|subcommands?)\b\s*(?:\([^)]*\))?\s*:/i
const NOT_PROSE =
  /\bcopyright\b|SPDX-|\blicen[cs]ed? under\b|all rights reserved|\(c\) \d{4}|^licen[cs]e\b|^shellcheck |-\*-.*-\*-|^(?:vim?|ex):|^(?:rubocop|frozen_string_literal|encoding|coding|generated)\s*:/i

/** Prose has no longer lines, and the patterns here take their time on long ones. */
const LONGEST_LINE = 400

/** The description in comment lines (without their markers); undefined when they describe nothing. */
export function describeComment(lines: readonly string[], path: string): string | undefined {
  const file = path.split(/[/\\]/).at(-1) ?? path
  for (const paragraph of paragraphs(lines)) {
    if (paragraph.some(line => NOT_PROSE.test(line))) continue
    const prose = withoutFileName(untilSection(paragraph), file)
    const text = firstParagraph(titled(prose).join('\n'))
    if (text !== undefined && /\p{L}{2}/u.test(text)) return text
  }
  return undefined
}

/** Lines of `#` comments at the top of a file, after its first line when that names an interpreter. */
export function leadingComment(text: string, passes: RegExp): readonly string[] {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map(line => line.slice(0, LONGEST_LINE))
  const found: string[] = []
  let blockStart = 0
  let setUp = false
  for (const [index, line] of lines.entries()) {
    if (index === 0 && line.startsWith('#!')) continue
    const comment = /^\s*#+!?(.*)$/.exec(line)
    if (!comment && !/^\s*$/.test(line) && !passes.test(line)) {
      // One line right above code, below the set-up, is about that code and not about the script.
      return setUp && found.length === blockStart + 1 ? found.slice(0, blockStart) : found
    }
    setUp ||= passes.test(line)
    found.push(comment ? comment[1]!.replace(/\s*#+$/, '').replace(/^ /, '') : '')
    if (!comment) blockStart = found.length
  }
  return found
}

function paragraphs(lines: readonly string[]): string[][] {
  const result: string[][] = [[]]
  for (const line of lines) {
    const text = line.trim().replace(/^[=\-─━═*~]{3,}\s*|\s*[=\-─━═*~]{3,}$/g, '')
    if (/[\p{L}\p{N}]/u.test(text)) result.at(-1)!.push(text)
    else if (result.at(-1)!.length > 0) result.push([])
  }
  return result
}

function untilSection(paragraph: readonly string[]): readonly string[] {
  const labelled = paragraph.map(line => line.replace(/^(?:description|purpose|summary|synopsis|about)\s*:\s*/i, ''))
  const end = labelled.findIndex(line => SECTION.test(line))
  return end < 0 ? labelled : labelled.slice(0, end)
}

/** `x.sh - does this` says `does this`; a line that is only the name says nothing. */
function withoutFileName(lines: readonly string[], file: string): readonly string[] {
  const stem = file.replace(/\.\w+$/, '')
  const [first = '', ...rest] = lines
  const [, word = '', after = ''] =
    /^(?:script|file|name)?\s*:?\s*`?([\w./-]+)`?\s*(?:[-–—:]+\s+(.*))?$/i.exec(first) ?? []
  const name = word.split('/').at(-1) ?? ''
  const ownName = name === file || name === stem || /^[\w-]+\.(?:sh|bash|zsh|rb|pl|ps1)$/.test(name)
  if (!ownName || word === '') return lines
  return after ? [after, ...rest] : rest
}

/** A line that ends early, above one that begins a sentence, is a sentence of its own: joining them must keep that. */
function titled(lines: readonly string[]): readonly string[] {
  const widest = Math.max(45, ...lines.map(line => line.length))
  return lines.map((line, index) => {
    const [word] = lines[index + 1]?.split(' ') ?? []
    if (word === undefined || !/^\p{Lu}/u.test(word) || !/[\p{L}\p{N})]$/u.test(line)) return line
    return line.length + 1 + word.length < widest ? `${line}.` : line
  })
}
