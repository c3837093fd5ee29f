import type { Inspection, ScriptSource } from './inspection.ts'
import { inspectJavascript } from './javascript/inspect-javascript.ts'
import { inspectPython } from './python/inspect-python.ts'

/** What a script says of itself, read from its source. Never throws and never runs it. */
export function inspectScript(source: ScriptSource): Inspection {
  switch (source.language) {
    case 'python':
      return inspectPython(source)
    case 'javascript':
    case 'typescript':
      return inspectJavascript(source)
    default:
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
