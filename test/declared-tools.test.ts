// The examples of the requirements, end to end: declared scripts, programs, requests and pipelines on real servers.
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeEvent } from '../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from './support/folders.ts'
import { serve } from './support/server.ts'

test('a manifest declares script, binary, HTTP and pipeline tools that all work', async () => {
  const { host, url, received } = await serve((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ path: request.url, body: request.body && JSON.parse(request.body) }))
  })
  const manifest = `
version: 1
runtime:
  default_timeout_sec: 20
  default_retry: { max_attempts: 2, backoff_ms: 10 }
tools:
  - name: shout
    description: Say it loud.
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
    executor: { type: script, script: scripts/shout.py, args_template: "--text=\${text}" }
  - name: echo
    input_schema: { type: object, properties: { words: { type: string } }, required: [words] }
    executor: { type: binary, path: echo, args_template: ["-n", "\${words}"] }
  - name: send
    annotations: { idempotentHint: true }
    input_schema: { type: object, properties: { id: { type: string }, note: { type: string } }, required: [id] }
    executor:
      type: http
      method: POST
      endpoint: ${url}/items/\${id}
      body_template: '{"note": "\${note:-none}", "id": \${id}}'
  - name: both
    input_schema: { type: object, properties: { text: { type: string } }, required: [text] }
    executor:
      type: pipeline
      steps:
        - { id: loud, tool: shout, args: { text: "\${text}" } }
        - { id: sent, tool: send, args: { id: "a/b", note: "\${steps.loud.data.text}" } }
      result: { path: "\${steps.sent.data.path}", note: "\${steps.sent.data.body.note}" }
`
  const script = `
import argparse, json, os
parser = argparse.ArgumentParser()
parser.add_argument("--text")
text = parser.parse_args().text
print(json.dumps({"ok": True, "data": {"text": text.upper(), "cwd": os.getcwd() == os.environ["SKILL_DIR"]}}))
`
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': manifest,
    's/scripts/shout.py': script,
  })
  const runtime = await makeRuntime(folder, { allowPrivate: [host] })
  expect((await runtime.getSkillTools('s')).map(tool => [tool.name, tool.timeoutMs, tool.retry?.maxAttempts])).toEqual([
    ['shout', 20_000, 2],
    ['echo', 20_000, 2],
    ['send', 20_000, 2],
    ['both', 20_000, 2],
  ])
  const data = (id: string, args: object) => runtime.getTool(id).invoke(args)
  expect(await data('s.shout', { text: `-x "q"\n` })).toEqual({ text: '-X "Q"\n', cwd: true })
  expect(await data('s.echo', { words: 'a  b' })).toBe('a  b')
  expect(await data('s.send', { id: '../x y', note: 'say "hi"' })).toEqual({
    path: '/items/..%2Fx%20y',
    body: { note: 'say "hi"', id: '../x y' },
  })
  expect(await data('s.both', { text: 'abc' })).toEqual({ path: '/items/a%2Fb', note: 'ABC' })
  expect(received).toHaveLength(2)
  const { leftOut } = await runtime.report()
  expect(leftOut).toEqual([
    { skill: 's', file: 'scripts/shout.py', reason: 'declared', detail: 'is declared as s.shout' },
  ])
})

