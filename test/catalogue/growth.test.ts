// Ten thousand tools: answers stay small and fast, and one change touches little.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createViews } from '../../src/catalogue/views.ts'
import { toHostTool } from '../../src/tools/host-tools.ts'
import type { Snapshot, Tool } from '../../src/types.ts'
import { good, manyTools, runtimeOf } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const REPORT = {
  tools: [],
  leftOut: [],
  diagnostics: [],
  counts: { skills: 0, ok: 0, invalid: 0, shadowed: 0, leftOut: 0 },
}
const snapshotOf = (id: string, tools: readonly Tool[]): Snapshot => ({
  id,
  skills: new Map(),
  tools: new Map(tools.map(tool => [tool.id, tool])),
  report: REPORT,
})

test('among 10,000 tools each of twenty needs finds its tool, in small answers', async () => {
  const { discovery } = await runtimeOf(manyTools(10_000))
  const root = good(await discovery.list())
  expect(root.nodes.length + root.tools.length).toBeLessThanOrEqual(10)
  for (let i = 0; i < 20; i++) {
    const { name, description } = manyTools(400)[i * 19]!
    const answer = good(await discovery.search_tool_by_category({ query: description.split(',')[0]! }))
    expect(answer.results.map(one => one.tool_id)).toContainEqual(expect.stringMatching(name.replace(/_\d+$/, '')))
    expect(JSON.stringify(answer).length).toBeLessThan(4000)
  }
  const { results } = good(await discovery.search_nodes({ query: 'restore a video from a backup' }))
  expect(good(await discovery.list({ path: results[0]!.path })).path).toEqual(results[0]!.path)
})

test('one change puts one document, not all of them', async () => {
  const tools = manyTools(2000).map(tool => toHostTool(tool, { timeoutMs: 1000 }))
  const views = createViews()
  const first = views.of(snapshotOf('1', tools), undefined)
  const index = await first.index()
  expect(index.size).toBe(2000)
  const put: string[] = []
  const removed: string[] = []
  const update = index.update
  index.update = changes => {
    put.push(...changes.put.map(one => one.id))
    removed.push(...changes.remove)
    update.call(index, changes)
  }
  const extra = toHostTool({ name: 'yodel', description: 'Yodels loudly.' }, { timeoutMs: 1 })
  const changed = { ...tools[5]!, description: 'Quite another thing: umbrellas.' }
  const next = views.of(snapshotOf('2', [...tools.slice(1, 5), changed, ...tools.slice(6), extra]), undefined)
  expect(await next.index()).toBe(index)
  expect(put).toEqual([changed.id, 'yodel'])
  expect(removed).toEqual([tools[0]!.id])
  expect(index.search('umbrellas', { limit: 1 })[0]?.id).toBe(changed.id)
  expect(index.bytes() / index.size).toBeLessThan(5000)

  // The same tools, made anew: it is the same view, and nothing is touched.
  const copies = [...next.tools.values()].map(tool => structuredClone(tool))
  expect(views.of(snapshotOf('3', copies), undefined)).toBe(next)
})

test('tools that cannot be indexed do not stop the searches after them', async () => {
  const [sound, other] = manyTools(2).map(tool => toHostTool(tool, { timeoutMs: 1000 }))
  const broken = Object.defineProperty({ ...other! }, 'inputSchema', {
    get: () => {
      throw new Error('no schema')
    },
  })
  const views = createViews()
  await expect(views.of(snapshotOf('1', [broken]), undefined).index()).rejects.toThrow('no schema')
  expect((await views.of(snapshotOf('2', [sound!]), undefined).index()).size).toBe(1)
})

test('a skill that is added is found by the next search', async () => {
  const folder = makeFolder({ 'a/SKILL.md': skillMd('a') })
  const { discovery } = await makeRuntime(folder)
  await discovery.search_nodes({ query: 'anything' })
  const { mkdirSync } = await import('node:fs')
  mkdirSync(join(folder, 'tea'))
  writeFileSync(join(folder, 'tea/SKILL.md'), '---\nname: tea\ndescription: Brews green tea.\n---\n')
  const { results } = good(await discovery.search_tool_by_category({ query: 'brew some tea' }))
  expect(results[0]?.tool_id).toBe('tea')
})

test('views of many kinds of callers are kept within bounds, and each is right', async () => {
  const tools = Array.from({ length: 40 }, (_, i) =>
    toHostTool({ name: `t${i}`, description: 'x', roles: [`r${i}`] }, { timeoutMs: 1 }),
  )
  const views = createViews()
  const snapshot = snapshotOf('1', tools)
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 40; i++) {
      const view = views.of(snapshot, { id: 'u', roles: [`r${i}`, 'unknown'] })
      expect([...view.tools.keys()]).toEqual([`t${i}`])
      expect((await view.index()).size).toBe(1)
    }
})

test('an embedder takes part in searches, and one that fails does not stop them', async () => {
  const near = (text: string) => (/beverage|brews/i.test(text) ? [1, 0] : [0, 1])
  const tools = [
    { name: 'kettle', description: 'Brews leaves in hot water.', run: () => 1 },
    { name: 'drill', description: 'Makes holes.', run: () => 1 },
  ]
  const model = { name: 'toy', embed: async (texts: readonly string[]) => texts.map(near) }
  const { discovery } = await runtimeOf(tools, { embedder: { model } })
  const { results } = good(await discovery.search_tool_by_category({ query: 'beverage' }))
  expect(results[0]?.tool_id).toBe('kettle')

  const failures: unknown[] = []
  const broken = { name: 'broken', embed: async () => Promise.reject(new Error('no model')) }
  const other = await runtimeOf(tools, { embedder: { model: broken, onError: error => failures.push(error) } })
  expect(good(await other.discovery.search_tool_by_category({ query: 'brews leaves' })).results[0]?.tool_id).toBe(
    'kettle',
  )
  expect(failures).toHaveLength(1)
  await expect(runtimeOf(tools, { embedder: { model, weight: -1 } })).rejects.toThrow(TypeError)
})
