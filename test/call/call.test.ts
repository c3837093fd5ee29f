import { chmodSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type CallEvent,
  type RuntimeEvent,
  ScriptTimeoutError,
  ToolRestrictionError,
  toExitCodeOutput,
  toToolResultBlock,
} from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

async function runtimeWith(scripts: Record<string, string>, more = '') {
  const files = Object.entries(scripts).map(([name, text]) => [`s/scripts/${name}`, text])
  const folder = makeFolder({ 's/SKILL.md': skillMd('s', more), ...Object.fromEntries(files) })
  const workspace = makeFolder()
  return { runtime: await makeRuntime(folder, { workspace }), folder, workspace }
}

test('data goes to stdin as JSON, arguments to argv, both to the environment', async () => {
  const { runtime, folder, workspace } = await runtimeWith({
    'see.py':
      'import json, os, sys\nprint(json.dumps([sys.argv[1:], sys.stdin.read(), os.environ["TOOL_ARGS"], os.environ.get("TOOL_ARG_ARGUMENTS"), os.environ["SKILL_DIR"], os.getcwd()]))',
  })
  const args = { data: { a: [1, 'ü'] }, arguments: ['-x', 'a b', '$HOME', ''] }
  const result = await runtime.call({ toolId: 's.see', args })
  expect(result.ok && JSON.parse(String(result.data))).toEqual([
    args.arguments,
    JSON.stringify(args.data),
    JSON.stringify(args),
    JSON.stringify(args.arguments),
    join(folder, 's'),
    workspace,
  ])
})

test('a text of arguments is split like a shell does and never run by one', async () => {
  const { runtime } = await runtimeWith({ 'argv.sh': 'for a in "$@"; do echo "[$a]"; done' })
  const result = await runtime.call({ toolId: 's.argv', args: { arguments: `one 'two words' "a\\"b" $(id) ; rm` } })
  expect(result).toMatchObject({ ok: true, data: '[one]\n[two words]\n[a"b]\n[$(id)]\n[;]\n[rm]' })
})

test('the environment is minimal', async () => {
  process.env['SKILLWRIGHT_TEST_CANARY'] = 'canary-4711'
  process.env['NODE_EXTRA_CA_CERTS'] = '/nowhere'
  const { runtime } = await runtimeWith({ 'env.sh': 'env' })
  const result = await runtime.call({ toolId: 's.env' })
  delete process.env['SKILLWRIGHT_TEST_CANARY']
  delete process.env['NODE_EXTRA_CA_CERTS']
  const names = String(result.ok && result.data)
    .split('\n')
    .map(line => line.split('=')[0])
  expect(names).toContain('PATH')
  expect(JSON.stringify(result)).not.toContain('canary-4711')
  expect(names).not.toContain('NODE_EXTRA_CA_CERTS')
})

test.each([
  ['{"ok": true, "data": {"n": 1}}', { ok: true, data: { n: 1 } }],
  ['{"ok": true, "data": null}', { ok: true, data: null }],
  ['{"ok": false, "error": "no such page"}', { ok: false, error: { code: 'SCRIPT_FAILED', message: 'no such page' } }],
  ['{"ok": false, "error": {"message": "bad"}}', { ok: false, error: { message: 'bad' } }],
  ['{"ok": true}', { ok: true, data: '{"ok": true}' }],
  ['{"a": 1}', { ok: true, data: '{"a": 1}' }],
  ['', { ok: true, data: '' }],
])('stdout %s', async (stdout, expected) => {
  const { runtime } = await runtimeWith({ 'out.sh': `printf '%s\\n' '${stdout}'` })
  expect(await runtime.call({ toolId: 's.out' })).toMatchObject(expected)
})

test('wrong arguments come back with what to mend', async () => {
  const { runtime } = await runtimeWith({ 'x.py': 'import sys\nprint(sys.stdin.read())' })
  const result = await runtime.call({ toolId: 's.x', args: { argument: 'a' } })
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'INVALID_ARGS', hints: ['Did you mean arguments?', 'Properties: data, arguments.'] },
  })
  expect(await runtime.call({ toolId: 's.x', args: 'text' })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
  expect(await runtime.call({ toolId: 's.x', args: JSON.parse('{"__proto__": {"a": 1}}') })).toMatchObject({
    error: { code: 'INVALID_ARGS' },
  })
})

