// Taking secrets out of what is shown, by their value: in text, in data, and in bytes that arrive in pieces.
import type { Json } from '../types.ts'

export type Mask = {
  text(text: string): string
  data(value: Json): Json
  /** For bytes in pieces; a value may lie across two of them. */
  stream(): { push(bytes: Buffer): Buffer; end(): Buffer }
}

const MASKED = '***'
/** A shorter value is no secret, and masking it would ruin what it happens to stand in. */
const MIN_LENGTH = 4

/** Masks these values in the spellings in which they come back: as they are, in JSON, in a URL, in a form. */
export function createMask(values: Iterable<string>): Mask {
  const secrets = [...values].filter(value => value.trim().length >= MIN_LENGTH)
  if (secrets.length === 0) return NOTHING_TO_MASK
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length)
  const pattern = patternOf(spellings)
  const text = (value: string) => value.replace(pattern, MASKED)

  return { text, data, stream: () => maskStream(spellings.map(spelling => Buffer.from(spelling).toString('latin1'))) }

  function data(value: Json): Json {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return secrets.includes(String(value)) ? MASKED : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(data)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), data(item)]))
  }
}

const NOTHING_TO_MASK: Mask = {
  text: text => text,
  data: value => value,
  stream: () => ({ push: bytes => bytes, end: () => Buffer.alloc(0) }),
}

function spellingsOf(value: string): string[] {
  // Without the blanks around it, since a header loses them.
  return [value, value.trim()].flatMap(one => {
    const whole = Buffer.from(one).toString()
    const form = new URLSearchParams([['', whole]]).toString().slice(1)
    const inJson = jsonSpellings(one)
    const twice = inJson.flatMap(jsonSpellings)
    return [one, ...inJson, ...twice, encodeURIComponent(whole), encodeURI(whole), form]
  })
}

/** Python escapes what is not ASCII, PHP slashes as well; a body that is told back as a string is escaped twice. */
function jsonSpellings(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1)
  const ascii = plain.replace(/[^ -~]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [plain, ascii, plain.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')]
}

/** Works on bytes as Latin-1 text, so that no character is ever cut in two. */
function maskStream(spellings: readonly string[]): ReturnType<Mask['stream']> {
  const pattern = patternOf(spellings)
  let held = ''
  return {
    push(bytes) {
      const text = held + bytes.toString('latin1')
      const [last] = [...text.matchAll(pattern)].slice(-1)
      const done = last ? last.index + last[0].length : 0
      const end = text.length - beginningAtEnd(text.slice(done), spellings)
      held = text.slice(end)
      return Buffer.from(text.slice(0, end).replace(pattern, MASKED), 'latin1')
    },
    end: () => Buffer.from(held, 'latin1'),
  }
}

/** How many characters at the end may be the beginning of a spelling. */
function beginningAtEnd(text: string, spellings: readonly string[]): number {
  let longest = 0
  for (const spelling of spellings)
    for (let length = Math.min(spelling.length - 1, text.length); length > longest; length--)
      if (text.endsWith(spelling.slice(0, length))) longest = length
  return longest
}

function patternOf(spellings: readonly string[]): RegExp {
  return new RegExp(spellings.map(one => one.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g')
}
