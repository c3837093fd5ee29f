import type { Inspection, ScriptSource } from '../inspection.ts'
import { describeScript } from './description.ts'
import { runsWhenLoaded } from './runs.ts'
import { parseScript } from './syntax-tree.ts'

/** Reads a JavaScript or TypeScript file without running it. It never throws. */
export function inspectJavascript(source: ScriptSource): Inspection {
  const tree = parseScript(source.text, source.language)
  const description = describeScript(tree)
  return {
    runs: runsWhenLoaded(tree.root),
    ...(description === undefined ? {} : { description }),
    commands: [],
    confidence: 'none',
    notes: [],
    interactive: false,
    requirements: [],
  }
}
