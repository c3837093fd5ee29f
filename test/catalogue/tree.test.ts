// Categories: where tools stand, how large levels are grouped, and how little that changes.
import { expect, test } from 'vitest'
import { type CategoryNode, createCategoryTree } from '../../src/catalogue/category-tree.ts'
import { toHostTool } from '../../src/tools/host-tools.ts'
import type { Tool } from '../../src/types.ts'
import { good, manyTools, runtimeOf } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const toolsOf = (count: number): Tool[] => manyTools(count).map(tool => toHostTool(tool, { timeoutMs: 1000 }))
const treeOf = (tools: readonly Tool[]) => createCategoryTree(tools, new Map())
const placesOf = (tools: readonly Tool[]): Map<string, string> => {
  const tree = treeOf(tools)
  return new Map(
    tools.map(tool => [
      tool.id,
      tree
        .nodesOf(tool)
        .map(node => node.path.join('/'))
        .join('|'),
    ]),
  )
}

function walk(node: CategoryNode, visit: (node: CategoryNode) => void): void {
  visit(node)
  for (const one of node.level().nodes) walk(one, visit)
}

test('without declarations plugins, folders and skills are the categories', async () => {
  const folder = makeFolder({
    'one/SKILL.md': skillMd('one'),
    'two/SKILL.md': skillMd('two'),
    'two/scripts/x.sh': 'echo',
    'deep/skills/inner/three/SKILL.md': skillMd('three'),
    'deep/skills/inner/three/scripts/y.sh': 'echo',
    'plug/.claude-plugin/plugin.json': '{"name": "plug"}',
    'plug/skills/four/SKILL.md': skillMd('four'),
    'plug/skills/four/scripts/z.sh': 'echo',
    'five/SKILL.md': skillMd('five', 'category: Office/Mail\ntags: [mail, letters]\n'),
    'six/SKILL.md': skillMd('six', 'metadata:\n  category: office/mail\n'),
  })
  const { discovery } = await makeRuntime(folder)
  const at = async (...path: string[]) => {
    const { nodes, tools } = good(await discovery.list({ path, limit: 50 }))
    return [...nodes.map(node => `${node.name}/`), ...tools.map(tool => tool.tool_id)]
  }
  // A skill with one tool needs no category of its own.
  expect(await at()).toEqual(['Office/', 'deep/', 'plug/', 'two/', 'one'])
  expect(await at('two')).toEqual(['two', 'two.x'])
  expect(await at('deep')).toEqual(['inner/'])
  expect(await at('deep', 'inner', 'three')).toEqual(['three', 'three.y'])
  expect(await at('plug', 'four')).toEqual(['plug:four', 'plug:four.z'])
  expect(await at('Office', 'Mail')).toEqual(['five', 'six'])
  const { tools } = good(await discovery.list({ path: ['Office', 'Mail'], tags: ['letters'] }))
  expect(tools).toMatchObject([{ tool_id: 'five', tags: ['mail', 'letters'] }])
})

test.each([31, 100, 1000, 10_000])(
  '%i tools on one level are grouped, and no level shows more than 30 children',
  count => {
    const tools = toolsOf(count)
    const tree = treeOf(tools)
    const found = new Set<Tool>()
    walk(tree.root, node => {
      const { nodes, tools: here } = node.level()
      expect(nodes.length + here.length).toBeLessThanOrEqual(30)
      expect(new Set(nodes.map(one => one.path.at(-1))).size).toBe(nodes.length)
      for (const tool of here) {
        expect(found.has(tool)).toBe(false)
        found.add(tool)
        expect(tree.nodesOf(tool)).toEqual([node])
      }
      expect(tree.find(node.path).node).toBe(node)
    })
    expect(found.size).toBe(count)
  },
)

test('labels are words of what they hold', () => {
  const [host] = treeOf(toolsOf(100)).root.level().nodes
  for (const group of host!.level().nodes) {
    const label = group.path.at(-1)!
    if (label === 'other') continue
    for (const tool of group.toolsBelow()) expect(`${tool.name} ${tool.description}`.toLowerCase()).toContain(label)
  }
})

