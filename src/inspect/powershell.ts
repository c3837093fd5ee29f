// What a PowerShell script says of itself: its comment-based help, and whether it runs.
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, ScriptSource } from './inspection.ts'
import { unreadable } from './readable.ts'

/** Reads a PowerShell script from its source. Never throws and runs nothing. */
export function inspectPowershell(source: ScriptSource): Inspection {
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
  const help = /<#([\s\S]{0,8000}?)#>/.exec(text.slice(0, 20_000))?.[1] ?? ''
  return (
    describeComment(helpSection(help, 'SYNOPSIS'), path) ??
    describeComment(helpSection(help, 'DESCRIPTION'), path) ??
    (help.includes('.PARAMETER') ? undefined : describeComment(help.split('\n'), path)) ??
    describeComment(leadingComment(text, /^\s*#requires/i), path)
  )
}

/** Lines of `.SYNOPSIS` and its kind, up to the next keyword. */
export function helpSection(help: string, keyword: string): readonly string[] {
  const lines = help.split(/\r?\n/)
  const start = lines.findIndex(line => line.trim().toUpperCase() === `.${keyword.toUpperCase()}`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => /^\s*\.[A-Z]+\b/.test(line))
  return rest.slice(0, end < 0 ? undefined : end)
}

/** Some line at the left margin does more than define a function. */
function runs(text: string): boolean {
  const code = text.replace(/<#[\s\S]*?#>/g, '')
  if (!/^function\b/im.test(code)) return true
  return code
    .split('\n')
    .some(
      line =>
        /^\S/.test(line) &&
        !/^(?:#|function\b|filter\b|[{})\]]|\$\w+\s*=|\$\w+:\w+\s*=|Set-StrictMode|Export-ModuleMember|param\b|\[CmdletBinding)/i.test(
          line,
        ),
    )
}
