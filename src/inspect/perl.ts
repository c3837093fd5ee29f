// What a Perl script says of itself: its POD or leading comment, its `Getopt` and `@ARGV`, and whether it runs.
import { type ArgvPattern, readArgv } from './argv-uses.ts'
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, InspectionNote, ScriptSource } from './inspection.ts'
import { readGetopt } from './perl-options.ts'
import { unreadable } from './readable.ts'
import { singleCommand } from './single-command.ts'
import { codeOf } from './source-code.ts'
import { lineAt } from './split-arguments.ts'
import { parseUsage, type UsageReading } from './usage.ts'

const RULES = { block: { begins: /^=[a-z]\w*/, ends: /^=cut\b/ }, end: /^__(?:END|DATA)__\s*$/ }

const ARGV_PATTERNS: readonly ArgvPattern[] = [
  { kind: 'fewer', pattern: /(?:scalar\s*\(?\s*)?@ARGV\s*\)?\s*<\s*(?<number>\d+)/ },
  { kind: 'unequal', pattern: /(?:scalar\s*\(?\s*)?@ARGV\s*\)?\s*!=\s*(?<number>\d+)/ },
  { kind: 'items', pattern: /^\s*(?:my\s*)?\((?<names>\s*\$\w+(?:\s*,\s*\$\w+)*)\s*\)\s*=\s*@ARGV\s*(?:;|or\b)/ },
  {
    kind: 'item',
    pattern:
      /^\s*(?:my\s+)?\$(?<name>\w+)\s*=\s*\$ARGV\[(?<index>\d+)\]\s*(?:(?:\/\/|\|\|)\s*(?<initial>"[^"]*"|'[^']*'|\d+))?/,
  },
  {
    kind: 'shift',
    pattern:
      /^\s*(?:my\s*)?\(?\s*\$(?<name>\w+)\s*\)?\s*=\s*shift\s*(?:\(?\s*@ARGV\s*\)?)?\s*(?:(?:\/\/|\|\|)\s*(?<initial>"[^"]*"|'[^']*'|\d+))?/,
  },
  { kind: 'list', pattern: /\bfor(?:each)?\s+(?:my\s+)?\$(?<name>\w+)\s*\(\s*@ARGV\s*\)/ },
  { kind: 'list', pattern: /^\s*(?:my\s+)?@(?<name>\w+)\s*=\s*@ARGV\s*;/ },
  { kind: 'text', pattern: /^\s*(?:my\s+)?\$(?<name>\w+)\s*=\s*join\s*\(?[^;]*@ARGV/ },
  { kind: 'empty', pattern: /\bunless\s*\(?\s*@ARGV|!\s*@ARGV|@ARGV\s*(?:or\b|\|\|)|@ARGV\s*==\s*0/ },
]

/** Reads a Perl script from its source. Never throws and runs nothing. */
export function inspectPerl(source: ScriptSource): Inspection {
  const reason = unreadable(source.text)
  const code = reason === undefined ? codeOf(source.text, RULES) : ''
  const description = describe(source.text, source.path)
  const base = {
    runs: reason !== undefined || !isModule(code),
    ...(description === undefined ? {} : { description }),
    interactive: /=\s*<STDIN>/.test(code),
    requirements: [],
  }
  if (reason !== undefined) {
    return { ...base, commands: [], confidence: 'none', notes: [{ message: `The script ${reason}`, line: 1 }] }
  }
  const options = readGetopt(code)
  const argv = readArgv(code, ARGV_PATTERNS, usageOf(source.text, code))
  const gaps = [...options.gaps, ...argv.gaps, ...otherWays(code), ...implicitLoop(source.text)]
  const parses = /\bGetOptions\b|\bgetopts?\s*\(/.test(code)
  return {
    ...base,
    ...singleCommand([...options.parameters, ...argv.parameters], gaps, parses ? 'terminator' : 'pass'),
  }
}

/** `perl -n` and `perl -p` run the script for every line of its input. */
function implicitLoop(text: string): readonly InspectionNote[] {
  return /^#!.*\s-\w*[np]/.test(text) ? [{ message: 'Runs for every line of its input', line: 1 }] : []
}

/** Streams and libraries whose reading is not followed. */
function otherWays(code: string): readonly InspectionNote[] {
  const found =
    /<>|<<>>|while\s*\([^)]*<STDIN>|\bGetOptionsFrom\w+|\bGetopt::(?!Long\b|Std\b)\w+|^use\s+(?:App::Cmd|MooseX::Getopt)/m.exec(
      code,
    )
  return found ? [{ message: 'Takes its input in a way that is not followed', line: lineAt(code, found.index) }] : []
}

function usageOf(text: string, code: string): UsageReading | undefined {
  const printed = /["']\s*(usage:[^"\n]*)/i.exec(code)?.[1]
  const synopsis = podSection(text, 'SYNOPSIS')
    .map(line => line.trim())
    .find(line => line !== '')
  const comment = leadingComment(text, /^\s*(?:use|no)\s/).join('\n')
  const [found] = [printed, synopsis && `Usage: ${synopsis}`, /usage/i.test(comment) ? comment : ''].filter(Boolean)
  return found ? parseUsage(found.replace(/\\n.*$/, ''), 1) : undefined
}

function describe(text: string, path: string): string | undefined {
  return (
    describeComment(leadingComment(text, /^\s*(?:use|no)\s/), path) ??
    describeComment(podSection(text, 'NAME'), path) ??
    describeComment(podSection(text, 'DESCRIPTION'), path)
  )
}

/** Lines of a POD section, without formatting codes. */
function podSection(text: string, title: string): readonly string[] {
  const lines = text.split('\n')
  const start = lines.findIndex(line => line.trimEnd() === `=head1 ${title}`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => /^=(?:head|cut)/.test(line))
  return rest.slice(0, end < 0 ? undefined : end).map(line => line.replace(/[BCFILE]<([^<>]*)>/g, '$1'))
}

/** A package that ends with its `1;` is for others to use. */
function isModule(code: string): boolean {
  return (
    /^[ \t]*package\s+[\w:]+\s*;/m.test(code) &&
    /^\s*1\s*;$/.test(code.trimEnd().split('\n').at(-1) ?? '') &&
    !/\bcaller\b/.test(code)
  )
}
