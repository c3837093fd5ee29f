// The protocol's own example requests and responses, field by field.
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/catalogue/operations.ts'
import { bad, good, makeSeedRuntime } from '../support/catalogue.ts'

const confidence = expect.toSatisfy((value: unknown) => typeof value === 'number' && value >= 0 && value <= 1)

test('list answers with the path, nodes, tools and a cursor', async () => {
  const { runtime } = await makeSeedRuntime()
  const answer = good(await runtime.discovery.list({ path: ['Storage'], limit: 10 }))
  expect(answer).toStrictEqual({
    path: ['Storage'],
    nodes: [
      {
        name: 'Buckets',
        path: ['Storage', 'Buckets'],
        summary: 'Create and manage object storage buckets',
        tags: ['storage', 'objects'],
      },
    ],
    tools: [],
    next_cursor: null,
  })
  expect(OPERATIONS.list.response.parse(answer)).toEqual(answer)
})

test('list with a query answers tools from below the path, with a confidence', async () => {
  const { runtime } = await makeSeedRuntime()
  const answer = good(await runtime.discovery.list({ path: ['Storage'], query: 'upload file', cursor: null }))
  expect(answer.tools[0]).toStrictEqual({
    tool_id: 'storage.put_object',
    path: ['Storage', 'Buckets'],
    summary: 'Uploads an object to a bucket',
    tags: ['storage', 'upload'],
    confidence,
  })
  expect(answer.nodes[0]).toMatchObject({ name: 'Buckets', path: ['Storage', 'Buckets'] })
})

test('list keeps to tags: one of them is enough, and a category without any is left out', async () => {
  const { runtime } = await makeSeedRuntime()
  const root = good(await runtime.discovery.list({ tags: ['auth', 'oauth'] }))
  expect(root.nodes.map(node => node.name)).toEqual(['System', 'User'])
  const auth = good(await runtime.discovery.list({ path: ['User', 'Auth'], tags: ['OAuth'] }))
  expect(auth.tools.map(tool => tool.tool_id)).toEqual(['auth.login'])
})

test('search_tool_by_category answers ranked pointers', async () => {
  const { runtime } = await makeSeedRuntime()
  const answer = good(
    await runtime.discovery.search_tool_by_category({
      query: 'rename a symbol across the codebase',
      category_path: ['Coding', 'Refactoring'],
      limit: 5,
      cursor: null,
    }),
  )
  expect(Object.keys(answer)).toEqual(['category_path', 'results', 'next_cursor'])
  expect(answer.category_path).toEqual(['Coding', 'Refactoring'])
  expect(answer.next_cursor).toBeNull()
  expect(answer.results[0]).toStrictEqual({
    tool_id: 'refactor.rename_symbol',
    path: ['Coding', 'Refactoring'],
    summary: 'Renames a symbol project‑wide and updates references',
    tags: ['refactor', 'rename'],
    confidence,
  })
})

test('search_nodes answers candidate paths, best first', async () => {
  const { runtime } = await makeSeedRuntime()
  const answer = good(await runtime.discovery.search_nodes({ query: 'oauth login', limit: 5 }))
  expect(Object.keys(answer)).toEqual(['results'])
  expect(answer.results[0]).toStrictEqual({
    path: ['User', 'Auth'],
    summary: 'Authentication and authorization workflows',
    confidence,
  })
  const credentials = good(await runtime.discovery.search_nodes({ query: 'credential for a service' }))
  expect(credentials.results.map(one => one.path)).toEqual(
    expect.arrayContaining([
      ['System', 'Identity'],
      ['User', 'Auth'],
    ]),
  )
})

test('expand_tool answers the schemas, and a version', async () => {
  const { runtime } = await makeSeedRuntime()
  const answer = good(await runtime.discovery.expand_tool({ tool_id: 'refactor.rename_symbol' }))
  expect(answer).toStrictEqual({
    tool_id: 'refactor.rename_symbol',
    path: ['Coding', 'Refactoring'],
    summary: 'Renames a symbol project‑wide and updates references',
    args_schema: {
      type: 'object',
      properties: {
        project_root: { type: 'string' },
        symbol: { type: 'string' },
        new_name: { type: 'string' },
        language: { type: 'string', enum: ['ts', 'js', 'py', 'go', 'java'] },
        dry_run: { type: 'boolean', default: true },
      },
      required: ['project_root', 'symbol', 'new_name'],
    },
    result_schema: {
      type: 'object',
      properties: { changed_files: { type: 'integer' }, diff_preview: { type: 'string' } },
      required: ['changed_files'],
    },
    version: expect.stringMatching(/^[0-9a-f]{12}$/),
    examples: [{ project_root: '<project_root>', symbol: '<symbol>', new_name: '<new_name>' }],
  })
})

