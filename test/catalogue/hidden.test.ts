// What a caller may not use leaves no trace: every answer is the one that a catalogue without those tools gives.
import { expect, test } from 'vitest'
import { createDiscoveryTools, createLangchainTools } from '../../src/adapters/langchain.ts'
import type { DiscoverySession, HostTool } from '../../src/index.ts'
import { bad, good, makeSeedRuntime, manyTools, runtimeOf, withRoles } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const OPEN = manyTools(30)
const SECRET: HostTool[] = [
  {
    name: 'wipe_vault',
    description: 'Wipes the vault of pictures and invoices.',
    category: 'Secrets/Vault',
    roles: ['admin'],
    run: () => 1,
  },
  {
    name: 'read_vault',
    description: 'Reads the vault.',
    tags: ['vault', 'picture'],
    roles: ['admin', 'auditor'],
    run: () => 1,
  },
  // With these the level would be too large and grouped.
  ...manyTools(80)
    .slice(30)
    .map(tool => ({ ...tool, roles: ['admin'] })),
]

/** All that can be asked, with what differs from call to call taken out. */
async function everything(session: DiscoverySession): Promise<string> {
  const answers: object[] = []
  const say = (answer: object) => answers.push(answer)
  for (const path of [undefined, [], ['host'], ['Secrets'], ['Secrets', 'Vault'], ['secret'], ['vault']])
    for (const query of [undefined, 'wipe the vault', 'rotate a picture']) {
      say(await session.list({ path: path ?? null, query: query ?? null, limit: 50 }))
      say(await session.list({ path: path ?? null, query: query ?? null, limit: 3, tags: ['vault', 'picture'] }))
    }
  for (const query of ['wipe the vault', 'vault', 'archive a picture', 'secrets']) {
    say(await session.search_nodes({ query, limit: 50 }))
    say(await session.search_tool_by_category({ query, limit: 50 }))
    say(await session.search_tool_by_category({ query, limit: 2 }))
    say(await session.search_tool_by_category({ query, category_path: ['Secrets', 'Vault'] }))
  }
  for (const tool_id of ['wipe_vault', 'read_vault', 'wipe_vaul', 'vault', 'archive_picture_2', SECRET[5]!.name]) {
    say(await session.expand_tool({ tool_id }))
    const { meta: _, ...answer } = await session.call_tool({ tool_id, args: {} })
    say(answer)
  }
  return JSON.stringify(answers, null, 1)
}

test('every answer is byte for byte that of a catalogue without the hidden tools', async () => {
  const { discovery } = await runtimeOf([...OPEN, ...SECRET])
  const without = await everything((await runtimeOf(OPEN)).discovery.session())
  expect(await everything(discovery.session())).toBe(without)
  expect(await everything(discovery.session(withRoles('guest')))).toBe(without)
  expect(await everything(discovery.session(withRoles('admin')))).not.toBe(without)
  // Again after others have seen everything: nothing is shared.
  expect(await everything(discovery.session())).toBe(without)
})

test('a hidden tool that is asked for by name answers like one that never was', async () => {
  const { discovery } = await runtimeOf([...OPEN, { ...SECRET[0]!, name: 'hidden_qqq' }])
  for (const operation of ['expand_tool', 'call_tool'] as const) {
    const [hidden, missing] = await Promise.all(
      ['hidden_qqq', 'missing_zz'].map(async tool_id => bad(await discovery[operation]({ tool_id }))),
    )
    expect(hidden!.code).toBe('TOOL_NOT_FOUND')
    expect(JSON.stringify(hidden).replaceAll('hidden_qqq', 'X')).toBe(
      JSON.stringify(missing).replaceAll('missing_zz', 'X'),
    )
  }
})

test('cursors are bound to what the caller sees, and to nothing else', async () => {
  const { discovery } = await runtimeOf([...OPEN, ...SECRET])
  const guest = discovery.session()
  const admin = discovery.session(withRoles('admin'))
  const { next_cursor } = good(await guest.list({ path: ['host'], limit: 2 }))
  expect(bad(await admin.list({ path: ['host'], limit: 2, cursor: next_cursor })).code).toBe('INVALID_CURSOR')
  // The same tools without the hidden ones: the guest cannot tell, and the cursor holds.
  const plain = (await runtimeOf(OPEN)).discovery
  expect(good(await plain.list({ path: ['host'], limit: 2, cursor: next_cursor })).tools).toHaveLength(2)
})

test('a change of what is hidden is not noticed', async () => {
  const manifest = (words: string) =>
    `version: 1\ntools:\n  - { name: say, description: ${words}, roles: [admin], executor: { type: script, code: echo hi, interpreter: sh } }\n`
  const folder = makeFolder({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/x.sh': 'echo',
    'a/scripts/y.sh': 'echo',
    'b/SKILL.md': skillMd('b', 'disable-model-invocation: true\n'),
    'b/tool-manifest.yaml': manifest('one'),
  })
  const runtime = await makeRuntime(folder)
  const { next_cursor } = good(await runtime.discovery.list({ path: ['a'], limit: 1 }))
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${folder}/b/tool-manifest.yaml`, manifest('another'))
  expect(good(await runtime.discovery.list({ path: ['a'], limit: 1, cursor: next_cursor })).tools).toHaveLength(1)
  expect(good(await runtime.discovery.list()).nodes.map(node => node.name)).toEqual(['a'])
  const admin = runtime.discovery.session(withRoles('admin'))
  expect(good(await admin.list()).tools.map(tool => tool.summary)).toEqual(['another'])
})

test('roles hold in calls, their hints, the tools of a skill, and LangChain', async () => {
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': `version: 1\ntools:\n  - { name: secret, description: Tells, roles: [admin], executor: { type: script, code: echo hi, interpreter: sh } }\n  - { name: open, description: Opens, executor: { type: script, code: echo hi, interpreter: sh } }\n`,
  })
  const runtime = await makeRuntime(folder)
  const admin = withRoles('admin')
  const ids = (tools: readonly { id: string }[]) => tools.map(tool => tool.id)
  expect(ids(await runtime.getSkillTools('s'))).toEqual(['s.open'])
  expect(ids(await runtime.getSkillTools('s', admin))).toEqual(['s.secret', 's.open'])
  expect((await createLangchainTools(runtime)).map(tool => tool.name)).toEqual(['s', 's__open'])
  const [, secret] = await createLangchainTools(runtime, admin)
  expect(await secret!.invoke({})).toBe('hi')
  const failed = await runtime.call({ toolId: 's.secre' })
  expect(JSON.stringify(failed)).not.toContain('s.secret')
  expect(JSON.stringify(await runtime.call({ toolId: 's.secre', ...admin }))).toContain('s.secret')

  const [list] = createDiscoveryTools(runtime, admin)
  expect(await list!.invoke({ path: ['s'] })).toContain('s.secret')
  expect(await createDiscoveryTools(runtime)[0]!.invoke({ path: ['s'] })).not.toContain('s.secret')
})

test('a category that holds only hidden tools does not exist', async () => {
  const { runtime } = await makeSeedRuntime({ dynamicToolRoles: ['teacher'] })
  expect(good(await runtime.discovery.list())).toEqual({ path: [], nodes: [], tools: [], next_cursor: null })
  expect(bad(await runtime.discovery.list({ path: ['Storage'] }))).toMatchObject({ code: 'UNKNOWN_PATH', hints: [] })
  const teacher = runtime.discovery.session(withRoles('teacher'))
  expect(good(await teacher.list()).nodes).toHaveLength(6)
})
