import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { until } from '../mcp/support.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { connectHttp, connectNew, connectStdio, mount, type Peer, textOf } from './mcp-support.ts'

const SKILLS = {
  'greeter/SKILL.md': skillMd('greeter'),
  'greeter/scripts/greet.sh': '# Greets.\necho "hello $1"\n',
  'marker/SKILL.md': skillMd('marker'),
  'marker/tool-manifest.yaml': `version: 1
tools:
  - { name: mark, description: Marks homework., roles: [teacher], executor: { type: script, entry: scripts/mark.sh } }
  - { name: show, description: Shows homework., executor: { type: script, entry: scripts/mark.sh } }
`,
  'marker/scripts/mark.sh': 'echo marked\n',
}

const ACTIVE = ['use_skill', 'remove_skill', 'list_active_skills']
const namesOf = async (client: Peer) => (await client.listTools()).tools.map(tool => tool.name)
const ownOf = async (client: Peer) => (await namesOf(client)).filter(name => /^(?:greeter|marker|note)/.test(name))

function onListChanged(client: Peer): { count(): number } {
  let count = 0
  const { setNotificationHandler } = client as unknown as {
    setNotificationHandler(method: string, handler: () => void): void
  }
  setNotificationHandler.call(client, 'notifications/tools/list_changed', () => {
    count++
  })
  return { count: () => count }
}

test.each(['http', 'stdio'])(
  'an older client over %s activates skills, and hears that its tools changed',
  async how => {
    const folder = makeFolder(SKILLS)
    const client =
      how === 'http'
        ? await connectHttp('2025-11-25', await mount(await makeRuntime(folder)))
        : await connectStdio('2025-11-25', ['--source', folder, '--no-default-sources', '--workspace', makeFolder()])
    const heard = onListChanged(client)
    expect(await namesOf(client)).toEqual(expect.arrayContaining(ACTIVE))
    expect(await ownOf(client)).toEqual([])

    const used = await client.callTool({ name: 'use_skill', arguments: { skill_name: 'greeter' } })
    expect(used.structuredContent).toEqual({ tool_names: ['greeter', 'greeter__greet'] })
    await until(() => heard.count() === 1)
    expect(await ownOf(client)).toEqual(['greeter', 'greeter__greet'])
    const greeted = await client.callTool({ name: 'greeter__greet', arguments: { arguments: ['Ada'] } })
    expect(textOf(greeted)).toBe('hello Ada')
    const active = await client.callTool({ name: 'list_active_skills' })
    expect(active.structuredContent).toEqual({ skills: ['greeter'] })

    const removed = await client.callTool({ name: 'remove_skill', arguments: { skill_name: 'greeter' } })
    expect(removed.structuredContent).toEqual({ removed_tools: ['greeter', 'greeter__greet'] })
    await until(() => heard.count() === 2)
    expect(await ownOf(client)).toEqual([])
    await expect(client.callTool({ name: 'greeter__greet' })).rejects.toMatchObject({ code: -32602 })
  },
)

test('a client of SDK 1 activates a skill that it hands over', async () => {
  const client = await connectHttp('sdk-1', await mount(await makeRuntime(makeFolder())))
  const skill_content = skillMd('note', '', 'Write $ARGUMENTS down.')
  await client.callTool({ name: 'use_skill', arguments: { skill_name: 'note', skill_content } })
  expect(await ownOf(client)).toEqual(['note'])
  const answer = await client.callTool({ name: 'note', arguments: { arguments: 'milk' } })
  expect(textOf(answer)).toContain('Write milk down.')
})

test('activating what is not there, or in the wrong way, says what to do', async () => {
  const client = await connectHttp('2025-11-25', await mount(await makeRuntime(makeFolder(SKILLS))))
  const missing = await client.callTool({ name: 'use_skill', arguments: { skill_name: 'greter' } })
  expect(missing.isError).toBe(true)
  expect(textOf(missing)).toContain('Did you mean greeter?')
  const wrong = await client.callTool({ name: 'remove_skill', arguments: { name: 'greeter' } })
  expect(wrong.isError).toBe(true)
  expect(textOf(wrong)).toMatch(/^INVALID_ARGS: skill_name/)
})

test('two connections with different roles and skills see nothing of each other', async () => {
  const mounted = await mount(await makeRuntime(makeFolder(SKILLS)))
  const ada = await connectHttp('2025-11-25', mounted, 'ada')
  const bob = await connectHttp('sdk-1', mounted, 'bob')
  const heard = onListChanged(ada)
  await Promise.all([
    ada.callTool({ name: 'use_skill', arguments: { skill_name: 'marker' } }),
    bob.callTool({ name: 'use_skill', arguments: { skill_name: 'greeter' } }),
  ])
  expect(await ownOf(ada)).toEqual(['marker', 'marker__mark', 'marker__show'])
  expect(await ownOf(bob)).toEqual(['greeter', 'greeter__greet'])
  await expect(bob.callTool({ name: 'marker__show' })).rejects.toThrow()

  await bob.callTool({ name: 'use_skill', arguments: { skill_name: 'marker' } })
  expect(await ownOf(bob)).toEqual(['greeter', 'greeter__greet', 'marker', 'marker__show'])
  await expect(bob.callTool({ name: 'marker__mark' })).rejects.toThrow()
  const hidden = await bob.callTool({ name: 'expand_tool', arguments: { tool_id: 'marker.mark' } })
  expect(JSON.parse(textOf(hidden))).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
  expect(textOf(await ada.callTool({ name: 'marker__mark' }))).toBe('marked')
  await sleep(50)
  expect(heard.count()).toBe(1)
})

test('in the newest protocol roles decide, for each request', async () => {
  const mounted = await mount(await makeRuntime(makeFolder(SKILLS)), { mode: 'flat' })
  const [ada, bob] = [await connectHttp('2026-07-28', mounted, 'ada'), await connectHttp('2026-07-28', mounted, 'bob')]
  expect(await namesOf(ada)).toContain('marker__mark')
  expect(await namesOf(bob)).not.toContain('marker__mark')
  await expect(bob.callTool({ name: 'marker__mark' })).rejects.toMatchObject({ code: -32602 })
})

describe('what changes on disk', () => {
  test('is told to those who listen in the newest protocol', async () => {
    const folder = makeFolder(SKILLS)
    const mounted = await mount(await makeRuntime(folder), { mode: 'flat' })
    const transport = new StreamableHTTPClientTransport(new URL(mounted.url))
    const client = await connectNew('2026-07-28', transport)
    const heard = onListChanged(client)
    await client.listTools()
    const subscription = await client.listen({ toolsListChanged: true })
    writeFileSync(join(folder, 'greeter/scripts/wave.sh'), '# Waves.\necho wave\n')
    await until(async () =>
      (await client.listTools({}, { cacheMode: 'refresh' })).tools.some(tool => tool.name === 'greeter__wave'),
    )
    await until(() => heard.count() === 1)
    await subscription.close()
  })

  test('is told to an older client at once, without being asked', async () => {
    const folder = makeFolder(SKILLS)
    const client = await connectStdio('2025-11-25', [
      ...['--source', folder, '--no-default-sources', '--workspace', makeFolder(), '--mode', 'flat'],
    ])
    const heard = onListChanged(client)
    expect(await ownOf(client)).toContain('greeter')
    rmSync(join(folder, 'greeter'), { recursive: true })
    await until(() => heard.count() > 0)
    expect(await ownOf(client)).not.toContain('greeter')
  })
})
