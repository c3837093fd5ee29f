// Tools that a skill declares: tool-manifest.yaml over frontmatter `tools:` over scripts/manifest.yml.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import { locateScript } from '../files/locate-script.ts'
import { readYaml, type YamlDocument } from '../text/yaml-document.ts'
import type { Diagnostic, Json, JsonSchema, Skill, Tool, ToolStatus, Variable } from '../types.ts'
import { type Entry, readEntries, readHead } from './declared-entries.ts'
import { readBackend, readConvention, readExecutor, scriptFile } from './declared-executor.ts'
import { DeclarationError, type DeclaredDefaults, inputSchemaOf, readRetry, toDeclaredTool } from './declared-tool.ts'
import { mergeVariables, type ReadVariables, readVariables, skillVariables } from './declared-variables.ts'
import {
  FRONTMATTER_TOOL,
  MANIFEST,
  MANIFEST_TOOL,
  SCRIPTS_MANIFEST,
  SCRIPTS_MANIFEST_TOOL,
} from './manifest-schema.ts'
import { readCandidate } from './script-candidate.ts'

export type Declarations = {
  readonly tools: readonly Tool[]
  readonly invalid: readonly ToolStatus[]
  readonly diagnostics: readonly Diagnostic[]
  /** What all programs of the skill get. */
  readonly variables: readonly Variable[]
}

export type DeclarationsOptions = {
  /** All of SKILL.md, for the lines of its frontmatter. */
  readonly skillText: () => string
}

/** Reads what a skill declares. Never throws. */
export function readDeclarations(skill: Skill, { skillText }: DeclarationsOptions): Declarations {
  const tools = new Map<string, Tool>()
  const invalid: ToolStatus[] = []
  const diagnostics: Diagnostic[] = []

  const inManifest = readManifest()
  readFrontmatter()
  readScriptsManifest()
  const inFrontmatter = told(skillVariables(skill), skill.file, frontmatterLine)
  const variables = mergeVariables(inManifest, inFrontmatter)
  return { tools: [...tools.values()], invalid, diagnostics, variables }

  function readManifest(): readonly Variable[] {
    const found = readDeclarationFile(skill, MANIFEST_NAMES, diagnostics)
    if (!found) return []
    const { runtime, env } = headOf(found, MANIFEST) as {
      runtime?: { default_timeout_sec?: number; default_retry?: Json }
      env?: Json
    }
    const seconds = runtime?.default_timeout_sec
    const retry = readRetry(runtime?.default_retry)
    const defaults: DeclaredDefaults = {
      ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
      ...(retry && { retry }),
    }
    readList(found, MANIFEST_TOOL, entry =>
      toDeclaredTool(entry, {
        skill,
        origin: 'tool-manifest',
        executor: readExecutor(entry.fields['executor'] as Record<string, Json>, skill),
        executorPath: 'executor',
        inputSchema: inputSchemaOf(entry.fields),
        defaults,
      }),
    )
    return told(readVariables(env), found.file, () => found.document.lineOf(['env']))
  }

  function readFrontmatter(): void {
    const { tools: list } = skill.frontmatter
    // A list of names only says which tools of the host the skill likes to use.
    if (!Array.isArray(list) || !list.some(item => typeof item === 'object' && item !== null && 'backend' in item))
      return
    const document = frontmatterDocument(skillText())
    if (!document.ok) return
    readList({ file: skill.file, document, fields: skill.frontmatter }, FRONTMATTER_TOOL, entry => {
      const backend = entry.fields['backend'] as Record<string, Json>
      const timeoutMs = backend['timeout_ms']
      return toDeclaredTool(entry, {
        skill,
        origin: 'frontmatter',
        executor: readBackend(backend, skill, entry.name),
        executorPath: 'backend',
        inputSchema: inputSchemaOf(entry.fields),
        defaults: typeof timeoutMs === 'number' ? { timeoutMs } : {},
      })
    })
  }

  function readScriptsManifest(): void {
    const found = readDeclarationFile(skill, SCRIPTS_MANIFEST_NAMES, diagnostics)
    if (!found) return
    headOf(found, SCRIPTS_MANIFEST)
    readList(found, SCRIPTS_MANIFEST_TOOL, entry => {
      const parameters = (entry.fields['parameters'] ?? []) as readonly ListedParameter[]
      const file = `scripts/${String(entry.fields['script'])}`
      const fields = entry.fields as Record<string, Json>
      const cwd = fields['cwd'] === 'workspace' ? 'workspace' : 'skill'
      const isTold = fields['args_template'] !== undefined || fields['stdin_template'] !== undefined
      const convention = (!isTold && conventionOf(skill, file, parameters)) || readConvention(fields)
      return toDeclaredTool(entry, {
        skill,
        origin: 'scripts-manifest',
        executor: scriptFile(file, skill, { cwd, convention }),
        executorPath: 'script',
        inputSchema: listedSchema(parameters),
        defaults: {},
      })
    })
  }

  function told({ variables, refused }: ReadVariables, file: string, line: () => number): readonly Variable[] {
    for (const text of refused) diagnostics.push(diagnose('variable-refused', { file, line: line() }, text))
    return variables
  }

  function frontmatterLine(): number {
    const document = frontmatterDocument(skillText())
    return document.ok ? document.lineOf(['env']) : 1
  }

  function headOf({ file, document, fields }: DeclarationFile, schema: JsonSchema): Readonly<Record<string, Json>> {
    const { tools: _, ...head } = fields as Record<string, Json>
    const read = readHead(head, document, { file, schema })
    diagnostics.push(...read.diagnostics)
    return read.usable
  }

  function readList(found: DeclarationFile, schema: JsonSchema, toTool: (entry: Entry) => Tool): void {
    const { file, document, fields } = found
    const list = fields['tools']
    if (!Array.isArray(list)) {
      const hint = 'Write `tools:` and below it one `- name: …` for each tool.'
      diagnostics.push(
        diagnose('tool-invalid', { file, line: document.lineOf(['tools']) }, { message: '`tools` is no list.', hint }),
      )
      return
    }
    const read = readEntries(list, document, { file, skillId: skill.id, schema, path: ['tools'] })
    invalid.push(...read.invalid)
    diagnostics.push(...read.diagnostics)
    for (const entry of read.entries) {
      if (tools.has(entry.name)) {
        const message = `${entry.name} is declared with higher priority elsewhere; this declaration is not used.`
        diagnostics.push(
          diagnose('tool-declared-twice', { file, line: entry.lineOf() }, { message, hint: 'Remove one of the two.' }),
        )
        continue
      }
      try {
        tools.set(entry.name, toTool(entry))
        told(readVariables(entry.fields['env']), file, () => entry.lineOf('env'))
      } catch (error) {
        if (!(error instanceof DeclarationError)) throw error
        const line = entry.lineOf(...error.path)
        invalid.push({ id: `${skill.id}.${entry.name}`, status: 'invalid', reason: error.message, file, line })
        diagnostics.push(diagnose('tool-invalid', { file, line }, { message: error.message, hint: error.hint }))
      }
    }
  }
}

