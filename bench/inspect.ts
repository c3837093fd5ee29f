// How much of real scripts is read right: compares with argparse itself, then calls every script's own parser.
// Usage: npm run bench:inspect -- [--oracle FILE] [--truth FILE] [--round-trip] [--speed] FOLDER...
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Inspection } from '../src/inspect/inspection.ts'
import { inspectPython } from '../src/inspect/python/inspect-python.ts'
import { differences } from './inspect-compare.ts'
import { askTruth, type Truth } from './inspect-truth.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    oracle: { type: 'string', default: '../shared/tools/argparse-truth.py' },
    truth: { type: 'string' },
    'round-trip': { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
  },
})

const { known, unknown } = askTruth(values.oracle, positionals, values.truth)
const results = known.map(truth => ({ truth, ...judge(truth) }))
const right = results.filter(result => result.missed.length === 0)
const lies = results.filter(result => result.missed.length > 0 && result.inspection.confidence === 'exact')

for (const { truth, inspection, missed } of results) {
  if (missed.length === 0) continue
  console.log(`${inspection.confidence.toUpperCase()} ${truth.script}`)
  for (const line of missed.slice(0, 6)) console.log(`    ${line}`)
  for (const note of inspection.notes.slice(0, 4)) console.log(`    note ${note.line}: ${note.message}`)
}
const partial = right.filter(result => result.inspection.confidence !== 'exact')
for (const { truth, inspection } of partial) {
  console.log(`right, but partial: ${truth.script}: ${inspection.notes[0]?.line} ${inspection.notes[0]?.message}`)
}
console.log(`asked ${known.length} scripts (${unknown.length} more could not be dumped)`)
console.log(`exactly right: ${right.length} of ${known.length} (${share(right.length, known.length)}), ${partial.length} of them marked partial`)
console.log(`wrong but marked exact: ${lies.length}`)

function judge(truth: Truth): { inspection: Inspection; missed: string[] } {
  const inspection = inspect(truth.script)
  return { inspection, missed: differences(inspection, truth) }
}

function inspect(script: string): Inspection {
  const folder = path.dirname(script)
  const sibling = (file: string) => {
    const full = path.join(folder, file)
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined
  }
  return inspectPython({ path: script, text: readFileSync(script, 'utf8'), language: 'python', sibling })
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
