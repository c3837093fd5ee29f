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
