// What a PowerShell script says of itself: its comment-based help, its `param` block, and whether it runs.
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, ScriptSource } from './inspection.ts'
import { firstParagraph } from './paragraph.ts'
import { readParameterBlock } from './powershell-parameters.ts'
import { unreadable } from './readable.ts'
import { singleCommand } from './single-command.ts'
import { codeOf, withoutMarked } from './source-code.ts'

/** Reads a PowerShell script from its source. Never throws and runs nothing. */
export function inspectPowershell(source: ScriptSource): Inspection {
  const reason = unreadable(source.text)
  const help = helpOf(source.text)
  const description = describe(source.text, help, source.path)
  const base = {
    runs: reason !== undefined || runs(source.text),
    ...(description === undefined ? {} : { description }),
    interactive: reason === undefined && /\bRead-Host\b/i.test(withoutComments(source.text)),
    requirements: [],
  }
  if (reason !== undefined) {
    return { ...base, commands: [], confidence: 'none', notes: [{ message: `The script ${reason}`, line: 1 }] }
  }
  const block = readParameterBlock(source.text, name =>
    firstParagraph(helpSection(help, `PARAMETER ${name}`).join('\n')),
  )
  const gaps = [...(block?.gaps ?? []), ...looseArguments(source.text)]
  return { ...base, ...singleCommand(block?.parameters ?? [], gaps, 'refuse') }
}

/** `$args` holds what the `param` block does not name. */
function looseArguments(text: string) {
  const offset = withoutComments(text).search(/\$args\b/i)
  return offset < 0
    ? []
    : [{ message: 'Reads arguments without naming them', line: text.slice(0, offset).split('\n').length }]
}

/** Comments blanked out, so that offsets stay. */
function withoutComments(text: string): string {
  return codeOf(withoutMarked(text, '<#', '#>'), {})
}

function helpOf(text: string): string {
  const start = text.slice(0, 20_000).indexOf('<#')
  const end = start < 0 ? -1 : text.indexOf('#>', start)
  return end < 0 ? '' : text.slice(start + 2, end)
}

function describe(text: string, help: string, path: string): string | undefined {
  return (
    describeComment(helpSection(help, 'SYNOPSIS'), path) ??
    describeComment(helpSection(help, 'DESCRIPTION'), path) ??
    (help.includes('.PARAMETER') ? undefined : describeComment(help.split('\n'), path)) ??
    describeComment(leadingComment(text, /^\s*#requires/i), path)
  )
}

/** Lines of `.SYNOPSIS` and its kind, up to the next keyword. */
function helpSection(help: string, keyword: string): readonly string[] {
  const lines = help.split(/\r?\n/)
  const start = lines.findIndex(line => line.trim().toUpperCase() === `.${keyword.toUpperCase()}`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => /^\s*\.[A-Z]+\b/.test(line))
  return rest.slice(0, end < 0 ? undefined : end)
}

/** Some line at the left margin does more than define a function. */
function runs(text: string): boolean {
  const code = withoutMarked(text, '<#', '#>')
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
