// Servers that answer what nobody expects.
import { expect, test } from 'vitest'
import type { ToolResult } from '../../src/index.ts'
import { runtimeOn, stdio } from './support.ts'

const dataOf = (result: ToolResult) => (result.ok ? result.data : result.error)
const on = (evil: string) => runtimeOn({ evil: stdio('hostile', [evil]), good: stdio('old') })

test('odd names become plain ones that do not clash, and still reach the right tool', async () => {
  const runtime = await on('names')
  const tools = (await runtime.tools()).filter(tool => tool.skill === 'evil')
  const names = tools.map(tool => tool.name)
  expect(names).toEqual([
    'ok',
    expect.stringMatching(/^new-line-[0-9a-f]{8}$/),
    expect.stringMatching(/^new-line-[0-9a-f]{8}$/),
    'new-line',
    'etc-passwd',
    expect.stringMatching(/^tool-[0-9a-f]{8}$/),
    '__proto__',
    '31mred',
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(dataOf(await runtime.call({ toolId: `evil.${names[1]}` }))).toBe('{"called":"new\\nline","args":{}}')
  expect(tools.map(tool => tool.description).join()).not.toMatch(/[\x00-\x08\x0b-\x1f]/)

  const { tools: statuses, diagnostics } = await runtime.report()
  expect(statuses.filter(one => one.status === 'invalid').map(one => one.reason)).toEqual([
    'ok: is there twice.',
    'a tool: has no name.',
    'a tool: has no name.',
    expect.stringMatching(/^n+…: its name has more than 256 characters\.$/),
    'a tool: has no name.',
    'a tool: has no name.',
  ])
  expect(diagnostics.every(one => one.code === 'mcp-tool-refused')).toBe(true)
})

test('a schema that is none removes its tool, not its siblings', async () => {
  const runtime = await on('schemas')
  const tools = (await runtime.tools()).filter(tool => tool.skill === 'evil')
  expect(tools.map(tool => tool.name)).toEqual(['good', 'none', 'bad-output'])
  const { tools: statuses } = await runtime.report()
  expect(statuses.flatMap(one => (one.status === 'invalid' ? [one.reason] : []))).toEqual([
    'list: its input schema is not an object.',
    'text: its input schema is not an object.',
    'nothing: its input schema is not an object.',
    'string-schema: its input schema is not for an object.',
    'huge: its input schema is too large or too deep.',
  ])
  expect(await runtime.call({ toolId: 'evil.good', args: { pair: [1, 'x'] } })).toMatchObject({ ok: true })
  expect(dataOf(await runtime.call({ toolId: 'evil.good', args: { pair: [1, 'x', 2] } }))).toMatchObject({
    code: 'INVALID_ARGS',
  })
})

test('a schema nested 20,000 deep is left out', async () => {
  const runtime = await on('deep')
  expect((await runtime.tools()).filter(tool => tool.skill === 'evil').map(tool => tool.name)).toEqual(['flat'])
})

test('a description of 10 MB is cut', async () => {
  const runtime = await on('long')
  const [long, short] = (await runtime.tools()).filter(tool => tool.skill === 'evil')
  expect(long?.description).toHaveLength(4001)
  expect(short?.name).toBe('short')
})

test('5,000 tools on many pages are all there', async () => {
  const runtime = await on('many')
  const start = performance.now()
  const tools = await runtime.tools()
  expect(tools.filter(tool => tool.skill === 'evil')).toHaveLength(5000)
  expect(performance.now() - start).toBeLessThan(3000)
})

test('a list without end is cut, and said to be', async () => {
  const runtime = await on('endless')
  expect((await runtime.tools()).filter(tool => tool.skill === 'evil')).toHaveLength(10_000)
  expect((await runtime.report()).diagnostics.map(one => one.message)).toEqual([
    'A tool of the MCP server evil is left out: the rest: the server has more than 10000 tools.',
  ])
})

test.each(['flood', 'no-list'])('a server that breaks the protocol (%s) is told of, the others work', async evil => {
  const runtime = await on(evil)
  expect(dataOf(await runtime.call({ toolId: 'good.greet', args: { name: 'Ada' } }))).toBe('Hello Ada')
  expect((await runtime.report()).diagnostics).toMatchObject([{ code: 'mcp-server-unreachable' }])
})

test.each([
  ['refusing', 'The MCP server evil refused: Unknown tool: act (-32602).'],
  ['garbage', /^The MCP server evil broke the protocol: /],
])('a call that breaks the protocol (%s) fails with what happened', async (evil, message) => {
  const runtime = await on(evil)
  expect(dataOf(await runtime.call({ toolId: 'evil.act' }))).toMatchObject({
    code: 'MCP_FAILED',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
})
