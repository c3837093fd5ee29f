import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { makeArchive, skillEntries } from '../support/archives.ts'
import { makeSeedRuntime } from '../support/catalogue.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest } from '../support/sandbox.ts'
import { type Body, CALLERS, connect, eventsOf, start, TOKENS } from './support.ts'

const ARGS = { project_root: '.', symbol: 'a', new_name: 'b' }

test('the OpenAPI document is a valid one', async () => {
  const { runtime } = await makeSeedRuntime()
  const { origin } = await start(runtime)
  const { document } = await connect(origin)
  const { valid, errors } = await new Validator().validate(document)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const ids = Object.values(document.paths).flatMap(path => Object.values(path).map(one => one.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

test("the protocol's conversation gives the answers of the library", async () => {
  const { runtime } = await makeSeedRuntime()
  const api = await connect((await start(runtime)).origin)
  const { discovery } = runtime
  const ask = async (operation: string, body: object = {}) => (await api('POST', `/v1/${operation}`, body)).body

  expect(await ask('list')).toEqual(await discovery.list())
  const path = ['Coding', 'Refactoring']
  expect(await ask('list', { path })).toEqual(await discovery.list({ path }))
  const search = { query: 'rename symbol', category_path: path }
  expect(await ask('search_tool_by_category', search)).toEqual(await discovery.search_tool_by_category(search))
  expect(await ask('search_nodes', { query: 'oauth login' })).toEqual(
    await discovery.search_nodes({ query: 'oauth login' }),
  )
  const tool = { tool_id: 'refactor.rename_symbol' }
  expect(await ask('expand_tool', tool)).toEqual(await discovery.expand_tool(tool))
  const call = { ...tool, args: ARGS }
  const own = await discovery.call_tool(call)
  const meta = { ...own.meta, trace_id: expect.any(String), latency_ms: expect.any(Number) }
  expect(await ask('call_tool', call)).toEqual({ ...own, meta })
})

test('a failure is a problem with the status of its code and the words of the library', async () => {
  const { runtime } = await makeSeedRuntime()
  const api = await connect((await start(runtime)).origin)
  const early = await api('POST', '/v1/call_tool', { tool_id: 'refactor.rename_symbol', args: ARGS })
  expect(early).toMatchObject({ status: 409, body: { code: 'NOT_EXPANDED', meta: { attempts: 0 } } })
  const unknown = await api('POST', '/v1/list', { path: ['Storge'] })
  const own = (await runtime.discovery.list({ path: ['Storge'] })) as { error: { hints: string[]; message: string } }
  expect(unknown).toMatchObject({
    status: 404,
    body: {
      code: 'UNKNOWN_PATH',
      detail: own.error.message,
      hints: own.error.hints,
      type: 'urn:skillwright:error:UNKNOWN_PATH',
    },
  })
  expect((await api('POST', '/v1/list', { limit: 5000 })).status).toBe(200)
  expect(await api('POST', '/v1/list', { pth: [] })).toMatchObject({ status: 400, body: { code: 'INVALID_ARGS' } })
  expect(await api('POST', '/v1/list', '{"path": [')).toMatchObject({
    status: 400,
    body: { code: 'MALFORMED_REQUEST' },
  })
  expect(await api('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } })
  expect(await api('GET', '/v1/tools/refactor.rename')).toMatchObject({ status: 404, body: { code: 'TOOL_NOT_FOUND' } })
  const wrong = await api('POST', '/v1/tools/refactor.rename_symbol/call', { args: { symbol: 1 } })
  expect(wrong).toMatchObject({
    status: 400,
    body: { code: 'INVALID_ARGS', meta: { tool_id: 'refactor.rename_symbol' } },
  })
})

test('tools and skills are listed, shown, called and invoked', async () => {
  const folder = makeFolder({
    'greeter/SKILL.md': skillMd('greeter', '', 'Greet $ARGUMENTS.\n'),
    'greeter/scripts/greet.sh': '#!/bin/sh\n# Greets somebody.\necho "hello $1"\n',
  })
  const api = await connect((await start(await makeRuntime(folder))).origin)
  const tools = (await api('GET', '/v1/tools')).body['tools'] as { id: string }[]
  expect(tools.map(one => one.id)).toEqual(expect.arrayContaining(['greeter', 'greeter.greet']))
  const tool = tools.find(one => one.id === 'greeter.greet')
  expect((await api('GET', '/v1/tools/greeter.greet')).body).toEqual(tool)
  expect((await api('GET', '/v1/skills/greeter/tools')).body['tools']).toEqual([tool])
  expect((await api('GET', '/v1/skills')).body['skills']).toMatchObject([
    { id: 'greeter', description: 'Does greeter.', source: basename(folder) },
  ])
  const invoked = await api('POST', '/v1/skills/greeter/invoke', { arguments: 'Ada' })
  expect(invoked.body['content']).toContain('Greet Ada.')
  const called = await api('POST', '/v1/tools/greeter.greet/call', {
    args: { arguments: ['Ada'] },
    trace_id: 'trace-7',
  })
  expect(called.body).toMatchObject({ ok: true, data: 'hello Ada', meta: { trace_id: 'trace-7' } })
  expect(await api('POST', '/v1/skills/nobody/invoke')).toMatchObject({
    status: 404,
    body: { code: 'SKILL_NOT_FOUND' },
  })
  expect((await api('GET', '/v1/report')).body['tools']).toContainEqual({ id: 'greeter.greet', status: 'ok' })
  expect((await api('GET', '/ready')).body).toEqual({ status: 'ok' })
})

test('a streamed call tells output as it comes, then the result', async () => {
  const folder = makeFolder({
    'slow/SKILL.md': skillMd('slow'),
    'slow/scripts/count.sh': '#!/bin/sh\n# Counts slowly.\necho one\nsleep 0.4\necho two\n',
  })
  const { origin } = await start(await makeRuntime(folder))
  const response = await fetch(`${origin}/v1/tools/slow.count/call`, {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const seen: { event: string; at: number; data: Body }[] = []
  for await (const one of eventsOf(response)) seen.push({ ...one, at: performance.now() })
  expect(seen.map(one => one.event)).toEqual(['output', 'output', 'result'])
  expect(seen[0]!.data).toEqual({ stream: 'stdout', text: 'one\n' })
  expect(seen[1]!.at - seen[0]!.at).toBeGreaterThan(200)
  expect(seen[2]!.data).toMatchObject({ ok: true, data: 'one\ntwo' })
})

test.each(['', '?stream'])('a client that goes away cancels its call%s', async query => {
  const workspace = makeFolder()
  const folder = makeFolder({
    'slow/SKILL.md': skillMd('slow'),
    'slow/scripts/wait.sh': '#!/bin/sh\n# Waits.\necho begun > begun\nsleep 20\n',
  })
  const runtime = await makeRuntime(folder, { workspace })
  const ended = new Promise<string | null>(resolve =>
    runtime.on('dynamic_tool.call', event => resolve(event.errorCode)),
  )
  const { origin } = await start(runtime)
  const gone = new AbortController()
  const request = fetch(`${origin}/v1/tools/slow.wait/call${query}`, { method: 'POST', signal: gone.signal })
  request.then(response => response.text()).catch(() => {})
  await expect.poll(() => readIf(join(workspace, 'begun')), { timeout: 5000 }).toBe('begun\n')
  gone.abort()
  expect(await ended).toBe('CANCELLED')
})

sandboxedTest('an admin imports an archive and its tools are there; others may not', async () => {
  const into = makeFolder()
  const runtime = await makeRuntime(into)
  const { origin } = await start(runtime, { tokens: CALLERS, importInto: into })
  const archive = readFileSync(makeArchive(join(makeFolder(), 'a.zip'), skillEntries('fresh')))
  const upload = (token: string, body: Uint8Array) =>
    fetch(`${origin}/v1/import`, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } })
  const refused = await upload(TOKENS.ada, archive)
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'ROLE_REQUIRED' }])
  const done = await (await upload(TOKENS.root, archive)).json()
  expect(done).toMatchObject({ skills: [{ name: 'fresh', status: 'added' }], compiled_ok: 2, invalid_tools: 0 })
  const ada = await connect(origin, TOKENS.ada)
  expect((await ada('POST', '/v1/tools/fresh.run/call')).body).toMatchObject({ ok: true, data: 'hi' })
  const root = await connect(origin, TOKENS.root)
  expect(await root('POST', '/v1/import', 'no archive')).toMatchObject({
    status: 422,
    body: { code: 'SOURCE_UNSUPPORTED' },
  })
})

test('the audit tells each caller of their own steps, and admins of all', async () => {
  const workspace = makeFolder()
  const { runtime } = await makeSeedRuntime({ workspace })
  const auditFile = join(workspace, '.skillwright/audit.jsonl')
  const { origin } = await start(runtime, { tokens: CALLERS, auditFile })
  const [ada, bob, root] = await Promise.all([TOKENS.ada, TOKENS.bob, TOKENS.root].map(token => connect(origin, token)))
  await ada!('POST', '/v1/list')
  await bob!('POST', '/v1/tools/storage.put_object/call', { trace_id: 'bobs-way' })
  const eventsFor = async (api: typeof ada, query = '') =>
    (await api!('GET', `/v1/audit${query}`)).body['events'] as Body[]
  expect((await eventsFor(ada)).map(one => one['event'])).toEqual(['discovery.list'])
  expect(await eventsFor(bob)).toMatchObject([{ event: 'dynamic_tool.call', caller_id: 'bob', trace_id: 'bobs-way' }])
  const all = (await eventsFor(root)).map(one => one['event'])
  expect(all).toEqual(expect.arrayContaining(['dynamic_tool.compile', 'discovery.list', 'dynamic_tool.call']))
  expect(await eventsFor(root, '?trace=bobs')).toHaveLength(1)
  expect(await eventsFor(root, '?tool=storage.put_object&limit=1')).toHaveLength(1)
  expect(await eventsFor(root, '?since=2199-01-01T00:00:00Z')).toEqual([])
  expect(await eventsFor(ada, '?trace=bobs')).toEqual([])
  expect((await ada!('GET', '/v1/audit?limit=0')).status).toBe(400)
})

function readIf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
