import { expect, test } from 'vitest'
import { createMask } from '../../src/text/mask-values.ts'

const SECRET = 'pä"s/w o+rd'

test('a value is masked as it is, in JSON, in a URL and in a form', () => {
  const mask = createMask([SECRET])
  const spellings = [
    SECRET,
    JSON.stringify(SECRET),
    JSON.stringify(JSON.stringify(SECRET).slice(1, -1)),
    JSON.stringify(SECRET).replace('/', '\\/').replace('ä', '\\u00e4'),
    encodeURIComponent(SECRET),
    new URLSearchParams({ a: SECRET }).toString(),
    new URL(`http://x/?${SECRET}`).search,
  ]
  for (const text of spellings) expect(mask.text(`<${text}>`)).toMatch(/^<.{0,2}\*\*\*"?>$/)
})

test.each([
  ['Python', 'wJalr/K7%2BbPx%20%28%21%27%2A%29%3D'],
  ['Python, a form', 'wJalr%2FK7%2BbPx+%28%21%27%2A%29%3D'],
  ['PHP', 'wJalr%2FK7%2BbPx%20%28%21%27%2A%29%3D'],
  ['curl and .NET', 'wJalr%2fK7%2bbPx%20%28%21%27%2a%29%3d'],
  ['Node in a path', "wJalr/K7%2BbPx%20(!'*)%3D"],
  ['a query', 'wJalr%2FK7%2BbPx%20(!%27*)%3D'],
])('a value is masked as %s writes it in a URL', (_, spelling) => {
  expect(createMask(["wJalr/K7+bPx (!'*)="]).text(`?a=${spelling}&b`)).toBe('?a=***&b')
})

test('a value is masked as Go writes it in JSON', () => {
  expect(createMask(['a<b>c&d']).text('"a\\u003cb\\u003ec\\u0026d"')).toBe('"***"')
})

test('data is masked in values, keys and numbers, and keeps its shape', () => {
  const mask = createMask(['secret-1', '123456'])
  expect(mask.data({ a: ['xsecret-1x', 1, null, true], 'secret-1': { b: 123456 } })).toEqual({
    a: ['x***x', 1, null, true],
    '***': { b: '***' },
  })
})

test('a value that ends with its own beginning is masked wherever the pieces are cut', () => {
  for (const secret of [SECRET, 'abcab', 'aaaa', 'abcabcabd']) {
    const text = Buffer.from(`ab ${secret}${secret} a${secret}b abca`)
    const whole = createMask([secret]).text(text.toString())
    for (let first = 0; first <= text.length; first++)
      for (let second = first; second <= text.length; second++) {
        const stream = createMask([secret]).stream()
        const pieces = [text.subarray(0, first), text.subarray(first, second), text.subarray(second)].map(stream.push)
        expect(Buffer.concat([...pieces, stream.end()]).toString()).toBe(whole)
      }
  }
})

test('bytes are held back only while they may be the beginning of a value', () => {
  const stream = createMask(['secret']).stream()
  expect(['data: x\n', 'data: s', 'ecre', 'x'].map(text => stream.push(Buffer.from(text)).toString())).toEqual([
    'data: x\n',
    'data: ',
    '',
    'secrex',
  ])
})

test('blanks around a value do not hide it, and a value too short to be a secret masks nothing', () => {
  expect(createMask([' secret ']).text('[secret]')).toBe('[***]')
  expect(createMask(['', '1', ' ab ']).text('1 ab')).toBe('1 ab')
})

test('base64 and hexadecimal digits of a value are masked, whatever stands before it', () => {
  const mask = createMask(['tok-8f3a/+?>~secret'])
  for (let before = 0; before < 7; before++)
    for (const behind of ['', '\n', 'zz']) {
      const bytes = Buffer.from(`${'x'.repeat(before)}tok-8f3a/+?>~secret${behind}`)
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const shown = mask.text(`<${bytes.toString(encoding)}>`)
        // What is left on either side holds a byte of the value at most.
        expect(shown).toMatch(/^<[^*]{0,14}\*\*\*[^*]{0,6}>$/)
      }
      expect(mask.text(bytes.toString('hex').toUpperCase())).toContain('***')
    }
})

test('base64 that is broken into lines is masked on both sides of the break', () => {
  const value = Array.from({ length: 90 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 90))).join('')
  const lines = Buffer.from(`TOKEN=${value}`).toString('base64').replace(/.{76}/g, '$&\n')
  const shown = createMask([value]).text(lines)
  expect(shown.split('\n').map(line => line.replace('***', '').length)).toEqual([8, 0])
})

test('each line of a private key is masked, but not the words around it', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\r\nkiG9w0BAQEFAASC\nab\n-----END PRIVATE KEY-----\n'
  const mask = createMask([key])
  expect(mask.text('a MIIEvQIBADANBgkqh b kiG9w0BAQEFAASC ab')).toBe('a *** b *** ab')
  expect(mask.text('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----')
  expect(mask.text(key)).toBe('***')
})

test('data without a secret stays the same object', () => {
  const data = { a: [1, { b: 'text' }] }
  expect(createMask(['secret']).data(data)).toBe(data)
})

test('a value that repeats without end is masked without holding the output back', () => {
  const stream = createMask(['aaaaaaaa']).stream()
  const pushed = Array.from({ length: 100 }, () => stream.push(Buffer.alloc(1000, 'a')))
  expect(Buffer.concat([...pushed, stream.push(Buffer.from('b')), stream.end()]).toString()).toBe('***b')
})

test('random cuts and overlapping values give what the whole text gives', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % below
  }
  const word = (length: number) => Array.from({ length }, () => 'ab'[random(2)]).join('')
  for (let round = 0; round < 300; round++) {
    const values = [word(4 + random(5)), word(4 + random(9))]
    const text = word(200)
    const stream = createMask(values).stream()
    const pieces: Buffer[] = []
    for (let at = 0; at < text.length; ) {
      const next = at + random(40)
      pieces.push(stream.push(Buffer.from(text.slice(at, next))))
      at = next
    }
    const shown = Buffer.concat([...pieces, stream.end()]).toString()
    expect(shown).toBe(createMask(values).text(text))
    for (const value of values) expect(shown).not.toContain(value)
  }
})
