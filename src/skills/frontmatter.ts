// Splits the YAML frontmatter off a SKILL.md and reads it leniently: what real folders break is mended and said so.
import type { Document, YAMLError } from 'yaml'
import { type DiagnosticCode, diagnose } from '../diagnostics.ts'
import { yamlLibrary } from '../libraries.ts'
import type { Diagnostic } from '../types.ts'
import { parseSimpleYaml } from './parse-simple-yaml.ts'
import { quoteBrokenValues } from './quote-broken-values.ts'

export type Split =
  | { readonly kind: 'found'; readonly yaml: string; readonly body: string; readonly firstLine: number }
  | { readonly kind: 'missing'; readonly body: string }
  | { readonly kind: 'unclosed'; readonly body: string }

/** Splits text into frontmatter and body. `firstLine` is the line in the file where the YAML begins. */
export function splitFrontmatter(text: string): Split {
  const start = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/.exec(text)
  if (!start) return { kind: 'missing', body: text.replace(/^\uFEFF/, '') }
  const rest = text.slice(start[0].length)
  const end = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(rest)
  if (!end) return { kind: 'unclosed', body: rest }
  const yaml = rest.slice(0, end.index).replaceAll('\r\n', '\n')
  return { kind: 'found', yaml, body: rest.slice(end.index + end[0].length), firstLine: countLines(start[0]) }
}

export type Frontmatter = {
  /** Undefined when the YAML is beyond repair. */
  readonly fields: Readonly<Record<string, unknown>> | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the YAML of a frontmatter. Never throws. */
export function readFrontmatter(yaml: string, at: { readonly file: string; readonly firstLine: number }): Frontmatter {
  const simple = parseSimpleYaml(yaml)
  if (simple) return { fields: simple, diagnostics: [] }

  const first = parse(yaml)
  if ('fields' in first) return { fields: first.fields, diagnostics: first.repeated.map(say('key-repeated', REPEATED)) }

  const { text, lines } = quoteBrokenValues(yaml)
  const second = lines.length > 0 ? parse(text) : first
  if ('fields' in second) {
    const line = at.firstLine + lines[0]!
    const message = `Not valid YAML (${first.problem}); read by quoting ${lines.length === 1 ? 'the value' : 'the values'}.`
    const hint = 'Put the value in double quotes: a colon followed by a space means a nested key in YAML.'
    return {
      fields: second.fields,
      diagnostics: [diagnose('frontmatter-repaired', { file: at.file, line }, { message, hint })],
    }
  }
  return { fields: undefined, diagnostics: [say('frontmatter-unreadable', UNREADABLE)(first)] }

  function say(code: DiagnosticCode, hint: string) {
    return (problem: Problem) =>
      diagnose(code, { file: at.file, line: at.firstLine + problem.line }, { message: `${problem.problem}.`, hint })
  }
}

const REPEATED = 'Remove one of the two; the last one counts.'
const UNREADABLE =
  'Mend the YAML between the two `---` lines; quote values that contain `: `, `#` or begin with `[`, `{`, `*`, `&`.'

/** `line` counts from 0 at the first line of the YAML. */
type Problem = { readonly problem: string; readonly line: number }
type Parsed = { readonly fields: Record<string, unknown>; readonly repeated: readonly Problem[] } | Problem

function parse(yaml: string): Parsed {
  try {
    const document = yamlLibrary().parseDocument(yaml, { logLevel: 'silent' })
    const broken = document.errors.find(error => error.code !== 'DUPLICATE_KEY')
    if (broken) return toProblem(broken)
    return toFields(document)
  } catch (error) {
    return { problem: firstSentence(error), line: 0 }
  }
}

function toFields(document: Document): Parsed {
  const fields: unknown = document.toJS() ?? {}
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { problem: 'The frontmatter is not a list of `key: value` lines', line: 0 }
  return { fields: fields as Record<string, unknown>, repeated: document.errors.map(toProblem) }
}

function toProblem(error: YAMLError): Problem {
  return { problem: firstSentence(error), line: (error.linePos?.[0].line ?? 1) - 1 }
}

function firstSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split(/ at line \d|\n/, 1)[0]!.replace(/[.:]$/, '')
}

function countLines(text: string): number {
  return text.split('\n').length
}
