// The entries of a `tools:` list, each checked on its own: one bad entry never removes its siblings.
import type { ErrorObject } from 'ajv'
import { diagnose } from '../diagnostics.ts'
import { validatorOf } from '../json-schema/validator.ts'
import { nearest } from '../text/nearest.ts'
import type { YamlDocument } from '../text/yaml-document.ts'
import type { Diagnostic, Json, JsonSchema, ToolStatus } from '../types.ts'

export type Entry = {
  readonly fields: Readonly<Record<string, unknown>>
  readonly name: string
  /** Of a field of this entry. */
  readonly lineOf: (...path: (string | number)[]) => number
}

export type EntriesOptions = {
  readonly file: string
  readonly skillId: string
  readonly schema: JsonSchema
  /** Where the list stands in the document. */
  readonly path: readonly string[]
}

export type Entries = {
  readonly entries: readonly Entry[]
  readonly invalid: readonly ToolStatus[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the list. Unknown keys are warned of; anything else that is wrong makes its entry invalid. */
export function readEntries(
  list: readonly unknown[],
  document: Extract<YamlDocument, { ok: true }>,
  options: EntriesOptions,
): Entries {
  const { file, skillId, schema } = options
  const entries: Entry[] = []
  const invalid: ToolStatus[] = []
  const diagnostics: Diagnostic[] = []
  const names = new Set<string>()

  for (const [index, item] of list.entries()) {
    const lineOf = (...path: (string | number)[]) => document.lineOf([...options.path, index, ...path])
    const fields = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
    const name = typeof fields['name'] === 'string' ? fields['name'] : `tool-${index + 1}`
    const problems = problemsIn(item, schema)
    const faults = problems.filter(problem => problem.isFault)
    if (names.has(name))
      faults.push({ message: `Another tool is called ${name}.`, hint: 'Rename it.', path: ['name'], isFault: true })
    names.add(name)
    for (const problem of problems.filter(one => !one.isFault))
      say(problem, lineOf(...problem.path), 'manifest-unknown-key')
    if (faults.length === 0) entries.push({ fields, name, lineOf })
    for (const [position, fault] of faults.entries()) {
      const line = lineOf(...fault.path)
      say(fault, line, 'tool-invalid')
      if (position === 0)
        invalid.push({ id: `${skillId}.${name}`, status: 'invalid', reason: fault.message, file, line })
    }
  }
  return { entries, invalid, diagnostics }

  function say({ message, hint }: Problem, line: number, code: 'tool-invalid' | 'manifest-unknown-key'): void {
    diagnostics.push(diagnose(code, { file, line }, { message, hint }))
  }
}

/** What is wrong around the tools of a file. Nothing of it makes a tool invalid: what cannot be used is left out. */
export function readHead(
  fields: Readonly<Record<string, Json>>,
  { lineOf }: Extract<YamlDocument, { ok: true }>,
  { file, schema }: Pick<EntriesOptions, 'file' | 'schema'>,
): { readonly usable: Readonly<Record<string, Json>>; readonly diagnostics: readonly Diagnostic[] } {
  const problems = problemsIn(fields, schema)
  const wrong = problems.filter(problem => problem.isFault).map(problem => problem.path.join('.'))
  return {
    usable: withoutWrong(fields, ''),
    diagnostics: problems.map(({ message, hint, path, isFault }) =>
      diagnose(
        isFault ? 'manifest-wrong-value' : 'manifest-unknown-key',
        { file, line: lineOf(path) },
        { message, hint },
      ),
    ),
  }

  function withoutWrong(value: Readonly<Record<string, Json>>, prefix: string): Readonly<Record<string, Json>> {
    const right = Object.entries(value).filter(([key]) => !wrong.includes(prefix + key))
    return Object.fromEntries(
      right.map(([key, one]) => [key, isRecord(one) ? withoutWrong(one, `${prefix}${key}.`) : one]),
    )
  }
}

const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function problemsIn(value: unknown, schema: JsonSchema): Problem[] {
  const validate = validatorOf(schema, { isSound: true })
  validate(value)
  return (validate.errors ?? []).filter(isTelling).map(toProblem)
}

type Problem = {
  readonly message: string
  readonly hint: string
  readonly path: readonly (string | number)[]
  readonly isFault: boolean
}

/** `oneOf` complains again about what its branch has said better. */
function isTelling({ keyword }: ErrorObject): boolean {
  return keyword !== 'oneOf'
}

function toProblem({ keyword, instancePath, params, message = '', schema, parentSchema }: ErrorObject): Problem {
  const path = instancePath.split('/').slice(1).map(decode)
  const where = path.join('.') || 'The tool'
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty'])
    const known = Object.keys((parentSchema?.['properties'] ?? {}) as object)
    const [meant] = nearest(key, known, 1)
    const hint = meant ? `Did you mean ${meant}?` : `Remove it. Known: ${known.join(', ')}.`
    return { message: `Unknown key ${[...path, key].join('.')}.`, hint, path: [...path, key], isFault: false }
  }
  if (keyword === 'required') {
    const key = String(params['missingProperty'])
    return { message: `${[...path, key].join('.')} is missing.`, hint: `Add \`${key}:\`.`, path, isFault: true }
  }
  if (keyword === 'discriminator') {
    const types = ((schema as { oneOf?: unknown[] } | undefined)?.oneOf ?? parentSchema?.['oneOf'] ?? []) as {
      properties: { type: { const: string } }
    }[]
    const known = types.map(one => one.properties.type.const).join(', ')
    return {
      message: `${where}.type is not known.`,
      hint: `Write one of: ${known}.`,
      path: [...path, 'type'],
      isFault: true,
    }
  }
  const allowed = keyword === 'enum' ? ` (${(params['allowedValues'] as unknown[]).join(', ')})` : ''
  return { message: `${where} ${message}${allowed}.`, hint: 'Mend the value.', path, isFault: true }
}

function decode(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')
}