/** The names of the files that declare tools, relative to the skill's folder; of several the first counts. */
export const MANIFEST_NAMES = ['tool-manifest.yaml', 'tool-manifest.yml', 'tool-manifest.json']
export const SCRIPTS_MANIFEST_NAMES = ['scripts/manifest.yml', 'scripts/manifest.yaml', 'scripts/manifest.json']

const MAX_BYTES = 1024 * 1024

type DeclarationFile = {
  readonly file: string
  readonly document: Extract<YamlDocument, { ok: true }>
  readonly fields: Readonly<Record<string, unknown>>
}

function readDeclarationFile(
  skill: Skill,
  names: readonly string[],
  diagnostics: Diagnostic[],
): DeclarationFile | undefined {
  for (const name of names) {
    const located = locateScript(skill.folder, name)
    if (!located.ok) continue
    const file = join(skill.folder, name)
    const read = readDeclarationText(located.path)
    if (read.ok && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value))
      return { file, document: read, fields: read.value as Record<string, unknown> }
    const message = read.ok ? 'The file is no list of `key: value` lines.' : `${read.message}.`
    const hint = 'Mend the YAML; until then the skill has only the tools that its scripts give.'
    diagnostics.push(diagnose('manifest-unreadable', { file, line: read.ok ? 1 : read.line }, { message, hint }))
    return undefined
  }
  return undefined
}

function readDeclarationText(path: string): YamlDocument {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES)
      return { ok: false, message: `The file has ${size} bytes; ${MAX_BYTES} is the limit`, line: 1 }
    return readYaml(readFileSync(path, 'utf8'))
  } catch (error) {
    return { ok: false, message: `The file cannot be read (${(error as NodeJS.ErrnoException).code})`, line: 1 }
  }
}

function frontmatterDocument(text: string): YamlDocument {
  const start = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/.exec(text)?.[0] ?? ''
  const yaml = text.slice(start.length).split(/^---[ \t]*$/m, 1)[0]!
  return readYaml(yaml, start.split('\n').length)
}

type ListedParameter = {
  readonly name: string
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  readonly default?: Json
}

function listedSchema(parameters: readonly ListedParameter[]): JsonSchema {
  const properties = parameters.map(({ name, type = 'string', description, default: value }) => [
    name,
    { type, ...(description && { description }), ...(value !== undefined && { default: value }) },
  ])
  const required = parameters.filter(one => one.required ?? one.default === undefined).map(one => one.name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** How the script itself takes these parameters, when it knows them all; undefined otherwise. */
function conventionOf(skill: Skill, file: string, parameters: readonly ListedParameter[]) {
  const candidate = readCandidate(skill.folder, { file, kind: 'file' })
  if (candidate.kind !== 'script') return undefined
  const [command, ...others] = candidate.script.inspection.commands
  const known = new Set(command?.convention.parameters.map(one => one.name))
  return command && others.length === 0 && parameters.every(one => known.has(one.name)) ? command.convention : undefined
}
