// One synopsis, `x.sh <in> [out] [--flag VALUE] [-v] [files...]`, as its items.
import { choicesIn } from './usage-value.ts'

export type SynopsisItem =
  | {
      readonly type: 'positional'
      readonly text: string
      readonly required: boolean
      readonly repeated: boolean
      readonly choices?: readonly string[]
      readonly initial?: string
    }
  | { readonly type: 'option'; readonly flags: readonly string[]; readonly value?: string; readonly required: boolean }
  /** A word to be typed as it stands. */
  | { readonly type: 'word'; readonly text: string }
  /** `[options]`: told elsewhere, or nowhere. */
  | { readonly type: 'options' }

type Token = {
  readonly text: string
  readonly kind: 'bracket' | 'angle' | 'choice' | 'flag' | 'quoted' | 'upper' | 'lower' | 'dots' | 'bar'
}

/** Reads what follows the program's name. */
export function readSynopsis(text: string): readonly SynopsisItem[] {
  return itemsOf(tokens(text), true)
}

function itemsOf(list: readonly Token[], required: boolean): SynopsisItem[] {
  const items: SynopsisItem[] = []
  for (let at = 0; at < list.length; at++) {
    const token = list[at]!
    if (token.kind === 'bar') continue
    if (token.kind === 'dots') {
      const last = items.at(-1)
      if (last?.type === 'positional') items[items.length - 1] = { ...last, repeated: true }
      continue
    }
    if (token.kind === 'bracket') {
      items.push(...bracketItems(token.text, required && token.text.startsWith('(')))
      continue
    }
    if (token.kind === 'flag') {
      at = pushOption(list, at, required, items)
      continue
    }
    items.push(plainItem(token, required))
  }
  return items
}

/** The option at `at`, with its value and the other spellings of it; gives the index of its last token. */
function pushOption(list: readonly Token[], at: number, required: boolean, items: SynopsisItem[]): number {
  const [flag = '', attached] = list[at]!.text.split(/=(.*)/s)
  if (flag === '--') return at
  const next = list[at + 1]
  const takes = attached === undefined && next !== undefined && /^(?:angle|choice|upper|quoted)$/.test(next.kind)
  const value = attached ?? (takes ? next.text : lowerValue(list, at, required))
  const end = value !== undefined && attached === undefined ? at + 1 : at
  const before = items.at(-1)
  const alias = list[at - 1]?.kind === 'bar' && before?.type === 'option' && spellsSame(before.flags, flag)
  if (alias) items.pop()
  const flags = alias ? [...before.flags, flag] : [flag]
  const either = value ?? (alias ? before.value : undefined)
  items.push({ type: 'option', flags, ...(either === undefined ? {} : { value: either }), required })
  return end
}

/** `[--out file]`: in brackets, a lower-case word after a flag is its value. */
function lowerValue(list: readonly Token[], at: number, required: boolean): string | undefined {
  const next = list[at + 1]
  return !required && next?.kind === 'lower' && list.length <= at + 3 ? next.text : undefined
}

function spellsSame(flags: readonly string[], flag: string): boolean {
  return flags.every(other => other.startsWith('--') !== flag.startsWith('--'))
}

function bracketItems(text: string, required: boolean): readonly SynopsisItem[] {
  const inner = text.slice(1, -1).trim()
  if (/^(?:options?|flags?|opts|option\.\.\.)(?:\s*\.\.\.|…)?$/i.test(inner)) return [{ type: 'options' }]
  const list = tokens(inner)
  const words = list.length === 1 && list[0]!.kind === 'choice' ? list[0]!.text : inner
  const choices = choicesIn(words)
  if (choices) return [{ type: 'positional', text: inner, required, repeated: false, choices }]
  if (
    !list.some(token => token.kind === 'flag') &&
    (inner.includes('|') || list.every(token => token.kind === 'lower'))
  ) {
    return [positional(inner, required)]
  }
  return itemsOf(list, required)
}

function plainItem(token: Token, required: boolean): SynopsisItem {
  if (token.kind === 'lower') {
    // `input.mp4` is an example of a value, `deploy` a word to be typed.
    return /^[a-z]+$|^[a-z][\w-]*$/.test(token.text) && required
      ? { type: 'word', text: token.text }
      : positional(token.text, required)
  }
  if (token.kind === 'upper' && /^(?:OPTIONS?|FLAGS?|OPTS)$/.test(token.text)) return { type: 'options' }
  if (token.kind === 'angle' && /^<(?:options|flags)>$/i.test(token.text)) return { type: 'options' }
  return positional(token.text, required)
}

function positional(text: string, required: boolean): SynopsisItem {
  const choices = choicesIn(text)
  const inner = text.replace(/^[<{("'[]+|[>})"'\]]+$/g, '').trim()
  const repeated = /(?:\.\.\.|…)$/.test(inner)
  const [, name = inner, initial] =
    /^([\w -]+?)\s*(?:=|:(?=\S)|\s\(?default:?\s)\s*["']?([^"')]+)["')]*$/i.exec(inner) ?? []
  const plain = name.replace(/\s*(?:\.\.\.|…)$/, '').replace(/\.\w{2,4}$/, '')
  return {
    type: 'positional',
    text: plain,
    required,
    repeated,
    ...(choices ? { choices } : {}),
    ...(initial === undefined ? {} : { initial }),
  }
}

function tokens(text: string): readonly Token[] {
  const result: Token[] = []
  const pattern =
    /(\.\.\.|…)|(\|)|(\[(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*\]|\((?=[^)]*-)[^()]*\))|(<[^>]*>(?:\|<[^>]*>)*)|(\{[^}]*\}|\([^()]*\))|(-{1,2}[A-Za-z0-9?][\w-]*(?:=(?:<[^>]*>|\{[^}]*\}|[^\s\]|]+))?|--)|("[^"]*"|'[^']*')|([A-Z][A-Z0-9_:.-]*(?![a-z])(?:\|[A-Z0-9_-]+)*)|([^\s[\](){}<>|"']+(?:\|[^\s[\](){}<>|"']+)*)/g
  for (const match of text.matchAll(pattern)) {
    const kind = (['dots', 'bar', 'bracket', 'angle', 'choice', 'flag', 'quoted', 'upper', 'lower'] as const)[
      match.slice(1).findIndex(group => group !== undefined)
    ]!
    const word = match[0]
    if ((kind === 'lower' || kind === 'upper') && word.includes('|')) result.push({ text: word, kind: 'choice' })
    else if (kind === 'lower' && /(?:\.\.\.|…)$/.test(word) && word.length > 3)
      result.push({ text: word, kind: 'angle' })
    else result.push({ text: word, kind })
  }
  return result
}
