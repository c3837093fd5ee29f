// What usage texts say about one value: its choices, its default, its type.
import type { Json, JsonSchema } from '../types.ts'

/** Placeholders that name a kind of value: `<file|url>` is one value of either kind, `<json|csv>` a choice of words. */
const KIND =
  /^(?:(?:\w+[-_ ])?(?:file|files|path|paths|dir|directory|folder|url|uri|link|id|ids|uuid|name|names|number|num|n|text|string|value|query|key|keyword|date|pattern|slug|email|user|username|host|ip|address|domain|repo|branch|commit|tag|sha|hash|symbol|code|stdin|glob|term|topic|title|message|prompt|json-file|json_string|coords|location|city|hours?|minutes?|seconds?|days?|search|[a-z]+[_-](?:id|name|path|file|url|dir))|\.\.\.|…|[A-Z_]+)$/

/** The words of `{a|b}`, `a|b` or `{a,b}`; undefined when it names kinds of values instead. */
export function choicesIn(text: string): readonly string[] | undefined {
  const inner = text.replace(/^[{(<[]|[\])}>]$/g, '').trim()
  const braces = /^\{.*\}$/.test(text.trim())
  if (!inner.includes('|') && !(braces && inner.includes(','))) return undefined
  const words = inner.split(inner.includes('|') ? '|' : ',').map(word => word.trim().replace(/^["']|["']$/g, ''))
  if (words.length < 2 || words.some(word => !/^[\w.+:/-]+$/.test(word) || word.startsWith('-') || KIND.test(word))) {
    return undefined
  }
  return [...new Set(words)]
}

/** The default that a description tells, `(default: 20)`. */
export function defaultIn(description: string): string | undefined {
  const found =
    /\bdefaults?(?:\s+(?:is|to|value))?\s*[:=]?\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s,;()[\]]+))\s*(?:[)\].,;]|$)/i.exec(
      description,
    )
  if (!found) return undefined
  const value = found[1] ?? found[2] ?? found[3] ?? found[4]?.replace(/\.$/, '')
  return value === undefined || /^(?:none|null|empty|unset|\$.*|<.*>?)$/i.test(value) ? undefined : value
}

/** The choices that a description tells: `(a|b|c)`, `one of: a, b, c`. */
export function choicesTold(description: string): readonly string[] | undefined {
  const bars = /[(:]\s*([\w.-]+(?:\s?\|\s?[\w.-]+)+)(?=[\s).,;]|$)/.exec(description)?.[1]
  if (bars) return choicesIn(bars)
  const list = /\bone of:?\s+([\w.-]+(?:,\s*(?:or\s+)?[\w-]+)+(?:\s+or\s+[\w-]+)?)/i.exec(description)?.[1]
  return list === undefined ? undefined : choicesIn(list.split(/,\s*(?:or\s+)?|\s+or\s+/).join('|'))
}

export function isCountName(placeholder: string): boolean {
  return /^(?:n|num|number|int|integer|count)$/i.test(placeholder)
}

/** Schema of a value as far as the text says; a default that is no choice or no number was only prose. */
export function valueSchema(placeholder: string, description: string, initial?: string): JsonSchema {
  const integer = isCountName(placeholder)
  const choices = choicesIn(placeholder) ?? choicesTold(description)
  const told = initial ?? defaultIn(description)
  const usable = told !== undefined && (choices ? choices.includes(told) : !integer || /^-?\d+$/.test(told))
  const value: Json | undefined = !usable ? undefined : integer ? Number(told) : told
  return {
    type: integer ? 'integer' : 'string',
    ...(choices ? { enum: choices } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...(description ? { description } : {}),
  }
}
