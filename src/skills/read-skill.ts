// One SKILL.md → one Skill, or the reason why there is none. Only the frontmatter is read.
import { basename } from 'node:path'
import { type DiagnosticCode, diagnose } from '../diagnostics.ts'
import type { AllowedTool, Diagnostic, Skill } from '../types.ts'
import { readAllowedTools } from './allowed-tools.ts'
import { readFrontmatter, splitFrontmatter } from './frontmatter.ts'
import { isValidName, NAME_RULE, skillId, toValidName } from './skill-name.ts'
import type { SkillPlace } from './walk-source.ts'

export type SkillReading = { readonly skill: Skill | undefined; readonly diagnostics: readonly Diagnostic[] }

/** Reads the metadata of one skill from the beginning of its file, or says why that could not be read. Never throws. */
export function readSkill(place: SkillPlace, source: string, head: string | NodeJS.ErrnoException): SkillReading {
  const { file, folder, plugin, within } = place
  const found = readFields(file, head)
  if (!found.fields) return { skill: undefined, diagnostics: found.diagnostics }

  const { fields, lineOf } = found
  const diagnostics = [...found.diagnostics]
  const say: Say = (code, key, message, hint) => {
    diagnostics.push(diagnose(code, { file, line: lineOf(key) }, { message, hint }))
  }
  const description = readText(withPlainDescription(found, say), 'description', say, 'description-too-long', 1024)
  if (!description) {
    const hint = 'Add `description:` — what the skill does and when to use it.'
    say('description-missing', 'description', 'There is no description.', hint)
    return { skill: undefined, diagnostics }
  }
  const name = readName(fields, basename(folder), say)
  const compatibility = readText(fields, 'compatibility', say, 'compatibility-too-long', 500)
  const license = toText(fields['license'])
  const allowedTools = readRestriction(fields, say)
  checkMetadata(fields, say)

  const skill: Skill = {
    id: skillId(name, plugin),
    name,
    ...(plugin !== undefined && { plugin }),
    description,
    folder,
    file,
    source,
    ...(within.length > 0 && { within }),
    ...(license && { license }),
    ...(compatibility && { compatibility }),
    ...(allowedTools && { allowedTools }),
    modelInvocable: fields['disable-model-invocation'] !== true,
    frontmatter: fields,
  }
  return { skill, diagnostics }
}

type Fields = Readonly<Record<string, unknown>>
type Say = (code: DiagnosticCode, key: string, message: string, hint: string) => void

type FoundFields =
  | {
      readonly fields: Fields
      readonly yaml: string
      readonly diagnostics: readonly Diagnostic[]
      readonly lineOf: (key: string) => number
    }
  | { readonly fields?: undefined; readonly diagnostics: readonly Diagnostic[] }

function readFields(file: string, head: string | NodeJS.ErrnoException): FoundFields {
  const say = (code: DiagnosticCode, message: string, hint: string) =>
    diagnose(code, { file, line: 1 }, { message, hint })
  if (typeof head !== 'string') {
    const message = `SKILL.md cannot be read (${head.code}).`
    return { diagnostics: [say('frontmatter-unreadable', message, 'Make the file readable.')] }
  }

  const split = splitFrontmatter(head)
  if (split.kind === 'missing') {
    const hint = 'Begin the file with `---`, `name: …`, `description: …`, `---`.'
    return { diagnostics: [say('frontmatter-missing', 'SKILL.md has no frontmatter.', hint)] }
  }
  if (split.kind === 'unclosed') {
    const hint = 'End it with a line that holds only `---`.'
    return { diagnostics: [say('frontmatter-unreadable', 'The frontmatter is not closed.', hint)] }
  }

  const { yaml, firstLine } = split
  const { fields, diagnostics: problems } = readFrontmatter(yaml, { file, firstLine })
  const diagnostics = [...problems]
  if (head.startsWith('\uFEFF')) {
    const hint = 'Save it as UTF-8 without BOM.'
    diagnostics.push(say('byte-order-mark', 'SKILL.md begins with a byte order mark.', hint))
  }
  if (/^[^\n]*\r\n/.test(head))
    diagnostics.push(say('crlf-line-ends', 'SKILL.md has Windows line ends.', 'Save it with LF line ends.'))
  if (!fields) return { diagnostics }
  const lineOf = (key: string) =>
    firstLine +
    Math.max(
      0,
      yaml.split('\n').findIndex(line => line.startsWith(`${key}:`)),
    )
  return { fields, yaml, diagnostics, lineOf }
}

/** `description:` above an indented line with a colon is a map to YAML, and a sentence to its author. */
function withPlainDescription({ fields, yaml }: Extract<FoundFields, { yaml: string }>, say: Say): Fields {
  const { description } = fields
  if (typeof description !== 'object' || description === null) return fields
  const lines = yaml.split('\n')
  const start = lines.findIndex(line => line.startsWith('description:'))
  const end = lines.findIndex((line, index) => index > start && /^\S/.test(line))
  const text = lines.slice(start + 1, end < 0 ? undefined : end).map(line => line.trim())
  const hint = 'Put the value in double quotes: a colon followed by a space means a nested key in YAML.'
  say('frontmatter-repaired', 'description', 'The description is a map in YAML; its lines are read as text.', hint)
  return { ...fields, description: text.filter(Boolean).join(' ') }
}

function readName(fields: Fields, folder: string, say: Say): string {
  const written = toText(fields['name'])
  if (written === folder && isValidName(written)) return written
  if (!written) {
    const used = toValidName(folder)
    say('name-missing', 'name', `There is no name; the folder's is used: ${used}.`, `Add \`name: ${used}\`.`)
    return used
  }
  if (isValidName(written)) {
    const hint = 'Give both the same name.'
    say('name-unlike-folder', 'name', `The name is ${written}, but the folder is ${folder}.`, hint)
    return written
  }
  const used = toValidName(written)
  const message = `The name ${JSON.stringify(written)} breaks the rule (${NAME_RULE}); it is used as ${used}.`
  say('name-invalid', 'name', message, `Write \`name: ${used}\`, and name the folder so.`)
  return used
}

function readText(fields: Fields, key: string, say: Say, code: DiagnosticCode, most: number): string | undefined {
  const value = toText(fields[key])
  if (value && value.length > most)
    say(code, key, `The ${key} has ${value.length} characters.`, `Keep it to ${most}; the rest belongs in the body.`)
  return value
}

function readRestriction(fields: Fields, say: Say): readonly AllowedTool[] | undefined {
  const value = fields['allowed-tools'] ?? fields['allowed_tools'] ?? fields['allowedTools'] ?? undefined
  if (value === undefined) return undefined
  const allowed = readAllowedTools(value)
  if (allowed) return allowed
  const message = '`allowed-tools` is neither text nor a list of texts, so nothing is allowed.'
  say('allowed-tools-unreadable', 'allowed-tools', message, 'Write `allowed-tools: Bash Read`.')
  return []
}

function checkMetadata(fields: Fields, say: Say): void {
  const metadata = fields['metadata'] ?? undefined
  if (metadata === undefined) return
  const isMap = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  if (isMap && Object.values(metadata).every(value => typeof value !== 'object' || value === null)) return
  const message = '`metadata` is not a flat map of texts; it is kept as it is.'
  say('metadata-nested', 'metadata', message, 'Use `key: "text"` pairs for tools that read only those.')
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