test('an unknown tool gets the nearest names', async () => {
  const { runtime } = await runtimeWith({ 'extract.sh': 'echo' })
  expect(await runtime.call({ toolId: 's.extrct' })).toMatchObject({
    error: { code: 'TOOL_NOT_FOUND', hints: ['Did you mean s.extract?'] },
    meta: { attempts: 0 },
  })
  expect(await runtime.call({ toolId: 's.../x' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
})

test('allowed-tools without Bash refuses scripts; with a Bash pattern it does not', async () => {
  const closed = await runtimeWith({ 'x.sh': 'echo hi' }, 'allowed-tools: Read, Write\n')
  expect(await closed.runtime.call({ toolId: 's.x' })).toMatchObject({ error: { code: 'TOOL_RESTRICTED' } })
  await expect(closed.runtime.getTool('s.x').invoke()).rejects.toBeInstanceOf(ToolRestrictionError)
  expect((await closed.runtime.report()).diagnostics.map(one => one.code)).toEqual(['allowed-tools-without-bash'])
  const open = await runtimeWith({ 'x.sh': 'echo hi' }, 'allowed-tools: Read Bash(git *)\n')
  expect(await open.runtime.call({ toolId: 's.x' })).toMatchObject({ ok: true, data: 'hi' })
})

test('what changes between compiling and calling is checked again', async () => {
  const { runtime, folder } = await runtimeWith({ 'a.sh': 'echo', 'b.sh': 'echo', 'c.sh': 'echo' })
  await runtime.tools()
  const path = (name: string) => join(folder, 's/scripts', name)
  chmodSync(path('a.sh'), 0o2755)
  rmSync(path('b.sh'))
  symlinkSync('/bin/ls', path('b.sh'))
  rmSync(path('c.sh'))
  expect(await runtime.call({ toolId: 's.a' })).toMatchObject({ error: { code: 'SETUID_SCRIPT' } })
  expect(await runtime.call({ toolId: 's.b' })).toMatchObject({ error: { code: 'LINK_OUTSIDE_SKILL' } })
  expect(await runtime.call({ toolId: 's.c' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
})

test('a timeout is exit code 124 in every form', async () => {
  const { runtime } = await runtimeWith({ 'slow.sh': 'sleep 30' })
  const result = await runtime.call({ toolId: 's.slow', timeoutMs: 200 })
  expect(result).toMatchObject({ ok: false, error: { code: 'SCRIPT_TIMEOUT' }, meta: { exitCode: 124 } })
  expect(toExitCodeOutput(result).exit_code).toBe(124)
  expect(toToolResultBlock(result, 'id-1')).toMatchObject({ type: 'tool_result', tool_use_id: 'id-1', is_error: true })
  await expect(runtime.getTool('s.slow').invoke({}, { timeoutMs: 100 })).rejects.toBeInstanceOf(ScriptTimeoutError)
})

test('cancelling reaches the process, and so does closing the runtime', async () => {
  const { runtime } = await runtimeWith({ 'slow.sh': 'sleep 30' })
  const start = performance.now()
  const signal = AbortSignal.timeout(100)
  expect(await runtime.call({ toolId: 's.slow', signal })).toMatchObject({ error: { code: 'CANCELLED' } })
  const running = runtime.call({ toolId: 's.slow' })
  setTimeout(() => void runtime.close(), 100)
  expect(await running).toMatchObject({ error: { code: 'RUNTIME_CLOSED' } })
  expect(await runtime.call({ toolId: 's.slow' })).toMatchObject({ error: { code: 'RUNTIME_CLOSED' } })
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('arguments too long for the environment are in a file, those too long for argv are an error', async () => {
  const { runtime } = await runtimeWith({
    'big.py':
      'import json, os, sys\nargs = json.load(open(os.environ["TOOL_ARGS_FILE"]))\nprint(len(args["data"]), len(json.load(sys.stdin)), "TOOL_ARGS" in os.environ)',
  })
  const data = 'x'.repeat(300_000)
  expect(await runtime.call({ toolId: 's.big', args: { data } })).toMatchObject({
    ok: true,
    data: '300000 300000 False',
  })
  expect(await runtime.call({ toolId: 's.big', args: { arguments: [data] } })).toMatchObject({
    error: { code: 'ARGS_TOO_LARGE' },
  })
  expect(await runtime.call({ toolId: 's.big', args: { arguments: ['a\0b'] } })).toMatchObject({
    error: { code: 'INVALID_ARGS' },
  })
})

test('the prompt of a skill is a tool', async () => {
  const { runtime } = await runtimeWith({})
  const result = await runtime.call({ toolId: 's', args: { arguments: 'the thing' } })
  expect(result).toMatchObject({ ok: true, data: expect.stringContaining('ARGUMENTS: the thing') })
})

test('each call is one event and one line of audit, with secrets masked', async () => {
  const { runtime, workspace } = await runtimeWith({ 'x.sh': 'echo done' })
  const events: RuntimeEvent[] = []
  const calls: CallEvent[] = []
  runtime.on('*', event => events.push(event))
  const stop = runtime.on('dynamic_tool.call', event => calls.push(event))
  runtime.on('dynamic_tool.call', () => {
    throw new Error('a listener that fails')
  })
  await runtime.call({
    toolId: 's.x',
    traceId: 'trace-1',
    args: { arguments: ['--token', 'hush-1', '--api-key=hush-2', '--name', 'open'], data: { password: 'hush-3' } },
  })
  await runtime.call({ toolId: 's.x', args: { arguments: '--secret "hush 4" --n 1' } })
  stop()
  await runtime.call({ toolId: 's.nope' })
  await runtime.close()

  expect(calls).toHaveLength(2)
  expect(events.map(event => event.type)).toEqual(['dynamic_tool.compile', ...Array(3).fill('dynamic_tool.call')])
  const audit = readFileSync(join(workspace, '.skillwright/audit.jsonl'), 'utf8')
  expect(audit).not.toContain('hush')
  const lines = audit
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines[1]).toEqual({
    event: 'dynamic_tool.call',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    trace_id: 'trace-1',
    session_id: null,
    caller_id: null,
    skill_id: 's',
    tool_name: 's.x',
    executor: 'script',
    attempt: 1,
    latency_ms: expect.any(Number),
    status: 'ok',
    error_code: null,
    ran_under: expect.objectContaining({ policy: 'balanced', start: 'cold' }),
    args: {
      arguments: ['--token', '[secret]', '--api-key=[secret]', '--name', 'open'],
      data: { password: '[secret]' },
    },
  })
  expect(lines[3]).toMatchObject({
    skill_id: null,
    tool_name: 's.nope',
    executor: null,
    attempt: 0,
    status: 'error',
    error_code: 'TOOL_NOT_FOUND',
  })
})

test('an audit that cannot be written does not fail the call', async () => {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/x.sh': 'echo hi', file: '' })
  const runtime = await makeRuntime(folder, { audit: join(folder, 'file/audit.jsonl') })
  expect(await runtime.call({ toolId: 's.x' })).toMatchObject({ ok: true, data: 'hi' })
})

test('impossible options are a TypeError', async () => {
  await expect(makeRuntime('x', { workspace: '/nowhere' })).rejects.toBeInstanceOf(TypeError)
  await expect(makeRuntime('x', { timeoutMs: -1 })).rejects.toBeInstanceOf(TypeError)
})

test('a call never throws, whatever it is given, and leaves one event', async () => {
  const { runtime } = await runtimeWith({ 'cat.sh': 'cat' })
  const events: RuntimeEvent[] = []
  runtime.on('dynamic_tool.call', event => events.push(event))
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const calls: unknown[] = [
    undefined,
    {},
    { toolId: 5 },
    { toolId: 's.cat', args: { data: deep } },
    { toolId: 's.cat', args: { data: cyclic } },
    { toolId: 's.cat', args: { data: 1n } },
    { toolId: 'unknown', args: { data: deep } },
    ...[Number.POSITIVE_INFINITY, Number.NaN, -1, 3e9].map(timeoutMs => ({ toolId: 's.cat', timeoutMs })),
  ]
  const results = await Promise.all(calls.map(call => runtime.call(call as { toolId: string })))
  expect(results.map(result => (result.ok ? 'ok' : result.error.code))).toEqual([
    ...Array(3).fill('TOOL_NOT_FOUND'),
    ...Array(3).fill('INVALID_ARGS'),
    'TOOL_NOT_FOUND',
    ...Array(4).fill('INVALID_ARGS'),
  ])
  expect(events).toHaveLength(calls.length)
})

test('a refused script says so when it is called', async () => {
  const { runtime, folder } = await runtimeWith({ 'ok.sh': 'echo' })
  symlinkSync('/etc/hostname', join(folder, 's/scripts/out.sh'))
  expect(await runtime.call({ toolId: 's.out' })).toMatchObject({ error: { code: 'LINK_OUTSIDE_SKILL' } })
})

test('the reason that a script gives on stdout is kept beside its stderr', async () => {
  const { runtime } = await runtimeWith({
    'x.sh': `echo '{"ok": false, "error": "the real reason"}'\necho noise >&2\nexit 3`,
    'long.py': `import json\nprint(json.dumps({"ok": False, "error": "too long to see", "data": "x" * 200_000}))`,
  })
  const result = await runtime.call({ toolId: 's.x' })
  expect(!result.ok && result.error.message).toContain('the real reason\nnoise')
  expect(await runtime.call({ toolId: 's.long' })).toMatchObject({ error: { message: 'too long to see' } })
})

test('hostile output and arguments cost linear time', async () => {
  const { runtime } = await runtimeWith({ 'x.py': `print("\\n" * 90_000 + "x")` })
  const start = performance.now()
  await runtime.call({ toolId: 's.x', args: { data: '-'.repeat(200_000), arguments: '-'.repeat(60_000) } })
  expect(performance.now() - start).toBeLessThan(1500)
})

test('many calls at once disturb nobody', async () => {
  const { runtime } = await runtimeWith({ 'x.sh': 'echo' })
  const warnings: string[] = []
  const listen = (warning: Error) => warnings.push(warning.name)
  process.on('warning', listen)
  await Promise.all(Array.from({ length: 30 }, () => runtime.call({ toolId: 's.x' })))
  process.off('warning', listen)
  expect(warnings).toEqual([])
})