test('the frontmatter declares a downloaded program, an API with a secret, and inline code', async () => {
  const program = '#!/bin/sh\necho "text of $1"\n'
  const { host, url, received } = await serve((request, response) => {
    if (request.url === '/pdf-extract') return void response.end(program)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ text: 'hello', echo: request.headers.authorization }))
  })
  const sha256 = createHash('sha256').update(program).digest('hex')
  const more = `tools:
  - name: pdf-extract
    description: Extract text from PDF
    backend: { type: binary, url: ${url}/pdf-extract, sha256: ${sha256}, args_template: "\${file_path}" }
    parameters: { type: object, properties: { file_path: { type: string } }, required: [file_path] }
  - name: transcribe
    backend:
      type: http
      url: ${url}/v1/audio/transcriptions
      method: POST
      headers: { Authorization: "Bearer \${env:TEST_API_KEY}" }
      body_template: |
        {"file": "\${audio_file}", "model": "whisper-1"}
    parameters: { type: object, properties: { audio_file: { type: string } }, required: [audio_file] }
  - name: chunk-text
    backend:
      type: script
      interpreter: python3
      script: |
        import os, json
        args = json.loads(os.environ.get('TOOL_ARGS', '{}'))
        size = int(args.get('chunk_size', 4))
        text = args['text']
        print([text[i:i + size] for i in range(0, len(text), size)], os.environ['TOOL_ARG_TEXT'])
    parameters: { type: object, properties: { text: { type: string }, chunk_size: { type: integer } }, required: [text] }
`
  process.env['TEST_API_KEY'] = 'sk-canary-4711'
  process.env['XDG_CACHE_HOME'] = makeFolder()
  const folder = makeFolder({ 's/SKILL.md': skillMd('s', more) })
  const workspace = makeFolder()
  const runtime = await makeRuntime(folder, { allowPrivate: [host], env: ['TEST_API_KEY'], workspace })
  const events: RuntimeEvent[] = []
  runtime.on('*', event => events.push(event))

  expect(await runtime.getTool('s.pdf-extract').invoke({ file_path: 'a b.pdf' })).toBe('text of a b.pdf')
  expect(await runtime.getTool('s.pdf-extract').invoke({ file_path: 'c.pdf' })).toBe('text of c.pdf')
  expect(received.filter(one => one.url === '/pdf-extract')).toHaveLength(1)
  const result = await runtime.call({ toolId: 's.transcribe', args: { audio_file: 'a.wav' } })
  expect(result).toMatchObject({ ok: true, data: { text: 'hello', echo: 'Bearer ***' } })
  expect(received.at(-1)).toMatchObject({
    headers: { authorization: 'Bearer sk-canary-4711' },
    body: expect.stringContaining('"a.wav"'),
  })
  expect(await runtime.getTool('s.chunk-text').invoke({ text: 'abcdef' })).toBe("['abcd', 'ef'] abcdef")
  expect(JSON.stringify([result, events, await runtime.report(), await runtime.tools()])).not.toContain('canary')

  const without = await makeRuntime(folder, { allowPrivate: [host], workspace })
  expect(await without.call({ toolId: 's.transcribe', args: { audio_file: 'a.wav' } })).toMatchObject({
    error: { code: 'ENV_NOT_GRANTED', message: expect.stringContaining('TEST_API_KEY is not granted') },
  })
  delete process.env['TEST_API_KEY']
})

test('secrets in the templates of programs are masked in what these write', async () => {
  process.env['TEST_API_KEY'] = 'sk-canary-4712'
  const manifest = `tools:
  - name: leak
    executor: { type: binary, path: sh, args_template: ["-c", "echo key=$0; echo $0 >&2; exit 3", "\${env:TEST_API_KEY}"] }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder, { env: ['TEST_API_KEY'] })
  const result = await runtime.call({ toolId: 's.leak' })
  expect(result).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('key=***') },
    meta: { stderr: '***' },
  })
  delete process.env['TEST_API_KEY']
})

test('a download that is not what it should be is refused and not kept', async () => {
  const { host, url } = await serve((_, response) => void response.end('#!/bin/sh\necho evil\n'))
  const manifest = `tools:\n  - name: x\n    executor: { type: binary, url: ${url}/x, sha256: '${'0'.repeat(64)}' }\n`
  process.env['XDG_CACHE_HOME'] = makeFolder()
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest }), {
    allowPrivate: [host],
  })
  expect(await runtime.call({ toolId: 's.x' })).toMatchObject({
    error: { code: 'DOWNLOAD_FAILED', message: expect.stringContaining('its checksum is') },
  })
  const closed = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest }))
  expect(await closed.call({ toolId: 's.x' })).toMatchObject({
    error: { message: expect.stringContaining('127.0.0.1') },
  })
})

test('one conversation: a script, a request that fails and is given up, and the static tool that still answers', async () => {
  const { host, url, received } = await serve((_, response) => void response.writeHead(503).end('down'))
  const manifest = `tools:
  - name: hello
    executor: { type: script, code: "print('hi')", interpreter: python3 }
  - name: flaky
    executor: { type: http, url: ${url}/x }
    retry: { max_attempts: 3, backoff_ms: 5 }
  - name: today
    description: Shadowed by the program's own.
    executor: { type: script, code: "print('no')", interpreter: python3 }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder, {
    allowPrivate: [host],
    tools: [{ name: 'today', description: 'Today’s date.', run: async () => '2026-11-18' }],
  })
  const events: string[] = []
  runtime.on('*', event =>
    events.push(`${event.type.replace('dynamic_tool.', '')} ${'toolName' in event ? event.toolName : ''}`.trim()),
  )
  expect(await runtime.getTool('s.hello').invoke()).toBe('hi')
  expect(await runtime.call({ toolId: 's.flaky' })).toMatchObject({
    error: { code: 'HTTP_FAILED' },
    meta: { attempts: 3 },
  })
  expect(await runtime.getTool('today').invoke()).toBe('2026-11-18')
  expect(events).toEqual([
    'compile',
    'call s.hello',
    'retry s.flaky',
    'retry s.flaky',
    'failed s.flaky',
    'degraded s.flaky',
    'call s.flaky',
    'call today',
  ])
  expect(received).toHaveLength(3)
  const { counts, tools } = await runtime.report()
  expect(counts.shadowed).toBe(1)
  expect(tools.find(tool => tool.status === 'shadowed')?.id).toBe('s.today')

  await runtime.call({ toolId: 's.flaky' })
  await runtime.call({ toolId: 's.flaky' })
  const before = received.length
  expect(await runtime.call({ toolId: 's.flaky' })).toMatchObject({
    error: { code: 'TOOL_DEGRADED' },
    meta: { attempts: 0 },
  })
  expect(received).toHaveLength(before)
})

