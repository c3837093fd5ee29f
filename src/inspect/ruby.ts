// What a Ruby script says of itself: its leading comment, and whether it runs.
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, ScriptSource } from './inspection.ts'
import { unreadable } from './readable.ts'

/** Reads a Ruby script from its source. Never throws and runs nothing. */
export function inspectRuby(source: ScriptSource): Inspection {
  const reason = unreadable(source.text)
  const description = describe(source.text, source.path)
  return {
    runs: reason !== undefined || runs(source.text),
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: reason === undefined ? [] : [{ message: `The script ${reason}`, line: 1 }],
    interactive: false,
    requirements: [],
  }
}

function describe(text: string, path: string): string | undefined {
  const block = /^=begin[^\n]*\n([\s\S]{0,4000}?)^=end/m.exec(text.slice(0, 20_000))?.[1]
  return describeComment(leadingComment(text, /^\s*require/), path) ?? describeComment(block?.split('\n') ?? [], path)
}

/** Some line at the left margin does more than define: definitions are indented up to their `end`. */
function runs(text: string): boolean {
  if (/\b__FILE__\s*==\s*\$(?:0|PROGRAM_NAME)|\$(?:0|PROGRAM_NAME)\s*==\s*__FILE__/.test(text)) return true
  const code = text.replace(/^=begin[\s\S]*?^=end[^\n]*/gm, '').replace(/^__END__[\s\S]*/m, '')
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
