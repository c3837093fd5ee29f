// Two callers with different roles and skills at the same time: neither sees the other's tools, workspace or events.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { ServeOptions } from '../../src/servers/serve.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest } from '../support/sandbox.ts'
import { args, dial, errorOf, failure } from './grpc-client.ts'
import { connectNew, type Peer, textOf } from './mcp-support.ts'
import { CALLERS, connect, eventsOf, start, TOKENS } from './support.ts'

const MANIFEST = `version: 1
tools:
  - name: grade
    description: Grades a pupil.
    roles: [teacher]
    executor: { type: script, entry: scripts/grade.sh }
`

async function startSchool(options: ServeOptions = {}) {
  const folder = makeFolder({
    'marks/SKILL.md': skillMd('marks', 'disable-model-invocation: true\n'),
    'marks/tool-manifest.yaml': MANIFEST,
    'marks/scripts/grade.sh': '#!/bin/sh\necho graded\n',
    'notes/SKILL.md': skillMd('notes'),
    'notes/scripts/write.sh': '#!/bin/sh\n# Writes a note.\necho "$1" > note.txt\npwd\n',
    'notes/scripts/look.sh': '#!/bin/sh\n# Lists the notes.\nls | grep txt; true\n',
  })
  const runtime = await makeRuntime(folder)
  const workspaces = join(makeFolder(), 'workspaces')
  return { ...(await start(runtime, { ...options, tokens: CALLERS, workspaces })), workspaces }
}

test('over REST', async () => {
  const { origin } = await startSchool()
  const ada = await connect(origin, TOKENS.ada)
  const bob = await connect(origin, TOKENS.bob)
  const idOf = async (api: typeof ada) => (await api('POST', '/v1/sessions')).body['session_id'] as string
  const [adas, bobs] = [await idOf(ada), await idOf(bob)]
  const events: string[] = []
  const listening = new AbortController()
  const stream = await fetch(`${origin}/v1/sessions/${bobs}/events`, {
    headers: { authorization: `Bearer ${TOKENS.bob}` },
    signal: listening.signal,
  })
  const own = await fetch(`${origin}/v1/events`, {
    headers: { authorization: `Bearer ${TOKENS.bob}` },
    signal: listening.signal,
  })
  const collecting = [stream, own].map(async response => {
    for await (const { data } of eventsOf(response)) events.push(`${data['caller_id']} ${data['tool_name']}`)
  })

  expect((await ada('POST', `/v1/sessions/${adas}/skills`, { skill_name: 'marks' })).body).toEqual({
    tool_names: ['marks.grade'],
  })
  await ada('POST', `/v1/sessions/${adas}/skills`, { skill_name: 'notes' })
  await bob('POST', `/v1/sessions/${bobs}/skills`, { skill_name: 'notes' })
  const path = (id: string, tool: string) => `/v1/sessions/${id}/tools/${tool}/call`
  expect((await ada('POST', path(adas, 'marks.grade'))).body).toMatchObject({ data: 'graded' })
  expect((await bob('POST', path(bobs, 'marks.grade'))).body).toMatchObject({ code: 'TOOL_NOT_FOUND' })
  expect((await bob('POST', '/v1/tools/marks.grade/call')).body).toMatchObject({ code: 'TOOL_NOT_FOUND' })
  const seen = JSON.stringify([
    (await bob('GET', `/v1/sessions/${bobs}/tools`)).body,
    (await bob('POST', `/v1/sessions/${bobs}/list`, { query: 'grade a pupil' })).body,
    (await bob('GET', '/v1/tools')).body,
    (await bob('GET', '/v1/report')).body,
    (await bob('GET', '/v1/audit')).body,
  ])
  expect(seen).not.toContain('marks.grade')

  await ada('POST', path(adas, 'notes.write'), { args: { arguments: ['for ada alone'] } })
  expect((await ada('POST', path(adas, 'notes.look'))).body).toMatchObject({ data: 'note.txt' })
  expect((await bob('POST', path(bobs, 'notes.look'))).body).toMatchObject({ data: '' })

  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['GET', '/skills', undefined],
    ['POST', '/skills', { skill_name: 'notes' }],
    ['GET', '/tools', undefined],
    ['POST', '/tools/notes.look/call', {}],
    ['POST', '/tools/notes.look/call?stream', {}],
    ['POST', '/list', {}],
    ['GET', '/events', undefined],
  ] as const)
    expect(await bob(method, `/v1/sessions/${adas}${rest}`, body)).toMatchObject({
      status: 404,
      body: { code: 'SESSION_NOT_FOUND' },
    })
  expect((await ada('GET', `/v1/sessions/${adas}`)).body).toMatchObject({ active_skills: ['marks', 'notes'] })

  await expect.poll(() => events.includes('bob notes.look')).toBe(true)
  expect(events.filter(event => event.startsWith('ada'))).toEqual([])
  listening.abort()
  await Promise.allSettled(collecting)
  expect((await ada('DELETE', `/v1/sessions/${adas}`)).status).toBe(204)
  expect((await ada('GET', `/v1/sessions/${adas}`)).status).toBe(404)
})

