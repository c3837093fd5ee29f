// `OptionParser` in Ruby: what `opts.on(…)` declares.
import type { Json, ScriptParameter } from '../types.ts'
import type { InspectionNote } from './inspection.ts'
import { optionParameter } from './option-parameter.ts'
import { someMatches } from './source-code.ts'
import { lineAt, splitArguments, stringText } from './split-arguments.ts'

export type ReadOptions = { readonly parameters: readonly ScriptParameter[]; readonly gaps: readonly InspectionNote[] }

/** `code` is the script without comments. */
export function readOptionParser(code: string): ReadOptions {
  const gaps: InspectionNote[] = []
  const parameters = someMatches(code, /\.(?:on|on_tail|on_head|define)(?:\(|[ \t]+(?=["':]))/g, gaps).flatMap(call => {
    const line = lineAt(code, call.index)
    const rest = code.indexOf('\n', call.index + call[0].length)
    const open = call.index + call[0].length - 1
    // Without parentheses the arguments end where the block begins.
    const text = call[0].endsWith('(')
      ? code
      : `${code.slice(0, open)}(${code.slice(open + 1, rest < 0 ? undefined : rest).replace(/\s(?:do\b|\{).*$/, '')})`
    const items = splitArguments(text, open, '\\')?.items.map(item => item.text)
    const read = items && readOn(items, line, code, call.index)
    if (!read) gaps.push({ message: 'Declares an option in a way that could not be read', line })
    return read && read !== 'help' ? [read] : []
  })
  return { parameters, gaps }
}

function readOn(
  items: readonly string[],
  line: number,
  code: string,
  offset: number,
): ScriptParameter | 'help' | undefined {
  const strings = items.flatMap(item => stringText(item) ?? [])
  const spellings = strings.filter(text => /^-{1,2}[\w[]/.test(text))
  if (spellings.length === 0) return undefined
  const flags = spellings.map(text => /^--?(?:\[no-\])?[\w-]+/.exec(text)?.[0] ?? text)
  if (flags.includes('--help') || flags.includes('--version')) return 'help'
  const negatable = flags.find(flag => flag.startsWith('--[no-]'))
  const takes = spellings.some(text => /^-{1,2}(?:\[no-\])?[\w-]+[ =]\S|^-\w\S/.test(text) && !/^--?[\w-]+$/.test(text))
  const optional = spellings.some(text => /^--?[\w-]+[ =]?\[/.test(text) && !text.startsWith('--[no-]'))
  const list = items.includes('Array')
  const choices = items.map(choicesOf).find(found => found !== undefined)
  const kind =
    items.includes('Integer') || items.includes('OptionParser::DecimalInteger')
      ? 'integer'
      : items.includes('Float') || items.includes('Numeric')
        ? 'number'
        : 'string'
  if (
    optional ||
    list ||
    items.some(item => /^[A-Z]\w+$/.test(item) && !/^(?:String|Integer|Float|Numeric|TrueClass|FalseClass)$/.test(item))
  )
    return undefined
  const description = strings.find(text => !text.startsWith('-') && /\s|^\p{Lu}/u.test(text))
  const key = keySetBy(code, offset)
  return optionParameter({
    flags: flags.map(flag => flag.replace('[no-]', '')),
    value: takes ? kind : 'none',
    repeats: key !== undefined && new RegExp(`\\[${escaped(key)}\\][^\\n]*<<`).test(code.slice(offset, offset + 300)),
    ...(negatable ? { opposite: negatable.replace('[no-]', 'no-') } : {}),
    ...(choices ? { choices } : {}),
    ...initialOf(code, key),
    required: key !== undefined && isDemanded(code, key),
    ...(description === undefined ? {} : { description }),
    line,
  })
}

/** `%w[json csv]`, `[:json, :csv]`, `['a', 'b']`. */
function choicesOf(item: string): readonly string[] | undefined {
  const words = /^%[wi][[({]([^\])}]*)[\])}]$/.exec(item)?.[1]
  if (words !== undefined) return words.trim().split(/\s+/)
  if (!item.startsWith('[')) return undefined
  const inner = splitArguments(item, 0, '\\')?.items.map(({ text }) => stringText(text) ?? /^:(\w+)$/.exec(text)?.[1])
  return inner?.every(text => text !== undefined) ? inner : undefined
}

/** The key of `options[:key] = …` in the block of the call. */
function keySetBy(code: string, offset: number): string | undefined {
  const block = code.slice(offset, offset + 300).split(/\.on(?:_tail)?\b/, 2)
  return /\w+\[(:\w+|["']\w+["'])\]\s*(?:\|\|)?(?:=|<<)/.exec((block[1] ?? '').slice(0, 300))?.[1]
}

function initialOf(code: string, key: string | undefined): { initial?: Json } {
  const name = key?.replace(/^:/, '')
  if (name === undefined) return {}
  const value = new RegExp(
    `[{,(\\s]${escaped(name)}(?::|"?\\s*=>)\\s*("[^"\\n]*"|'[^'\\n]*'|-?\\d+(?:\\.\\d+)?)\\s*[,}\\n]`,
  ).exec(code)?.[1]
  if (value === undefined) return {}
  const text = stringText(value)
  return { initial: text ?? Number(value) }
}

/** `abort '…' unless options[:key]`, `raise … if options[:key].nil?`, and the same as a block. */
function isDemanded(code: string, key: string): boolean {
  const value = `\\w+\\[${escaped(key)}\\]`
  const fails = '(?:abort|raise|exit|warn|puts|STDERR|\\$stderr)'
  return (
    new RegExp(`^\\s*${fails}[^\\n]{0,200}?\\b(?:unless\\s+${value}\\s*$|if\\s+${value}\\.(?:nil|empty)\\?)`, 'm').test(
      code,
    ) ||
    new RegExp(
      `^\\s*(?:unless\\s+${value}|if\\s+!?${value}(?:\\.nil\\?|\\.to_s\\.empty\\?))\\s*$[\\s\\S]{0,200}?^\\s*(?:abort|raise|exit)`,
      'm',
    ).test(code)
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
