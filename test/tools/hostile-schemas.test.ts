import { expect, test } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const tool = (name: string, schema: object) =>
  JSON.stringify({ tools: [{ name, input_schema: schema, executor: { type: 'binary', path: 'true' } }] })

const runtimeWith = (schema: object) =>
  makeRuntime(
    makeFolder({
      's/SKILL.md': skillMd('s'),
      's/tool-manifest.json': tool('x', schema),
      'other/SKILL.md': skillMd('other'),
      'other/tool-manifest.json': tool('fine', { type: 'object' }),
    }),
  )

test('a schema in an older dialect works, with its own way to write tuples', async () => {
  const runtime = await runtimeWith({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
  })
  expect((await runtime.call({ toolId: 's.x', args: { pair: ['a', 1] } })).ok).toBe(true)
  expect(await runtime.call({ toolId: 's.x', args: { pair: [1] } })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
})

test.each([
  ['whose references multiply', doubling(60)],
  ['whose anchors multiply', doubling(60, '#level')],
])('a schema %s is invalid, and the other tools work', async (_, schema) => {
  const runtime = await runtimeWith(schema)
  expect((await runtime.report()).tools).toContainEqual(expect.objectContaining({ id: 's.x', status: 'invalid' }))
  expect((await runtime.call({ toolId: 'other.fine' })).ok).toBe(true)
})

test('a schema that comes back to itself without end fails the call, not the program', async () => {
  const runtime = await runtimeWith({
    type: 'object',
    $ref: '#/$defs/x',
    $defs: { x: { allOf: [{ $ref: '#/$defs/x' }] } },
  })
  expect(await runtime.call({ toolId: 's.x' })).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } })
})

/** Each level refers to the next one twice. */
function doubling(levels: number, prefix = '#/$defs/level'): object {
  const level = (index: number) => {
    const next = { $ref: `${prefix}${index + 1}` }
    return { $anchor: `level${index}`, ...(index < levels ? { allOf: [next, next] } : { type: 'object' }) }
  }
  const all = Array.from({ length: levels + 1 }, (_, index) => [`level${index}`, level(index)])
  return { type: 'object', $ref: `${prefix}0`, $defs: Object.fromEntries(all) }
}
