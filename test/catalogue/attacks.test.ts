// Names, labels, requests and skills that are made to get in the way, and steps that cross each other.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostTool, RuntimeEvent } from '../../src/index.ts'
import { bad, good, manyTools, runtimeOf } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const hostTool = (name: string, more: Partial<HostTool> = {}): HostTool => ({
  name,
  description: 'Does it.',
  run: () => 1,
  ...more,
})

/** Names without a word that any two share. */
const dullNames = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `${'bcdfghklmn'[i % 10]}${'aeiou'[i % 5]}${'prstvwxz'[i % 8]}q${'z'.repeat(i % 11)}`,
  )

test('a group that would be named like a category does not hide it', async () => {
  const labels = [...new Set(['pdf', 'pdf forms', 'pdf merge', 'pdf split', ...dullNames(60)])]
  const tools = labels.map((label, i) => hostTool(`t${i}`, { category: `${label}/inside` }))
  const { discovery } = await runtimeOf(tools)
  const { nodes } = good(await discovery.list({ limit: 50 }))
  expect(nodes.map(node => node.name)).toContain('pdf and more')
  for (const [i, label] of labels.entries()) {
    const answer = good(await discovery.list({ path: [label, 'inside'] }))
    expect([label, answer.tools.map(tool => tool.tool_id)]).toEqual([label, [`t${i}`]])
  }
})

test('every group is reached by its path, also where names differ only in case', async () => {
  const tools = Array.from({ length: 60 }, (_, i) => hostTool(`${i % 2 ? 'A' : 'a'}${i}`))
  const { discovery } = await runtimeOf(tools)
  const seen: string[] = []
  for (const { path } of good(await discovery.list({ path: ['host'], limit: 50 })).nodes) {
    const answer = good(await discovery.list({ path, limit: 50 }))
    expect(answer.path).toEqual(path)
    seen.push(...answer.tools.map(tool => tool.tool_id))
  }
  expect(seen.toSorted()).toEqual(tools.map(tool => tool.name).toSorted())
})

test.each(['hello', 'all', 'get', 'help', 'R', 'Who'])(
  'a tool with the small word %s for a name is found by it',
  async name => {
    const { discovery } = await runtimeOf([hostTool(name), hostTool(`${name}_world`), hostTool('zebra')])
    const { results } = good(await discovery.search_tool_by_category({ query: `${name.toLowerCase()}!` }))
    expect(results.map(one => one.tool_id)).toEqual([name, `${name}_world`])
    expect(good(await discovery.search_nodes({ query: name })).results[0]?.path).toEqual(['host'])
    expect(bad(await discovery.search_tool_by_category({ query: 'what is it' })).code).toBe('NO_MATCH_IN_CATEGORY')
  },
)

test('small words find no hidden tool', async () => {
  const { discovery } = await runtimeOf([hostTool('hello', { roles: ['admin'] }), hostTool('zebra')])
  expect(bad(await discovery.search_tool_by_category({ query: 'hello' })).code).toBe('NO_MATCH_IN_CATEGORY')
})

test('a cursor does not survive a skill that moves or is tagged otherwise', async () => {
  const folder = makeFolder({
    'a/SKILL.md': skillMd('a', 'category: Office\ntags: [ink]\n'),
    'b/SKILL.md': skillMd('b', 'category: Office\n'),
    'c/SKILL.md': skillMd('c', 'category: Office\n'),
  })
  const { discovery } = await makeRuntime(folder)
  for (const frontmatter of ['category: Garden\ntags: [ink]\n', 'category: Garden\ntags: [paper]\n']) {
    const { next_cursor: cursor } = good(await discovery.list({ path: ['Office'], limit: 1 }))
    expect(cursor).not.toBeNull()
    writeFileSync(join(folder, 'a/SKILL.md'), skillMd('a', frontmatter))
    expect(bad(await discovery.list({ path: ['Office'], limit: 1, cursor })).code).toBe('INVALID_CURSOR')
  }
})

test('the tags of a skill are words that its tools are found by', async () => {
  const folder = makeFolder({
    'a/SKILL.md': skillMd('a', 'tags: [orchids, watering]\n'),
    'b/SKILL.md': skillMd('b'),
  })
  const { discovery } = await makeRuntime(folder)
  const { results } = good(await discovery.search_tool_by_category({ query: 'orchids' }))
  expect(results.map(one => one.tool_id)).toEqual(['a'])
})

test('steps at the same time stay in the trace they began in', async () => {
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = hostTool('slow', { run: () => gate.then(() => 1) })
  const runtime = await runtimeOf([slow, hostTool('zebra', { description: 'Feeds a zebra.' })])
  const events: RuntimeEvent[] = []
  runtime.on('*', event => {
    if (event.type !== 'dynamic_tool.compile') events.push(event)
  })
  const session = runtime.discovery.session()
  await session.expand_tool({ tool_id: 'slow' })
  const running = session.call_tool({ tool_id: 'slow' })
  await session.search_tool_by_category({ query: 'feed a zebra' })
  release()
  const { meta } = await running
  const traceOf = (type: string) => events.find(event => event.type === type)?.traceId
  expect(traceOf('discovery.call_tool')).toBe(meta.trace_id)
  expect(traceOf('dynamic_tool.call')).toBe(meta.trace_id)
  expect(traceOf('discovery.expand_tool')).toBe(meta.trace_id)
  expect(traceOf('discovery.search_tool_by_category')).not.toBe(meta.trace_id)
})

test('no request at all is an empty one', async () => {
  const { discovery } = await runtimeOf(manyTools(3))
  expect(await discovery.list(null as never)).toEqual(await discovery.list())
  expect(bad(await discovery.expand_tool(null as never)).code).toBe('INVALID_ARGS')
})

test('a list that nothing fits says where to look instead', async () => {
  const { discovery } = await runtimeOf([
    hostTool('feed', { description: 'Feeds a zebra.', category: 'Animals' }),
    hostTool('brew', { description: 'Brews tea.', category: 'Kitchen' }),
  ])
  const error = bad(await discovery.list({ path: ['Kitchen'], query: 'zebra' }))
  expect(error).toMatchObject({ code: 'NO_MATCH_IN_CATEGORY', hints: ['Try category ["Animals"].'] })
})

test('an expansion holds no endless example, and cleans parameters whatever they are called', async () => {
  const properties = {
    default: { type: 'string', description: 'red \u001b[31mtext' },
    description: { type: 'string', description: 'more\u0007' },
    text: { type: 'string', default: 'a\u0007b' },
  }
  const inputSchema = { type: 'object', properties, examples: [{ text: 'y'.repeat(50_000) }] }
  const { discovery } = await runtimeOf([hostTool('paint', { inputSchema })])
  const { args_schema, examples } = good(await discovery.expand_tool({ tool_id: 'paint' }))
  expect(examples).toBeUndefined()
  expect(args_schema['properties']).toMatchObject({
    default: { type: 'string', description: 'red [31mtext' },
    description: { type: 'string', description: 'more' },
    text: { type: 'string', default: 'a\u0007b' },
  })
})

test('the summary of a category says each name once', async () => {
  const skill = (name: string) => skillMd(name, 'category: Office\n')
  const folder = makeFolder({
    'a/SKILL.md': skill('a'),
    'a/scripts/run.sh': 'echo',
    'b/SKILL.md': skill('b'),
    'b/scripts/run.sh': 'echo',
  })
  const { discovery } = await makeRuntime(folder)
  expect(good(await discovery.list()).nodes[0]?.summary).toBe('4 tools: a, run, b')
})
