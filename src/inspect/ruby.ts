// What a Ruby script says of itself: its leading comment, its `OptionParser` and `ARGV`, and whether it runs.
import { type ArgvPattern, readArgv } from './argv-uses.ts'
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, InspectionNote, ScriptSource } from './inspection.ts'
import { unreadable } from './readable.ts'
import { readOptionParser } from './ruby-options.ts'
import { singleCommand } from './single-command.ts'
import { codeOf } from './source-code.ts'
import { lineAt } from './split-arguments.ts'
import { parseUsage, type UsageReading } from './usage.ts'

const RULES = { block: { begins: /^=begin\b/, ends: /^=end\b/ }, end: /^__END__\s*$/ }

const ARGV_PATTERNS: readonly ArgvPattern[] = [
  { kind: 'nothing', pattern: /\bparse!?\s*\(?\s*\(?ARGV|\.(?:order|permute)!?\s*\(?ARGV/ },
  { kind: 'fewer', pattern: /ARGV\.(?:length|size|count)\s*<\s*(?<number>\d+)/ },
  { kind: 'unequal', pattern: /ARGV\.(?:length|size|count)\s*!=\s*(?<number>\d+)/ },
  { kind: 'empty', pattern: /ARGV\.(?:empty\?|none\?)|ARGV\.(?:length|size|count)\s*==\s*0|ARGV\[0\]\.nil\?/ },
  { kind: 'items', pattern: /^\s*(?<names>\w+(?:\s*,\s*\w+)+)\s*=\s*\*?ARGV\s*$/ },
  {
    kind: 'items',
    pattern: /^\s*(?<names>\w+\s*,\s*\w+(?:\s*,\s*\w+)?)\s*=\s*ARGV\[0\],\s*ARGV\[1\](?:,\s*ARGV\[2\])?\s*$/,
  },
  {
    kind: 'item',
    pattern: /^\s*(?<name>\w+)\s*=\s*ARGV\[(?<index>\d+)\]\s*(?:\|\|\s*(?<initial>"[^"]*"|'[^']*'|\d+))?/,
  },
  { kind: 'item', pattern: /^\s*(?<name>\w+)\s*=\s*ARGV\.first\b\s*(?:\|\|\s*(?<initial>"[^"]*"|'[^']*'|\d+))?/ },
  { kind: 'shift', pattern: /^\s*(?<name>\w+)\s*=\s*ARGV\.shift\b\s*(?:\|\|\s*(?<initial>"[^"]*"|'[^']*'|\d+))?/ },
  { kind: 'text', pattern: /^\s*(?<name>\w+)\s*=\s*ARGV\.join\b/ },
  { kind: 'list', pattern: /ARGV\.(?:each|map|each_with_index)\b[^|\n]*\|(?<name>\w+)/ },
  { kind: 'list', pattern: /^\s*(?<name>\w+)\s*=\s*ARGV(?:\.dup)?\s*$/ },
]

/** Reads a Ruby script from its source. Never throws and runs nothing. */
export function inspectRuby(source: ScriptSource): Inspection {
  const reason = unreadable(source.text)
  const code = reason === undefined ? codeOf(source.text, RULES) : ''
  const description = describe(source.text, source.path)
  const base = {
    runs: reason !== undefined || runs(code),
    ...(description === undefined ? {} : { description }),
    interactive: /\b(?:STDIN|\$stdin)\.(?:gets|getch|noecho)\b|(?:^|=\s*)gets\b/m.test(code),
    requirements: [],
  }
  if (reason !== undefined) {
    return { ...base, commands: [], confidence: 'none', notes: [{ message: `The script ${reason}`, line: 1 }] }
  }
  const options = readOptionParser(code)
  const argv = readArgv(code, ARGV_PATTERNS, usageOf(source.text, code))
  const gaps = [...options.gaps, ...argv.gaps, ...otherWays(code)]
  const parses = options.parameters.length > 0 || /OptionParser/.test(code)
  return {
    ...base,
    ...singleCommand([...options.parameters, ...argv.parameters], gaps, parses ? 'terminator' : 'pass'),
  }
}

/** Libraries and streams whose reading is not followed. */
function otherWays(code: string): readonly InspectionNote[] {
  const found =
    /\b(?:ARGF|Thor|Slop|Optimist|GLI|Dry::CLI|Clamp|TTY::Option|Commander)\b|\b(?:STDIN|\$stdin)\.(?:read|each_line|each)\b/.exec(
      code,
    )
  return found ? [{ message: `Takes its input through ${found[0]}`, line: lineAt(code, found.index) }] : []
}

function usageOf(text: string, code: string): UsageReading | undefined {
  const banner = /\bbanner\s*=?\s*\(?\s*["']([^"'\n]*)/.exec(code)
  const printed = /["']\s*(usage:[^"\n]*)/i.exec(code)
  const comment = leadingComment(text, /^\s*require/).join('\n')
  const [found] = [banner?.[1], printed?.[1], comment].flatMap(usage => (usage && /usage/i.test(usage) ? [usage] : []))
  return found === undefined ? undefined : parseUsage(found.replace(/#\{[^}]*\}/g, '$0'), 1)
}

function describe(text: string, path: string): string | undefined {
  const lines = text.slice(0, 20_000).split('\n')
  const start = lines.findIndex(line => /^=begin\b/.test(line))
  const end = lines.findIndex((line, index) => index > start && /^=end\b/.test(line))
  const block = start < 0 || end < 0 ? [] : lines.slice(start + 1, end)
  return describeComment(leadingComment(text, /^\s*require/), path) ?? describeComment(block, path)
}

/** Some line at the left margin does more than define: definitions are indented up to their `end`. */
function runs(code: string): boolean {
  if (/\b__FILE__\s*==\s*\$(?:0|PROGRAM_NAME)|\$(?:0|PROGRAM_NAME)\s*==\s*__FILE__/.test(code)) return true
  const defines = /^(?:def|class|module)\b/m.test(code)
  const acts = code
    .split('\n')
    .some(
      line =>
        /^\S/.test(line) &&
        !/^(?:#|require|include|extend|def\b|class\b|module\b|end\b|[A-Z]\w*\s*=|[\])}])/.test(line),
    )
  return acts || !defines
}