test('very large levels are divided by topic, and a tool stands where its words belong', () => {
  const weather = toHostTool({ name: 'get_forecast', description: 'Rain and wind of tomorrow.' }, { timeoutMs: 1 })
  const song = toHostTool({ name: 'play_album', description: 'Plays the songs of an artist.' }, { timeoutMs: 1 })
  const nonsense = toHostTool({ name: 'xq_zv', description: 'Qwrt plmk.' }, { timeoutMs: 1 })
  const places = placesOf([...toolsOf(1000), weather, song, nonsense])
  expect(places.get('get_forecast')).toMatch(/^host\/weather and climate/)
  expect(places.get('play_album')).toMatch(/^host\/audio and music/)
  expect(places.get('xq_zv')).toMatch(/^host\/other/)
})

test('the same tools give the same categories in whatever order they come', () => {
  const tools = toolsOf(1000)
  expect(placesOf(tools.toReversed())).toEqual(placesOf(tools))
})

test('a few tools that come or go move few others', () => {
  const tools = toolsOf(2000)
  const before = placesOf(tools)
  for (const seed of [3, 7, 11, 13]) {
    const after = placesOf(tools.filter((_, i) => i % 199 !== seed))
    const moved = [...after].filter(([id, place]) => before.get(id) !== place)
    expect([seed, moved.length / tools.length < 0.05]).toEqual([seed, true])
  }
})

test('names that say nothing are grouped by how they begin', () => {
  const dull = Array.from({ length: 500 }, (_, i) =>
    toHostTool({ name: `tool_${String(i).padStart(3, '0')}`, description: 'Runs it.' }, { timeoutMs: 1 }),
  )
  const [host] = treeOf(dull).root.level().nodes
  expect(host!.level().nodes.map(node => node.path.at(-1))).toEqual([
    'tool_0…',
    'tool_1…',
    'tool_2…',
    'tool_3…',
    'tool_4…',
  ])
  const unicode = Array.from({ length: 200 }, (_, i) => ({
    ...dull[i]!,
    category: String.fromCodePoint(0x4e00 + i * 7),
  }))
  walk(treeOf(unicode).root, node => expect(node.level().nodes.length).toBeLessThanOrEqual(30))
})

test('declared paths stay valid when a level is grouped', async () => {
  const tools = manyTools(200).map((tool, i) => ({
    ...tool,
    category: `area ${String.fromCharCode(97 + (i % 25))}${i % 50}/inside`,
  }))
  const { discovery } = await runtimeOf(tools)
  const answer = good(await discovery.list({ path: ['area a0', 'inside'] }))
  expect(answer.tools).toHaveLength(4)
  expect(answer.path.slice(-2)).toEqual(['area a0', 'inside'])
  expect(answer.path.length).toBeGreaterThan(2)
  expect(good(await discovery.list({ path: answer.path }))).toEqual(answer)
})

test('hostile categories are bounded', () => {
  const deep = Array.from({ length: 500 }, (_, i) => `level ${i}`).join('/')
  const many = Array.from({ length: 500 }, (_, i) => `place ${i}`)
  const given = ['', '///', ' / ', deep, 'x'.repeat(100_000), '../../etc', '__proto__/constructor', '\u0000\u001b']
  const tools = [
    ...given.map((category, i) => toHostTool({ name: `t${i}`, description: 'x', category }, { timeoutMs: 1 })),
    toHostTool({ name: 'many', description: 'x', category: many }, { timeoutMs: 1 }),
  ]
  const tree = treeOf(tools)
  walk(tree.root, node => {
    expect(node.path.length).toBeLessThanOrEqual(7)
    for (const label of node.path) expect(label.length).toBeLessThanOrEqual(48)
  })
  expect(tree.nodesOf(tools.at(-1)!)).toHaveLength(8)
  expect(tree.find(['__proto__', 'constructor']).isWhole).toBe(true)
  expect(tree.find(['constructor']).isWhole).toBe(false)
})
