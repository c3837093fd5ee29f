// How much of real scripts is read right: our schemas against what argparse itself says, argument by argument.
// Usage: npm run bench:inspect -- [--truth FILE] [--round-trip] FOLDER...
// The oracle is `../shared/tools/argparse-truth.py`, or what SKILLWRIGHT_TRUTH names. It runs each script up to the point
// where it asks for its arguments, in a sandbox; `--truth` keeps its answers in a file, so that it is asked only once.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Inspection } from '../src/inspect/inspection.ts'
import { inspectPython } from '../src/inspect/python/inspect-python.ts'
import { differences } from './inspect-compare.ts'
import { roundTrip } from './inspect-round-trip.ts'
import { askTruth, type Truth } from './inspect-truth.ts'

type Judged = {
  readonly script: string
  readonly truth: Truth
  readonly inspection: Inspection
  readonly missed: readonly string[]
  readonly ms: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { truth: { type: 'string' }, 'round-trip': { type: 'boolean' } },
})
const oracle = process.env['SKILLWRIGHT_TRUTH'] ?? '../shared/tools/argparse-truth.py'
const problem = positionals.length === 0 ? 'Name a folder of skills.' : missingOracle()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else report()

function missingOracle(): string | undefined {
  if (existsSync(oracle) || (values.truth && existsSync(values.truth))) return undefined
  return `The oracle is not at ${path.resolve(oracle)}. Name it in SKILLWRIGHT_TRUTH.`
}

function report(): void {
  const { known, unknown } = askTruth(oracle, positionals, values.truth)
  const judged = known.map(judge)
  const right = judged.filter(each => each.missed.length === 0)
  const wrong = judged.filter(each => each.missed.length > 0)
  const unmarked = wrong.filter(each => each.inspection.confidence === 'exact')
  const partial = judged.filter(each => each.inspection.confidence === 'partial')
  for (const { script, inspection, missed } of wrong) {
    for (const line of missed) console.log(`miss (${inspection.confidence}) ${script}: ${line}${reason(inspection)}`)
  }
  for (const { script, inspection } of right) {
    if (inspection.confidence === 'partial') console.log(`right, marked partial ${script}${reason(inspection)}`)
  }
  const slowest = judged.reduce((most, each) => (each.ms > most.ms ? each : most), { script: '', ms: 0 })
  const total = judged.reduce((sum, each) => sum + each.ms, 0)
  console.log(`
scripts               ${judged.length}
exactly right         ${right.length} (${share(right.length, judged.length)})
partial               ${partial.length}, ${partial.filter(each => each.missed.length > 0).length} of them wrong
free-form             ${judged.filter(each => each.inspection.confidence === 'none').length}
wrong and unmarked    ${unmarked.length}
oracle errors         ${unknown.length} (not counted)
time                  ${total.toFixed(0)} ms, slowest ${slowest.ms.toFixed(1)} ms ${slowest.script}`)
  if (values['round-trip']) reportRoundTrip(right)
}

function reportRoundTrip(right: readonly Judged[]): void {
  const exact = right.filter(each => each.inspection.confidence === 'exact')
  const { calls, refused, rejectedByScript, failures } = roundTrip(exact, oracle)
  for (const failure of failures) console.log(`round trip ${failure}`)
  console.log(`
round trips           ${calls}, ${share(calls - failures.length, calls)} with the same values
  refused by us       ${refused} (no command line could pass them safely)
  refused by a type   ${rejectedByScript} (a function of the script's own)`)
}

function judge(truth: Truth): Judged {
  const text = readFileSync(truth.script, 'utf8')
  const folder = path.dirname(truth.script)
  const sibling = (file: string) => {
    const full = path.join(folder, file)
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined
  }
  const start = performance.now()
  const inspection = inspectPython({ path: truth.script, text, language: 'python', sibling })
  const ms = performance.now() - start
  return { script: truth.script, truth, inspection, missed: differences(inspection, truth), ms }
}

function reason(inspection: Inspection): string {
  const [note] = inspection.notes
  return note ? ` [line ${note.line}: ${note.message}]` : ''
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
