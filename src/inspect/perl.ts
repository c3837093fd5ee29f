// What a Perl script says of itself: its POD or leading comment, and whether it runs.
import { describeComment, leadingComment } from './comments/describe-comment.ts'
import type { Inspection, ScriptSource } from './inspection.ts'
import { unreadable } from './readable.ts'

/** Reads a Perl script from its source. Never throws and runs nothing. */
export function inspectPerl(source: ScriptSource): Inspection {
  const reason = unreadable(source.text)
  const description = describe(source.text, source.path)
  return {
    runs: reason !== undefined || !isModule(source.text),
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: reason === undefined ? [] : [{ message: `The script ${reason}`, line: 1 }],
    interactive: false,
    requirements: [],
  }
}

function describe(text: string, path: string): string | undefined {
  return (
    describeComment(leadingComment(text, /^\s*(?:use|no)\s/), path) ??
    describeComment(podSection(text, 'NAME'), path) ??
    describeComment(podSection(text, 'DESCRIPTION'), path)
  )
}

/** Lines of a POD section, without formatting codes. */
export function podSection(text: string, title: string): readonly string[] {
  const lines = text.split('\n')
  const start = lines.findIndex(line => line.trimEnd() === `=head1 ${title}`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => /^=(?:head|cut)/.test(line))
  return rest.slice(0, end < 0 ? undefined : end).map(line => line.replace(/[BCFILE]<([^<>]*)>/g, '$1'))
}

/** A package that ends with its `1;` is for others to use. */
function isModule(text: string): boolean {
  const code = text.replace(/^=\w[\s\S]*?^=cut[^\n]*/gm, '').replace(/^__(?:END|DATA)__[\s\S]*/m, '')
  return /^\s*package\s+[\w:]+\s*;/m.test(code) && /(?:^|\n)\s*1\s*;\s*$/.test(code) && !/\bcaller\b/.test(code)
}
