// What all declarations have in common → the common part of a tool; and the checks that a schema cannot make.
import { toSchema2020 } from '../json-schema/schema-2020.ts'
import { schemaProblem } from '../json-schema/validator.ts'
import { parseTemplate, type Reference, referencesOf, TemplateError } from '../templates/parse-template.ts'
import type { Annotations, ExecutorSpec, Json, JsonSchema, Retry, Skill, Tool, ToolOrigin } from '../types.ts'
import type { Entry } from './declared-entries.ts'
import { readVariables } from './declared-variables.ts'

/** A mistake that a schema cannot see; the path is that of the field. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly path: readonly string[]
  readonly hint: string

  constructor(message: string, path: readonly string[], hint: string) {
    super(message)
    this.path = path
    this.hint = hint
  }
}

export type DeclaredDefaults = {
  readonly timeoutMs?: number
  readonly retry?: Retry
}

export type DeclaredPart = {
  readonly skill: Skill
  readonly origin: ToolOrigin
  readonly executor: ExecutorSpec
  /** Where the executor stands in the entry. */
  readonly executorPath: string
  readonly inputSchema: JsonSchema
  readonly defaults: DeclaredDefaults
}

const PROGRAM_TIMEOUT_MS = 60_000
const OTHER_TIMEOUT_MS = 30_000

/** The tool of an entry. Throws `DeclarationError`. */
export function toDeclaredTool({ fields, name }: Entry, part: DeclaredPart): Tool {
  const { skill, executor, inputSchema, defaults } = part
  checkSchema(inputSchema, 'input_schema')
  const resultSchema = fields['result_schema'] ? toSchema2020(fields['result_schema'] as JsonSchema) : undefined
  if (resultSchema) checkSchema(resultSchema, 'result_schema')
  const references = readReferences(executor, part.executorPath)
  checkNames(references, inputSchema, part.executorPath)

  const { variables } = readVariables(fields['env'])
  const inTemplates = references.filter(one => one.from === 'env').map(one => one.path[0]!)
  const env = [...new Set([...inTemplates, ...variables.map(one => one.name)])]
  const timeoutSec = fields['timeout_sec'] as number | undefined
  const isProgram = executor.type === 'script' || executor.type === 'binary'
  const annotations = fields['annotations'] === undefined ? undefined : readAnnotations(fields['annotations'] as Json)
  const retry = readRetry(fields['retry']) ?? (annotations?.idempotent === false ? undefined : defaults.retry)
  return {
    id: `${skill.id}.${name}`,
    name,
    skill: skill.id,
    description: (fields['description'] as string | undefined) ?? `Execute ${name}`,
    inputSchema,
    executor,
    timeoutMs:
      timeoutSec === undefined
        ? (defaults.timeoutMs ?? (isProgram ? PROGRAM_TIMEOUT_MS : OTHER_TIMEOUT_MS))
        : timeoutSec * 1000,
    origin: part.origin,
    ...(resultSchema && { resultSchema }),
    ...(annotations && { annotations }),
    ...(retry && { retry }),
    ...(env.length > 0 && { env }),
    ...(variables.length > 0 && { variables }),
    ...pick(fields, 'roles', 'category', 'tags', 'cost', 'risk'),
    ...(fields['version'] !== undefined && { version: String(fields['version']) }),
  }
}

/** The schema of the arguments, under any of its names. */
export function inputSchemaOf(fields: Entry['fields']): JsonSchema {
  const given = (fields['input_schema'] ?? fields['parameters']) as JsonSchema | undefined
  return toSchema2020({ type: 'object', ...given })
}

export function readRetry(value: unknown): Retry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { max_attempts: maxAttempts = 3, backoff_ms: backoffMs = 200 } = value as Record<string, number>
  return { maxAttempts, backoffMs }
}

function readAnnotations(value: Json): Annotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = value as Record<string, never>
  const all = {
    title,
    readOnly: readOnlyHint,
    destructive: destructiveHint,
    idempotent: idempotentHint,
    openWorld: openWorldHint,
  }
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined))
}

function pick(fields: Entry['fields'], ...names: string[]): Partial<Tool> {
  return Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

function checkSchema(schema: JsonSchema, path: string): void {
  if (path === 'input_schema' && schema['type'] !== 'object')
    throw new DeclarationError(
      `${path}.type must be object.`,
      [path],
      'Describe the arguments as the properties of an object.',
    )
  const problem = schemaProblem(schema)
  if (problem) throw new DeclarationError(`${path} is no JSON Schema: ${problem}.`, [path], 'Mend the schema.')
}

/** Every reference in every template of the executor. */
function readReferences(executor: ExecutorSpec, path: string): Reference[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one)
  }
  // Code is no template: `${HOME}` in a shell script is the script's own.
  collect(executor.type === 'script' ? executor.convention : executor)
  try {
    return texts.flatMap(text => referencesOf(parseTemplate(text)))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new DeclarationError(`A template cannot be read: ${error.message}.`, [path], 'Mend the placeholder.')
  }
}

function checkNames(references: readonly Reference[], schema: JsonSchema, path: string): void {
  const properties = schema['properties'] as object | undefined
  if (!properties || schema['additionalProperties'] !== undefined) return
  const known = Object.keys(properties)
  const unknown = references.find(one => one.from === 'args' && !known.includes(one.path[0]!))
  if (unknown)
    throw new DeclarationError(
      `The template asks for \${${unknown.path.join('.')}}, which the arguments do not have.`,
      [path],
      `Use one of ${known.join(', ') || 'no arguments'}, or add it to the schema.`,
    )
}
