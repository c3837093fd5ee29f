// The example conversation of the discovery protocol, by real clients in every protocol, over both transports.
import { describe, expect, test } from 'vitest'
import { discoveryPrompt } from '../../src/index.ts'
import { makeSeedRuntime } from '../support/catalogue.ts'
import { makeFolder } from '../support/folders.ts'
import { connectHttp, connectStdio, KINDS, mount, type Peer, textOf } from './mcp-support.ts'

const RENAME = { project_root: '.', symbol: 'old', new_name: 'new' }

describe.each(KINDS)('a client of %s', kind => {
  test('goes from list to call over HTTP', async () => {
    const { runtime } = await makeSeedRuntime()
    await converse(await connectHttp(kind, await mount(runtime)))
  })

  test('goes from list to call over stdio', async () => {
    const { folder } = await makeSeedRuntime()
    await converse(await connectStdio(kind, ['--source', folder, '--no-default-sources', '--workspace', makeFolder()]))
  })

  async function converse(client: Peer) {
    expect(client.getInstructions()).toBe(discoveryPrompt())
    const names = (await client.listTools()).tools.map(tool => tool.name)
    const five = ['list', 'search_tool_by_category', 'search_nodes', 'expand_tool', 'call_tool']
    expect(names).toEqual(kind === '2026-07-28' ? five : [...five, 'use_skill', 'remove_skill', 'list_active_skills'])

    const root = await ask<{ nodes: { name: string }[] }>('list', {})
    expect(root.nodes.map(node => node.name)).toEqual(expect.arrayContaining(['Coding', 'Storage', 'User']))
    const place = await ask<{ tools: { tool_id: string }[] }>('list', { path: ['Coding', 'Refactoring'] })
    expect(place.tools.map(tool => tool.tool_id)).toContain('refactor.rename_symbol')
    const found = await ask<{ results: { tool_id: string }[] }>('search_tool_by_category', {
      query: 'rename symbol',
      category_path: ['Coding', 'Refactoring'],
    })
    const { tool_id } = found.results[0]!
    expect(tool_id).toBe('refactor.rename_symbol')
    const expanded = await ask<{ version: string; args_schema: { required: string[] } }>('expand_tool', { tool_id })
    expect(expanded.args_schema.required).toEqual(['project_root', 'symbol', 'new_name'])
    const called = await ask<{ ok: boolean; data: unknown }>('call_tool', {
      tool_id,
      args: RENAME,
      version: expanded.version,
    })
    expect(called).toMatchObject({ ok: true, data: { changed_files: 3, diff_preview: 'old -> new' } })

    async function ask<Response>(name: string, request: Record<string, unknown>): Promise<Response> {
      const answer = await client.callTool({ name, arguments: request })
      expect(answer.isError ?? false, textOf(answer)).toBe(false)
      return answer.structuredContent as Response
    }
  }
})
