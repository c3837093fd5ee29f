import { expect, test } from 'vitest'
import { maskArgs } from '../../src/call/mask-args.ts'

test.each([
  '--token\tX1',
  '--token\nX1',
  '--token "a\\" X1"',
  '--token a\\ X1',
  `--token='x'X1`,
  '"--token" X1',
  '-H "Authorization: Bearer X1"',
  '--header="X-Api-Key: X1"',
  'TOKEN=X1',
  'password=X1 run',
  '--pass X1',
  '--pwd=X1',
  '--auth X1',
  '--access-key X1',
  '-x --api_key=X1 y',
])('%s keeps its secret as text and as list', line => {
  expect(JSON.stringify(maskArgs({ arguments: line }))).not.toContain('X1')
  expect(JSON.stringify(maskArgs({ data: line.replaceAll('"', '') }))).not.toContain('Bearer X1')
})

test.each([
  [{ arguments: ['-H', 'Authorization: Bearer X1'] }],
  [{ arguments: ['--token', 'X1'] }],
  [{ data: { pwd: 'X1', nested: [{ client_secret: 'X1' }] } }],
])('%j keeps its secret', args => {
  expect(JSON.stringify(maskArgs(args))).not.toContain('X1')
})

test('what is no secret stays readable', () => {
  const args = { author: 'Ada', arguments: '--pages 1-3 in.pdf', data: { compass: 'north', n: 1 } }
  expect(maskArgs(args)).toEqual(args)
})

test('marked properties are masked by their schema', () => {
  const properties = { a: { writeOnly: true }, b: { format: 'password' }, c: { 'x-secret': true }, d: {} }
  expect(maskArgs({ a: '1', b: '2', c: '3', d: '4' }, { type: 'object', properties })).toEqual({
    a: '[secret]',
    b: '[secret]',
    c: '[secret]',
    d: '4',
  })
})
