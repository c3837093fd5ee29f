// Scripts of our own writing, labelled by what they really do: the reader has to find the same.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'
import type { JsonSchema, ParameterPassing } from '../../src/types.ts'

const FOLDER = new URL('labelled/javascript/', import.meta.url)
const labels: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('labelled/javascript.json', import.meta.url), 'utf8'),
)

test('at least 95 % of the labelled JavaScript and TypeScript sources are read exactly as labelled', () => {
  const misses: unknown[] = []
  for (const [file, label] of Object.entries(labels)) {
    const found = summarise(inspectFile(file))
    if (JSON.stringify(found) !== JSON.stringify(label)) misses.push({ file, found, label })
  }
  const share = 1 - misses.length / Object.keys(labels).length
  expect(share, JSON.stringify(misses, null, 2)).toBeGreaterThanOrEqual(0.95)
})

test('no parameter stands behind more words than its command has', () => {
  for (const file of Object.keys(labels))
    for (const { convention } of inspectFile(file).commands)
      for (const { level } of convention.parameters) expect(level, file).toBeLessThanOrEqual(convention.command.length)
})

test('every labelled source has a label', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(labels).sort())
})

function inspectFile(file: string): Inspection {
  const language = /ts$/.test(file) ? 'typescript' : 'javascript'
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  return inspectJavascript({ path: file, text, language, sibling: () => undefined })
}

function summarise({ confidence, runs, interactive, commands }: Inspection) {
  return {
    confidence,
    ...(runs ? {} : { runs }),
    ...(interactive ? { interactive } : {}),
    commands: commands.map(({ convention }) => ({
      command: convention.command,
      parameters: convention.parameters.map(({ name, schema, required, pass }) => ({
        name,
        type: typeOf(schema),
        ...(required ? { required } : {}),
        ...(schema['enum'] === undefined ? {} : { enum: schema['enum'] }),
        ...(schema['default'] === undefined ? {} : { default: schema['default'] }),
        pass: passOf(pass),
      })),
    })),
  }
}

function typeOf(schema: JsonSchema): string {
  if (schema['type'] === 'array') return `${(schema['items'] as JsonSchema)['type']}[]`
  if (schema['anyOf'] !== undefined) return `${(schema['anyOf'] as JsonSchema[])[0]?.['type']}|true`
  return String(schema['type'])
}

function passOf(pass: ParameterPassing): string {
  switch (pass.as) {
    case 'option':
      return [pass.as, pass.join, ...pass.flags, pass.list, pass.bare ? 'bare' : undefined].filter(Boolean).join(' ')
    case 'switch': {
      const when = pass.when === true ? undefined : `when=${pass.when}`
      const opposite = pass.opposite === undefined ? undefined : `opposite=${pass.opposite}`
      return [pass.as, ...pass.flags, when, opposite].filter(Boolean).join(' ')
    }
    case 'count':
      return [pass.as, ...pass.flags].join(' ')
    default:
      return pass.as
  }
}
