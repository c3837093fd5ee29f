// The one template language: `${name}`, `${a.b}`, `${name:-default}`, `${env:NAME}`, `${steps.id.path}`, and `{{args.name}}` as another
// spelling of `${name}`. `$${` is a literal `${`. Nothing is ever evaluated.

export type Template = {
  readonly parts: readonly (string | Reference)[]
}

export type Reference = {
  readonly from: 'args' | 'env' | 'steps'
  /** `['user', 'name']` for `user.name`; one name for an environment variable. */
  readonly path: readonly string[]
  readonly fallback?: string
}

/** A template that cannot be read: the author's mistake. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** Reads a template. Throws `TemplateError`. */
export function parseTemplate(text: string): Template {
  const parts: (string | Reference)[] = []
  let end = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    parts.push(text.slice(end, match.index))
    end = match.index + match[0].length
    if (match[0] === '$${') parts.push('${')
    else parts.push(readReference(match[0], match[1] ?? match[2] ?? ''))
  }
  parts.push(text.slice(end))
  const last = parts.at(-1) as string
  const unclosed = last.indexOf('${')
  if (unclosed >= 0)
    throw new TemplateError(
      `\`${last.slice(unclosed, unclosed + 20)}\` is not closed; write \`$\${\` for a literal \`\${\``,
    )
  return { parts: merge(parts) }
}

/** The text of a template that refers to nothing. */
export function isConstant({ parts }: Template): boolean {
  return parts.every(part => typeof part === 'string')
}

export function referencesOf({ parts }: Template): Reference[] {
  return parts.filter(part => typeof part !== 'string')
}

/** The reference when the template is nothing else. */
export function soleReference({ parts }: Template): Reference | undefined {
  const [only, ...others] = parts
  return others.length === 0 && typeof only === 'object' ? only : undefined
}

/** As an author writes it. */
export function nameOf({ from, path }: Reference): string {
  if (from === 'env') return `env:${path[0]}`
  return from === 'steps' ? `steps.${path.join('.')}` : path.join('.')
}

const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}|\{\{([^{}]*)\}\}/g
const NAME = /^[A-Za-z_][\w-]*$/

function readReference(written: string, inside: string): Reference {
  const [name = '', fallback] = splitFallback(inside.trim())
  const rest = fallback === undefined ? {} : { fallback }
  if (name.startsWith('env:')) {
    const variable = name.slice('env:'.length)
    if (!/^[A-Za-z_]\w*$/.test(variable))
      throw new TemplateError(`${written}: ${variable || 'nothing'} is no variable name`)
    return { from: 'env', path: [variable], ...rest }
  }
  const path = name.split('.')
  const [first = '', ...others] = path
  if (!NAME.test(first) || others.some(key => !NAME.test(key) && !/^\d+$/.test(key)))
    throw new TemplateError(`${written}: write \${name}, \${name:-default} or \${env:NAME}`)
  if (first === 'steps' && others.length > 0) return { from: 'steps', path: others, ...rest }
  return { from: 'args', path: first === 'args' && others.length > 0 ? others : path, ...rest }
}

function splitFallback(text: string): [string, string?] {
  const at = text.indexOf(':-')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 2)]
}

function merge(parts: readonly (string | Reference)[]): (string | Reference)[] {
  const merged: (string | Reference)[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part === '') continue
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part
    else merged.push(part)
  }
  return merged
}
