// Scripts of our own writing with labels made by hand from what each script does: the reader has to agree with them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectScript } from '../../src/inspect/inspect-script.ts'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { languageOfName } from '../../src/tools/language.ts'
import type { Json } from '../../src/types.ts'

type Label = { readonly [key: string]: Json } & { readonly commands: readonly Json[] }

const FOLDER = join(import.meta.dirname, 'labelled/shell')
const labels: Record<string, Label> = JSON.parse(readFileSync(join(FOLDER, 'labels.json'), 'utf8'))

test('every labelled script has a label and every label a script', () => {
  expect(readdirSync(FOLDER).sort()).toEqual([...Object.keys(labels), 'labels.json'].sort())
})

test('at least 95 % of the labelled scripts are read as they are labelled', () => {
  const misses = Object.keys(labels).flatMap(file => missesOf(file))
  const wrong = new Set(misses.map(miss => miss.file))
  const share = 1 - wrong.size / Object.keys(labels).length
  const report = misses.map(
    ({ file, what, expected, actual }) => `${file} ${what}\n  expected ${expected}\n  actual   ${actual}`,
  )
  console.log(`${(share * 100).toFixed(1)} % of ${Object.keys(labels).length} as labelled\n${report.join('\n')}`)
  expect(share).toBeGreaterThanOrEqual(0.95)
})

test('no labelled script is read wrongly and called exact', () => {
  const silent = Object.keys(labels).filter(file => missesOf(file).length > 0 && inspect(file).confidence === 'exact')
  expect(silent).toEqual([])
})

function missesOf(file: string) {
  const label = labels[file]!
  const actual = summary(inspect(file), label)
  return Object.keys(label)
    .filter(key => JSON.stringify(actual[key]) !== JSON.stringify(label[key]))
    .map(what => ({ file, what, expected: JSON.stringify(label[what]), actual: JSON.stringify(actual[what]) }))
}

function inspect(file: string): Inspection {
  const language = languageOfName(file) ?? 'shell'
  return inspectScript({
    path: file,
    text: readFileSync(join(FOLDER, file), 'utf8'),
    language,
    sibling: () => undefined,
  })
}

/** The inspection in the form of the labels, with what the label leaves open left out. */
function summary(inspection: Inspection, label: Label): Record<string, Json> {
  const { note } = label
  return {
    confidence: inspection.confidence,
    commands: inspection.commands.map(({ convention }) => ({
      command: convention.command,
      parameters: convention.parameters.map(({ name, schema, required, level, pass }) => ({
        name,
        type: schema.type ?? null,
        required,
        ...(schema.enum === undefined ? {} : { enum: schema.enum }),
        ...(schema.default === undefined ? {} : { default: schema.default }),
        ...(level === 0 ? {} : { level }),
        pass,
      })),
      ...(convention.parameters.some(({ pass }) => pass.as === 'positional') ? { dashes: convention.dashes } : {}),
    })),
    interactive: inspection.interactive,
    runs: inspection.runs,
    requirements: inspection.requirements.map(({ name }) => name),
    note: inspection.notes.some(({ message }) => typeof note === 'string' && message.includes(note))
      ? (note ?? null)
      : null,
  }
}
