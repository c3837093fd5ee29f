// How a secret may look when it comes back: as it is, in JSON, in a URL, in a form, in base64 and in hexadecimal digits.

/** A shorter value is no secret, and masking it would ruin what it happens to stand in. */
export const MIN_SECRET = 4
/** What a shorter value comes to in base64 stands in many a text by chance. */
const MIN_ENCODED = 6
/** Longer values are no keys; their many pieces would only cost time. */
const MAX_ENCODED = 4096
const MIN_LINE = 8
const MAX_LINES = 1000

/** Every text that gives the value away. None for a value too short to be a secret. */
export function spellingsOf(value: string): string[] {
  if (value.trim().length < MIN_SECRET) return []
  // Without the blanks around it, since a header loses them.
  const whole = [...new Set([value, value.trim()])]
  return [
    ...whole.flatMap(plainSpellings),
    ...linesOf(value).flatMap(plainSpellings),
    ...encodedSpellings(value.trim()),
  ]
}

function plainSpellings(value: string): string[] {
  const inJson = [...new Set(jsonSpellings(value))]
  return [value, ...inJson, ...inJson.flatMap(jsonSpellings), ...urlSpellings(Buffer.from(value).toString())]
}

/** Python escapes what is not ASCII, PHP slashes as well, Go what HTML could take for a tag; what is told back as a string is escaped twice. */
function jsonSpellings(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1)
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  const ascii = plain.replace(/[^ -~]/g, escaped)
  return [...[plain, ascii].flatMap(text => [text, text.replaceAll('/', '\\/')]), plain.replace(/[<>&]/g, escaped)]
}

/** Encoders differ in what they leave as it is, in what a blank becomes, and in the case of their digits. */
function urlSpellings(value: string): string[] {
  const component = encodeURIComponent(value)
  const strict = component.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams([['', value]]).toString().slice(1)
  const encoded = [component, strict, component.replaceAll("'", '%27')]
  const inPaths = encoded.map(text => text.replaceAll('%2F', '/'))
  const all = [...encoded, ...inPaths, encodeURI(value), form, strict.replaceAll('%20', '+')]
  return all.flatMap(text => [text, text.replace(/%../g, digits => digits.toLowerCase())])
}

/** Of a private key each line is a secret, but not the line that says what it is. */
function linesOf(value: string): string[] {
  const lines = value.trim().split(/\r?\n|\r/)
  if (lines.length === 1) return []
  return lines
    .slice(0, MAX_LINES)
    .map(line => line.trim())
    .filter(line => line.length >= MIN_LINE && !/^-+(?:BEGIN|END) [A-Z0-9 ]+-+$/.test(line))
}

function encodedSpellings(value: string): string[] {
  const bytes = Buffer.from(value)
  if (bytes.length < MIN_ENCODED || bytes.length > MAX_ENCODED) return []
  const base64 = [0, 1, 2].map(before => base64Behind(bytes, before))
  const forUrls = base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = bytes.toString('hex')
  return [
    ...[...base64, ...forUrls].flatMap(text => piecesOf(text, 12, 4)),
    ...[hex, hex.toUpperCase()].flatMap(text => piecesOf(text, 16, 8)),
  ]
}

/** What all texts have in common that hold the value with so many bytes before it, counted in threes. */
function base64Behind(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6))
}

/** Programs break long lines anywhere: overlapping pieces are found on both sides of the break. */
function piecesOf(text: string, length: number, step: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at + length < text.length; at += step) pieces.push(text.slice(at, at + length))
  return [...pieces, text.slice(-length)]
}