sandboxedTest(
  'what sessions and other callers leave in the state folder is not seen by calls outside of them',
  async () => {
    const workspace = makeFolder()
    const folder = makeFolder({
      'notes/SKILL.md': skillMd('notes'),
      'notes/scripts/find.sh': '# Finds all files.\nfind . -type f\n',
    })
    const runtime = await makeRuntime(folder, { workspace, builtins: true })
    const { origin } = await start(runtime, { tokens: CALLERS, workspaces: join(workspace, '.skillwright/workspaces') })
    const ada = await connect(origin, TOKENS.ada)
    const bob = await connect(origin, TOKENS.bob)
    const { body } = await ada('POST', '/v1/sessions')
    const written = { args: { path: 'mine.txt', content: 'of ada' } }
    expect(await ada('POST', `/v1/sessions/${body['session_id']}/tools/write/call`, written)).toMatchObject({
      status: 200,
    })
    for (const path of ['.skillwright/audit.jsonl', `.skillwright/workspaces/${body['session_id']}/mine.txt`])
      expect(await bob('POST', '/v1/tools/read/call', { args: { path } })).toMatchObject({
        body: { code: 'PATH_PROTECTED' },
      })
    for (const [tool, args] of [
      ['notes.find', {}],
      ['bash', { command: 'find . -type f' }],
    ] as const)
      expect(JSON.stringify((await bob('POST', `/v1/tools/${tool}/call`, { args })).body)).not.toMatch(/mine|audit/)
  },
)

test('a session that is refused leaves no folder', async () => {
  const workspaces = join(makeFolder(), 'workspaces')
  const runtime = await makeRuntime(makeFolder(), { maxSessions: 1 })
  const { origin } = await start(runtime, { tokens: CALLERS, workspaces })
  const ada = await connect(origin, TOKENS.ada)
  expect(await ada('POST', '/v1/sessions')).toMatchObject({ status: 201 })
  expect((await ada('POST', '/v1/sessions')).body).toMatchObject({ code: 'TOO_MANY_SESSIONS' })
  expect(readdirSync(workspaces)).toHaveLength(1)
})

test('over gRPC', async () => {
  const { addresses } = await startSchool()
  const ada = await dial(addresses.grpc!, { token: TOKENS.ada })
  const bob = await dial(addresses.grpc!, { token: TOKENS.bob })
  const { session_id: adas } = await ada.ask('OpenSession')
  const { session_id: bobs } = await bob.ask('OpenSession')
  await ada.ask('UseSkill', { session_id: adas, skill_name: 'marks' })
  await ada.ask('UseSkill', { session_id: adas, skill_name: 'notes' })
  await bob.ask('UseSkill', { session_id: bobs, skill_name: 'notes' })
  const execute = (peer: typeof ada, session_id: unknown, tool_name: string) =>
    peer.stream('Execute', { session_id, tool_name })
  expect((await execute(ada, adas, 'marks.grade')).at(-1)).toMatchObject({ result: { output: 'graded' } })
  const refused = errorOf(await failure(execute(bob, bobs, 'marks.grade')), bob.proto)
  expect(refused).toMatchObject({ status: 5, code: 'TOOL_NOT_FOUND' })
  const seen = [await bob.ask('Definitions', { session_id: bobs }), await bob.ask('Definitions'), await bob.ask('List')]
  expect(JSON.stringify(seen)).not.toContain('grade')
  await ada.stream('Execute', { session_id: adas, tool_name: 'notes.write', args: args({ arguments: ['mine'] }) })
  expect((await execute(ada, adas, 'notes.look')).at(-1)).toMatchObject({ result: { output: 'note.txt' } })
  expect((await execute(bob, bobs, 'notes.look')).at(-1)).toMatchObject({ result: { output: '' } })
  for (const method of ['CloseSession', 'ListActiveSkills', 'Definitions', 'List']) {
    const error = errorOf(await failure(bob.ask(method, { session_id: adas })), bob.proto)
    expect([method, error.status, error['code']]).toEqual([method, 5, 'SESSION_NOT_FOUND'])
  }
  expect(errorOf(await failure(execute(bob, adas, 'notes.look')), bob.proto)).toMatchObject({ status: 5 })
})

test.each(['discovery', 'flat'] as const)('over MCP with tools by %s', async mode => {
  const { addresses, workspaces } = await startSchool({ mcp: { mode } })
  const transportOf = (token: string) =>
    new StreamableHTTPClientTransport(new URL(addresses.mcp!), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
  const [adas, bobs] = [transportOf(TOKENS.ada), transportOf(TOKENS.bob)]
  const ada: Peer = await connectNew('2025-11-25', adas as Transport)
  const bob: Peer = await connectNew('2025-11-25', bobs as Transport)
  const call = async (client: Peer, tool_id: string, given: object = {}) => {
    if (mode === 'flat')
      return textOf(await client.callTool({ name: tool_id.replace('.', '__'), arguments: { ...given } }))
    await client.callTool({ name: 'expand_tool', arguments: { tool_id } })
    return textOf(await client.callTool({ name: 'call_tool', arguments: { tool_id, args: given } }))
  }
  await call(ada, 'notes.write', { arguments: ['for ada alone'] })
  expect([await call(ada, 'notes.look'), await call(bob, 'notes.look')]).toEqual(['note.txt', ''])
  expect(readdirSync(workspaces)).toHaveLength(2)
  await Promise.all([adas.terminateSession(), bobs.terminateSession()])
  await expect.poll(() => readdirSync(workspaces).length).toBe(1)
})

test('a session that could not be opened leaves no workspace', async () => {
  const workspaces = join(makeFolder(), 'workspaces')
  const runtime = await makeRuntime(makeFolder(), { maxSessions: 1 })
  const api = await connect((await start(runtime, { workspaces })).origin)
  expect((await api('POST', '/v1/sessions')).status).toBe(201)
  expect((await api('POST', '/v1/sessions')).status).toBe(429)
  expect(readdirSync(workspaces)).toHaveLength(1)
})
