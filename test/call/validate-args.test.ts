import { expect, test } from 'vitest'
import { maskArgs } from '../../src/call/mask-args.ts'
import { validateArgs } from '../../src/call/validate-args.ts'
import type { JsonSchema, Tool } from '../../src/types.ts'

const tool = (inputSchema: JsonSchema) => ({ id: 't', inputSchema }) as Tool

test('a pattern that would hang the built-in engine is checked at once', () => {
  const hostile = tool({
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b$' } },
  })
  const start = performance.now()
  expect(validateArgs(hostile, { a: `${'a'.repeat(40)}!` })).toMatchObject({ ok: false })
  expect(validateArgs(hostile, { a: 'aaa', b: 'b' })).toMatchObject({ ok: true })
  expect(validateArgs(hostile, { b: 'a' })).toMatchObject({ ok: false })
  expect(performance.now() - start).toBeLessThan(1000)
})

test('a schema that cannot be used is an error of the call', () => {
  expect(validateArgs(tool({ type: 'nonsense' }), {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } })
  const lookahead = tool({ type: 'object', properties: { a: { type: 'string', pattern: '(?=x)' } } })
  expect(validateArgs(lookahead, { a: 'x' })).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } })
})

test('values marked secret in the schema are masked', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      a: { type: 'string', writeOnly: true },
      b: { format: 'password' },
      c: { 'x-secret': true },
      d: { type: 'string' },
    },
  }
  expect(maskArgs({ a: '1', b: '2', c: { deep: '3' }, d: '4' }, schema)).toEqual({
    a: '[secret]',
    b: '[secret]',
    c: '[secret]',
    d: '4',
  })
})