test('functions of the program are tools: validated, limited, cancelled', async () => {
  const runtime = await makeRuntime(makeFolder(), {
    tools: [
      {
        name: 'add',
        description: 'Adds.',
        inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        run: ({ a }) => Number(a) + 1,
      },
      { name: 'broken', description: 'Fails.', run: () => Promise.reject(new Error('the shelf is empty')) },
      { name: 'slow', description: 'Never ends.', timeoutMs: 50, run: () => new Promise(() => {}) },
    ],
  })
  expect(await runtime.getTool('add').invoke({ a: 2 })).toBe(3)
  expect(await runtime.call({ toolId: 'add', args: { a: 'x' } })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
  expect(await runtime.call({ toolId: 'broken' })).toMatchObject({
    error: { code: 'HOST_FAILED', message: 'broken failed: the shelf is empty' },
  })
  expect(await runtime.call({ toolId: 'slow' })).toMatchObject({
    error: { code: 'HOST_FAILED', message: 'slow did not end within 0.05 s.' },
  })
})

test('pipelines that call each other come to an end', async () => {
  const step = (tool: string) => `executor: { type: pipeline, steps: [{ id: x, tool: ${tool} }] }`
  const manifest = `tools:\n  - name: a\n    ${step('b')}\n  - name: b\n    ${step('a')}\n`
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest }))
  expect(await runtime.call({ toolId: 's.a' })).toMatchObject({
    error: { code: 'STEP_FAILED', message: expect.stringContaining('call each other') },
  })
})

test('scripts/manifest.yml names the parameters of scripts', async () => {
  const manifest = `tools:
  - name: extract_text
    script: extract.py
    description: Extract the text.
    parameters:
      - { name: path, type: string, description: The file }
      - { name: pages, type: integer, required: false }
  - name: raw
    script: raw.py
    parameters: [{ name: anything }]
`
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/scripts/manifest.yml': manifest,
    's/scripts/extract.py':
      'import argparse\np = argparse.ArgumentParser()\np.add_argument("path")\np.add_argument("--pages", type=int)\nprint(p.parse_args())\n',
    's/scripts/raw.py': 'import json, sys\nprint(json.load(sys.stdin)["anything"])\n',
  })
  const runtime = await makeRuntime(folder)
  expect((await runtime.getSkillTools('s')).map(tool => [tool.name, tool.inputSchema['required']])).toEqual([
    ['extract_text', ['path']],
    ['raw', ['anything']],
  ])
  expect(await runtime.getTool('s.extract_text').invoke({ path: '-p', pages: 2 })).toBe("Namespace(path='-p', pages=2)")
  expect(await runtime.getTool('s.raw').invoke({ anything: 'x' })).toBe('x')
})

