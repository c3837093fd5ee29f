import type { Inspection, ScriptSource } from './inspection.ts'
import { inspectJavascript } from './javascript/inspect-javascript.ts'
import { inspectPerl } from './perl.ts'
import { inspectPowershell } from './powershell.ts'
import { inspectPython } from './python/inspect-python.ts'
import { inspectRuby } from './ruby.ts'
import { inspectShell } from './shell/inspect-shell.ts'

/** What a script says of itself, read from its source. Never throws and never runs it. */
export function inspectScript(source: ScriptSource): Inspection {
  switch (source.language) {
    case 'python':
      return inspectPython(source)
    case 'shell':
      return inspectShell(source)
    case 'javascript':
    case 'typescript':
      return inspectJavascript(source)
    case 'ruby':
      return inspectRuby(source)
    case 'perl':
      return inspectPerl(source)
    case 'powershell':
      return inspectPowershell(source)
    case 'other':
      return UNKNOWN
  }
}

const UNKNOWN: Inspection = {
  runs: true,
  commands: [],
  confidence: 'none',
  notes: [],
  interactive: false,
  requirements: [],
}
