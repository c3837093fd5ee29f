// Filling templates in. Each place has its own rule, so that a value stays a value: one element of argv, one part of a
// URL, one JSON string, one header.
import { splitWords } from '../text/split-words.ts'
import type { Json } from '../types.ts'
import { nameOf, parseTemplate, type Reference, soleReference, type Template } from './parse-template.ts'

export type Scope = {
  readonly args: { readonly [name: string]: Json }
  /** A variable that the tool may see. Throws `RenderError` when it may not, or when it is not set. */
  readonly env: (name: string) => string
  /** Results of the pipeline so far. */
  readonly steps?: { readonly [id: string]: Json }
}

/** A template that cannot be filled in with these arguments; worded for the model. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: 'INVALID_ARGS' | 'ENV_NOT_GRANTED'

  constructor(message: string, code: RenderError['code'] = 'INVALID_ARGS') {
    super(message)
    this.code = code
  }
}

/** Plain text, such as stdin. */
export function renderText(template: Template, scope: Scope): string {
  return fill(template, reference => toText(resolve(reference, scope)))
}

/** A text or a list of templates → argv. A value is one element and cannot become a flag unless the template says so. */
export function renderArgv(template: string | readonly string[], scope: Scope): string[] {
  const words = typeof template === 'string' ? splitTemplate(template) : template
  const argv: string[] = []
  for (const word of words) {
    const parsed = parseTemplate(word)
    const text = renderText(parsed, scope)
    const [first] = parsed.parts
    const isValue = typeof first === 'object' && first.from !== 'env'
    if (isValue && text.startsWith('-') && typeof resolve(first, scope) !== 'number' && !argv.includes('--'))
      throw new RenderError(`${nameOf(first)}: ${JSON.stringify(text)} begins with "-" and would be read as a flag`)
    argv.push(text)
  }
  return argv
}

/** A URL whose parts are encoded; only an environment variable at its start may bring scheme and host. */
export function renderUrl(template: Template, scope: Scope): string {
  const [first, ...others] = template.parts
  const start = typeof first === 'object' && first.from === 'env' ? renderText({ parts: [first] }, scope) : undefined
  const rest = start === undefined ? template : { parts: others }
  rest.parts.forEach((part, index) => {
    if (typeof part === 'object' && continuesHost(rest.parts[index - 1] ?? start, rest.parts[index + 1]))
      throw new RenderError(`${nameOf(part)} could change the host of the URL: its template needs a "/" before it`)
  })
  return (start ?? '') + fill(rest, reference => encodePart(reference, toText(resolve(reference, scope))))
}

/** `https://example.com${path}`: a value that begins with `.` would be another host. */
function continuesHost(before: unknown, after: unknown): boolean {
  const endsWithHost = typeof before === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*[a-z0-9]$/i.test(before)
  return endsWithHost && !(typeof after === 'string' && /^[a-z0-9.-]/i.test(after))
}

/** A header's value: nothing that could begin another header. */
export function renderHeader(template: Template, scope: Scope): string {
  const text = renderText(template, scope)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new RenderError('a header value holds line ends or characters that headers cannot carry')
  return text
}

/** JSON text with placeholders: inside a string a value is escaped, outside it is written as JSON. */
export function renderJsonText(template: Template, scope: Scope): string {
  let isInString = false
  return template.parts
    .map(part => {
      if (typeof part === 'string') {
        for (const [token] of part.matchAll(/\\.|"/gs)) if (token === '"') isInString = !isInString
        return part
      }
      const value = resolve(part, scope)
      return isInString ? JSON.stringify(toText(value)).slice(1, -1) : JSON.stringify(value)
    })
    .join('')
}

/** Data with templates in its strings. A string that is one reference becomes the value itself, with its type. */
export function renderData(data: Json, scope: Scope): Json {
  if (typeof data === 'string') {
    const template = parseTemplate(data)
    const only = soleReference(template)
    return only ? resolve(only, scope) : renderText(template, scope)
  }
  if (Array.isArray(data)) return data.map(item => renderData(item, scope))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, renderData(value, scope)]))
}

function fill({ parts }: Template, render: (reference: Reference) => string): string {
  return parts.map(part => (typeof part === 'string' ? part : render(part))).join('')
}

function resolve(reference: Reference, scope: Scope): Json {
  const value = reference.from === 'env' ? variable(reference, scope) : (lookUp(reference, scope) ?? reference.fallback)
  if (value === undefined) throw new RenderError(`${nameOf(reference)} is needed and was not given`)
  return value
}

/** A fallback stands in also for what is not granted: the author foresaw its absence. */
function variable({ path, fallback }: Reference, scope: Scope): string {
  if (fallback === undefined) return scope.env(path[0]!)
  try {
    return scope.env(path[0]!)
  } catch (error) {
    if (error instanceof RenderError) return fallback
    throw error
  }
}

function lookUp({ from, path }: Reference, scope: Scope): Json | undefined {
  let value: Json | undefined = from === 'steps' ? (scope.steps ?? {}) : scope.args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as { readonly [key: string]: Json })[key]
  }
  return value ?? undefined
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encodePart(reference: Reference, text: string): string {
  // A URL parser would climb out of the path, encoded or not.
  if (text === '.' || text === '..') throw new RenderError(`${nameOf(reference)}: ${text} cannot be part of a URL`)
  try {
    return encodeURIComponent(text)
  } catch {
    throw new RenderError(`${nameOf(reference)} holds half of a character`)
  }
}

/** Splits like a shell does, but keeps `${a:-b c}` whole. */
function splitTemplate(text: string): string[] {
  const references: string[] = []
  const marked = text.replace(/\$\{[^{}]*\}|\{\{[^{}]*\}\}/g, found => `\u0000${references.push(found) - 1}\u0000`)
  return splitWords(marked).map(word =>
    word.replace(/\u0000(\d+)\u0000/g, (_, index: string) => references[Number(index)]!),
  )
}