test('a program of the skill must be one that may run', async () => {
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/bin/tool': '#!/bin/sh\necho own\n',
    's/tool-manifest.yaml':
      'tools:\n  - name: own\n    executor: { type: binary, path: bin/tool }\n  - name: out\n    executor: { type: binary, path: ../x/tool }\n',
  })
  const runtime = await makeRuntime(folder)
  expect(await runtime.call({ toolId: 's.own' })).toMatchObject({ error: { code: 'REQUIREMENT_MISSING' } })
  chmodSync(join(folder, 's/bin/tool'), 0o755)
  expect(await runtime.getTool('s.own').invoke()).toBe('own')
  const { tools } = await runtime.report()
  expect(tools.find(tool => tool.id === 's.out')).toMatchObject({ status: 'invalid', line: 5 })
  writeFileSync(join(folder, 's/SKILL.md'), skillMd('s', 'allowed-tools: Read\n'))
  expect(await runtime.call({ toolId: 's.own' })).toMatchObject({ error: { code: 'TOOL_RESTRICTED' } })
})

test('a secret that a pipeline hands to its steps is in no result, error or event', async () => {
  process.env['PIPELINE_CANARY'] = 'canary/4711 x'
  const manifest = `
version: 1
tools:
  - name: echo
    input_schema: { type: object, properties: { text: { type: string } } }
    executor: { type: binary, path: echo, args_template: ["\${text}"] }
  - name: fail
    input_schema: { type: object, properties: { text: { type: string } } }
    executor: { type: binary, path: ls, args_template: ["--", "\${text}"] }
  - name: good
    executor: { type: pipeline, steps: [{ id: a, tool: echo, args: { text: "\${env:PIPELINE_CANARY}" } }], result: ["\${steps.a.data}", "\${env:PIPELINE_CANARY}"] }
  - name: bad
    executor: { type: pipeline, steps: [{ id: a, tool: fail, args: { text: "\${env:PIPELINE_CANARY}" } }] }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder, { env: ['PIPELINE_CANARY'] })
  const events: RuntimeEvent[] = []
  runtime.on('*', event => events.push(event))
  const good = await runtime.call({ toolId: 's.good' })
  expect(good).toMatchObject({ ok: true, data: ['***', '***'] })
  const bad = await runtime.call({ toolId: 's.bad' })
  expect(bad).toMatchObject({ ok: false, error: { code: 'STEP_FAILED' } })
  expect(JSON.stringify([good, bad, events])).not.toMatch(/4711/)
  expect(events.filter(event => event.type === 'dynamic_tool.call')).toHaveLength(4)
})

test('a step has its own time limit, and all steps together that of the pipeline', async () => {
  const manifest = `
version: 1
tools:
  - { name: slow, timeout_sec: 1, executor: { type: binary, path: sleep, args_template: ["30"] } }
  - { name: long, timeout_sec: 20, executor: { type: binary, path: sleep, args_template: ["30"] } }
  - { name: patient, timeout_sec: 20, executor: { type: pipeline, steps: [{ id: a, tool: slow }] } }
  - { name: hasty, timeout_sec: 1, executor: { type: pipeline, steps: [{ id: a, tool: long }] } }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder)
  const [patient, hasty] = await Promise.all(['s.patient', 's.hasty'].map(toolId => runtime.call({ toolId })))
  expect(patient).toMatchObject({ error: { message: expect.stringContaining('SCRIPT_TIMEOUT') } })
  expect(hasty).toMatchObject({
    error: { code: 'STEP_FAILED', message: expect.stringMatching(/no time left|TIMEOUT/) },
  })
})

test('a program with the setuid bit is not run, wherever it lies', async () => {
  const manifest = `
version: 1
tools:
  - { name: absolute, executor: { type: binary, path: /usr/bin/su, args_template: ["--version"] } }
  - { name: installed, executor: { type: binary, path: su, args_template: ["--version"] } }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder)
  for (const toolId of ['s.absolute', 's.installed'])
    expect(await runtime.call({ toolId })).toMatchObject({ ok: false, error: { code: 'SETUID_SCRIPT' } })
})

test('what a manifest repeats by default is not repeated where a tool says that it must not', async () => {
  let calls = 0
  const { host, url } = await serve((_, response) => {
    calls++
    response.statusCode = 503
    response.end()
  })
  const manifest = `
version: 1
runtime: { default_retry: { max_attempts: 3, backoff_ms: 1 } }
tools:
  - { name: pay, annotations: { idempotentHint: false }, executor: { type: http, method: POST, url: "${url}/pay" } }
`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const runtime = await makeRuntime(folder, { allowPrivate: [host] })
  expect(await runtime.call({ toolId: 's.pay' })).toMatchObject({ ok: false, meta: { attempts: 1 } })
  expect(calls).toBe(1)
})