test('call_tool runs the tool and answers data and meta', async () => {
  const { runtime } = await makeSeedRuntime()
  const { discovery } = runtime
  await discovery.expand_tool({ tool_id: 'refactor.rename_symbol' })
  const args = { project_root: '.', symbol: 'a', new_name: 'b' }
  const answer = await discovery.call_tool({ tool_id: 'refactor.rename_symbol', args })
  expect(answer).toMatchObject({
    ok: true,
    data: { changed_files: 3, diff_preview: 'a -> b' },
    meta: { tool_id: 'refactor.rename_symbol', attempts: 1, exit_code: 0 },
  })
  const wrong = await discovery.call_tool({ tool_id: 'refactor.rename_symbol', args: { symbol: 1 } })
  expect(wrong).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', next_action: expect.any(String) } })
})

test('the errors of the protocol carry a message, hints and a next action', async () => {
  const { discovery } = (await makeSeedRuntime()).runtime
  const unknown = bad(await discovery.list({ path: ['Storge'] }))
  expect(unknown).toStrictEqual({
    code: 'UNKNOWN_PATH',
    message: 'There is no category ["Storge"].',
    hints: expect.arrayContaining(['Try path ["Storage"].']),
    next_action: expect.stringMatching(/list/i),
  })
  const none = bad(await discovery.search_tool_by_category({ query: 'rename a symbol', category_path: ['Rendering'] }))
  expect(none.code).toBe('NO_MATCH_IN_CATEGORY')
  expect(none.hints[0]).toBe('Try category ["Coding","Refactoring"].')
  expect(none.hints.join()).not.toContain('Rendering')
  const missing = bad(await discovery.expand_tool({ tool_id: 'refactor.rename_simbol' }))
  expect(missing.code).toBe('TOOL_NOT_FOUND')
  expect(missing.hints[0]).toBe('Did you mean refactor.rename_symbol?')
  const byMeaning = bad(await discovery.expand_tool({ tool_id: 'uploadObjectToBucket' }))
  expect(byMeaning.hints).toContain('Did you mean storage.put_object?')
})

test('requests are read strictly, and limits are kept', async () => {
  const { discovery } = (await makeSeedRuntime()).runtime
  for (const wrong of [{ pth: [] }, { path: 'Storage' }, { limit: 0 }, { limit: 1.5 }, { tags: 'x' }, 7, 'list'])
    expect([wrong, bad(await discovery.list(wrong as never)).code]).toEqual([wrong, 'INVALID_ARGS'])
  expect(good(await discovery.list({ limit: 5000, path: null, tags: null, query: null })).nodes).toHaveLength(6)
  for (const query of ['', '   '])
    expect(bad(await discovery.search_nodes({ query })).message).toContain('The query is empty')
  expect(bad(await discovery.search_tool_by_category({ category_path: [] } as never)).code).toBe('INVALID_ARGS')
  expect(bad(await discovery.call_tool({} as never)).code).toBe('INVALID_ARGS')
})

test('paths are found in any spelling, and a tool in two categories answers with the one that was asked', async () => {
  const { discovery } = (await makeSeedRuntime()).runtime
  expect(good(await discovery.list({ path: ['user', ' AUTH '] })).path).toEqual(['User', 'Auth'])
  const within = async (category_path: string[]) =>
    good(await discovery.search_tool_by_category({ query: 'credential', category_path })).results[0]
  expect(await within(['User'])).toMatchObject({ tool_id: 'auth.service_token', path: ['User', 'Auth'] })
  expect(await within(['System'])).toMatchObject({ tool_id: 'auth.service_token', path: ['System', 'Identity'] })
})
