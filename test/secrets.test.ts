// A canary in the environment: declared and granted it reaches the skill's own programs, and nobody ever reads it.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RuntimeEvent, RuntimeOptions, ToolResult } from '../src/index.ts'
import type { CallUpdate } from '../src/types.ts'
import { makeFolder, makeRuntime, skillMd } from './support/folders.ts'
import { serve } from './support/server.ts'

const CANARY = 'canary-8f3a1c/5e+7d=zq'
const BYTES = Buffer.from(CANARY)

/** In every spelling, and with anything before it. */
const SPELLINGS = [
  CANARY,
  CANARY.slice(0, 14),
  encodeURIComponent(CANARY),
  BYTES.toString('base64').slice(0, 16),
  BYTES.toString('base64url').slice(0, 16),
  Buffer.from(`x${CANARY}`).toString('base64').slice(4, 20),
  Buffer.from(`xx${CANARY}`).toString('base64').slice(4, 20),
  BYTES.toString('hex').slice(0, 24),
  BYTES.toString('hex').toUpperCase().slice(0, 24),
]

const leaks = (text: string) => SPELLINGS.filter(spelling => text.includes(spelling))

/** Prints all it can get hold of. */
const TELLER = `
import argparse, base64, json, os, sys, urllib.parse
parser = argparse.ArgumentParser()
parser.add_argument("--how", default="ok")
parser.add_argument("--size", type=int, default=0)
args = parser.parse_args()
value = os.environ.get("CANARY", "nothing")
raw = value.encode()
told = {
  "plain": value, "twice": value + value, value: "as a key", "length": len(value), "env": dict(os.environ),
  "base64": base64.b64encode(raw).decode(), "url": base64.urlsafe_b64encode(b"x" + raw).decode(),
  "behind": base64.b64encode(b"xx" + raw + b"y").decode(), "hex": raw.hex(), "HEX": raw.hex().upper(),
  "quoted": urllib.parse.quote(value, safe=""), "json": json.dumps(json.dumps(value)),
}
print("to stderr: " + json.dumps(told), file=sys.stderr)
for piece in [value[:5], value[5:]]:
  sys.stdout.write(piece); sys.stdout.flush()
print()
for _ in range(args.size): print("x" * 90, value)
print(json.dumps({"ok": args.how == "ok", "data": told, "error": "failed with " + value}))
sys.exit(0 if args.how == "ok" else 3)
`

function canary(name = 'CANARY', value = CANARY): void {
  vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

async function tell(files: Readonly<Record<string, string>>, options: RuntimeOptions = {}) {
  const folder = makeFolder(files)
  const workspace = makeFolder()
  const events: RuntimeEvent[] = []
  const updates: CallUpdate[] = []
  const runtime = await makeRuntime(folder, { workspace, env: ['CANARY'], ...options })
  runtime.on('*', event => events.push(event))
  const call = (toolId: string, args: object = {}) =>
    runtime.call({ toolId, args, onUpdate: update => updates.push(update) })
  return { runtime, folder, workspace, events, updates, call }
}

function filesBelow(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.map(file => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n')
}

const dataOf = (result: ToolResult) => (result.ok ? result.data : result.error)

test('a declared variable reaches the script, and its value none of the places where results are seen', async () => {
  canary()
  const { runtime, folder, workspace, events, updates, call } = await tell({
    's/SKILL.md': skillMd('s', 'env: [CANARY]\n'),
    's/scripts/teller.py': TELLER,
  })
  const results = [
    await call('s.teller'),
    await call('s.teller', { how: 'badly' }),
    await call('s.teller', { size: 3000 }),
    await call('s.teller', { how: CANARY, unknown: CANARY }),
    await call(`s.${CANARY}`),
    await call('s.teller', { size: CANARY }),
  ]
  expect(results.map(({ ok }) => ok)).toEqual([true, false, true, false, false, false])
  const whole = results[0]!
  expect(JSON.stringify(dataOf(whole))).toContain(`\\"length\\": ${CANARY.length}`)
  expect(results[2]!.meta.outputFile).toBeDefined()

  await runtime.writeArtifacts()
  expect(leaks(JSON.stringify(results))).toEqual([])
  expect(leaks(JSON.stringify(events))).toEqual([])
  expect(leaks(updates.map(update => (update.type === 'output' ? update.text : '')).join(''))).toEqual([])
  expect(leaks(JSON.stringify([await runtime.report(), await runtime.tools()]))).toEqual([])
  await runtime.close()
  expect(leaks(filesBelow(folder))).toEqual([])
  const kept = filesBelow(workspace)
  expect(kept).toContain('xxx ***')
  expect(kept).toContain('dynamic_tool.call')
  expect(leaks(kept)).toEqual([])
})

test('a tool of another skill gets nothing, and no script gets what its skill does not declare', async () => {
  canary()
  const { call } = await tell({
    'a/SKILL.md': skillMd('a', 'env: [CANARY]\n'),
    'a/scripts/teller.py': TELLER,
    'b/SKILL.md': skillMd('b'),
    'b/scripts/length.sh': 'echo "length: ${#CANARY}"; env | grep -c CANARY; true',
  })
  await call('a.teller')
  expect(dataOf(await call('b.length'))).toBe('length: 0\n0')
})

test('what one tool was given does not show in the words of another', async () => {
  canary()
  const { call } = await tell({
    'a/SKILL.md': skillMd('a', 'env: [CANARY]\n'),
    'a/scripts/save.sh': 'printf %s "$CANARY" > saved.txt',
    'b/SKILL.md': skillMd('b'),
    'b/scripts/read.sh': 'cat saved.txt',
  })
  await call('a.save')
  expect(dataOf(await call('b.read'))).toBe('***')
})

const needs = (env: string, more = '') => ({
  's/SKILL.md': skillMd('s', more),
  's/tool-manifest.yaml': `version: 1
tools:
  - { name: length, env: ${env}, executor: { type: script, code: 'echo "\${#CANARY}"; touch ran', interpreter: sh, cwd: workspace } }
`,
})

test.each([
  ['not granted', '[CANARY]', [], CANARY, /CANARY is not granted: add CANARY to `env` of the configuration/],
  ['not set', '[CANARY]', ['CANARY'], undefined, /CANARY is not set/],
])('a variable that is needed and %s ends the call before anything starts', async (_, env, granted, value, message) => {
  if (value) canary()
  const { call, workspace } = await tell(needs(env), { env: granted })
  expect(await call('s.length')).toMatchObject({
    ok: false,
    error: { code: 'ENV_NOT_GRANTED', message, hints: [expect.stringContaining('--env CANARY')] },
  })
  expect(readdirSync(workspace)).not.toContain('ran')
})

test('an optional one is left out, and its description tells the user where to get a needed one', async () => {
  const optional = await tell(needs('[{ name: CANARY, optional: true }]'))
  expect(dataOf(await optional.call('s.length'))).toBe('0')
  const needed = await tell(needs('[{ name: CANARY, description: From the settings page. }]'))
  expect(await needed.call('s.length')).toMatchObject({
    error: { hints: ['CANARY: From the settings page.', expect.anything()] },
  })
})

test.each([
  ['requires', 'requires:\n  env: [CANARY]\n'],
  ['metadata', 'metadata:\n  some-client:\n    requires:\n      env: [CANARY]\n      bins: [curl]\n'],
  ['metadata as JSON', 'metadata: {"some-client": {"requires": {"env": ["CANARY"]}}}\n'],
])('what skills in the wild write as %s counts as optional', async (_, frontmatter) => {
  const files = { 's/SKILL.md': skillMd('s', frontmatter), 's/scripts/length.sh': 'echo "${#CANARY}"' }
  expect(dataOf(await (await tell(files)).call('s.length'))).toBe('0')
  canary()
  expect(dataOf(await (await tell(files)).call('s.length'))).toBe(String(CANARY.length))
  expect(dataOf(await (await tell(files, { env: [] })).call('s.length'))).toBe('0')
})

test('the head of a manifest declares for all programs of the skill, declared or not', async () => {
  canary()
  const { call, runtime } = await tell({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': `version: 1
env: [CANARY]
tools:
  - { name: declared, executor: { type: binary, path: printenv, args_template: [CANARY] } }
`,
    's/scripts/found.sh': 'echo "${#CANARY}"',
  })
  expect(dataOf(await call('s.declared'))).toBe('***')
  expect(dataOf(await call('s.found'))).toBe(String(CANARY.length))
  expect((await runtime.report()).diagnostics).toEqual([])
})

test('names that change what programs load are told of and not passed on', async () => {
  const names = ['LD_PRELOAD', 'PATH', 'NODE_OPTIONS', 'PYTHONPATH', 'BASH_ENV', 'ENV', 'GIT_SSH_COMMAND', 'PERL5OPT']
  for (const name of names) canary(name, process.env[name] ?? '/nonexistent')
  const list = [...names, 'dyld_insert_libraries', 'a-b', 'A B', '', 7, null]
    .map(name => JSON.stringify(name))
    .join(', ')
  const { runtime, call } = await tell(
    {
      's/SKILL.md': skillMd('s', `env: [${list}]\n`),
      's/scripts/all.sh':
        'env | grep -E "LD_PRELOAD|NODE_OPTIONS|PYTHONPATH|BASH_ENV|^ENV=|GIT_SSH|PERL5" || echo none',
    },
    { env: names },
  )
  const { diagnostics } = await runtime.report()
  expect(diagnostics.filter(({ code }) => code === 'variable-refused')).toHaveLength(14)
  expect(diagnostics[0]).toMatchObject({ line: 4, message: expect.stringContaining('LD_PRELOAD') })
  expect(dataOf(await call('s.all'))).toBe('none')
})

test('a source of secrets is asked when a call is made, for granted names only, and before the environment', async () => {
  canary('CANARY', 'from-the-environment')
  const asked: unknown[] = []
  const { call } = await tell(needs('[CANARY, { name: OTHER, optional: true }, { name: HOST_ONLY, optional: true }]'), {
    env: ['CANARY', 'HOST_ONLY'],
    secrets: async (name, about) => {
      asked.push([name, about])
      return name === 'CANARY' ? CANARY : undefined
    },
  })
  expect(asked).toEqual([])
  expect(dataOf(await call('s.length'))).toBe(String(CANARY.length))
  expect(asked).toEqual([
    ['CANARY', { skill: 's', tool: 's.length' }],
    ['HOST_ONLY', { skill: 's', tool: 's.length' }],
  ])
})

test.each([
  ['fails', () => Promise.reject(new Error(`no access with ${CANARY}`)), /failed/],
  ['gives no text', () => 42 as never, /something else than text/],
  ['gives a NUL', () => 'a\0b', /NUL/],
])('a source of secrets that %s ends the call, without its own words', async (_, secrets, message) => {
  const { call } = await tell(needs('[CANARY]'), { secrets })
  const result = await call('s.length')
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'ENV_NOT_GRANTED', message: expect.stringMatching(message) },
  })
  expect(leaks(JSON.stringify(result))).toEqual([])
})

test('a source of secrets that never answers ends with the call', async () => {
  const { runtime } = await tell(needs('[CANARY]'), { secrets: () => new Promise(() => {}) })
  const result = await runtime.call({ toolId: 's.length', signal: AbortSignal.timeout(200) })
  expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('did not answer in time') } })
  expect(result.meta.latencyMs).toBeLessThan(5000)
})

test('requests, pipelines and their steps tell nothing either', async () => {
  canary()
  const { host, url, received } = await serve((request, response) =>
    response.end(`you sent ${request.headers.authorization} = ${Buffer.from(CANARY).toString('hex')}`),
  )
  const { call, events, updates } = await tell(
    {
      's/SKILL.md': skillMd('s', 'env: [CANARY]\n'),
      's/scripts/teller.py': TELLER,
      's/tool-manifest.yaml': `version: 1
tools:
  - { name: ask, executor: { type: http, url: '${url}', headers: { Authorization: 'Bearer \${env:CANARY}' } } }
  - { name: all, executor: { type: pipeline, steps: [{ id: a, tool: ask }, { id: b, tool: teller, args: { how: '\${env:CANARY}' } }] } }
`,
    },
    { allowPrivate: [host] },
  )
  const results = [await call('s.ask'), await call('s.all')]
  expect(dataOf(results[0]!)).toBe('you sent Bearer *** = ***')
  expect(received[0]?.headers.authorization).toBe(`Bearer ${CANARY}`)
  expect(results[1]).toMatchObject({ ok: false, error: { code: 'STEP_FAILED' } })
  expect(leaks(JSON.stringify([results, events, updates]))).toEqual([])
})

test('the command line prints none of it', () => {
  const folder = makeFolder({
    's/SKILL.md': skillMd('s', 'env: [CANARY]\n'),
    's/scripts/teller.py': TELLER,
  })
  const main = resolve(import.meta.dirname, '../dist/cli/main.js')
  const workspace = makeFolder()
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...args, '--source', folder, '--no-default-sources', '--env', 'CANARY'], {
      encoding: 'utf8',
      cwd: workspace,
      env: { ...process.env, CANARY },
    })
  const outputs = [
    run('call', 's.teller', '--stream'),
    run('call', 's.teller', '--json', '--args', '{"how": "badly"}'),
    run('call', 's.teller', '--args', JSON.stringify({ how: CANARY })),
    run('show', 's.teller'),
    run('doctor', folder),
    run('audit'),
  ]
  expect(outputs.map(({ status }) => status)).toEqual([0, 1, 1, 0, 0, 0])
  expect(outputs[0]!.stdout).toContain('***')
  expect(leaks(outputs.map(({ stdout, stderr }) => stdout + stderr).join('\n'))).toEqual([])
  expect(leaks(filesBelow(workspace))).toEqual([])
})

test('warnings of listeners tell nothing', async () => {
  canary()
  const warnings: string[] = []
  const hear = (warning: Error) => warnings.push(warning.message)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  const { runtime, call } = await tell({ 's/SKILL.md': skillMd('s', 'env: [CANARY]\n'), 's/scripts/a.sh': 'true' })
  runtime.on('dynamic_tool.call', () => {
    throw new Error(`listener knows ${CANARY}`)
  })
  await call('s.a')
  await vi.waitFor(() => expect(warnings.join()).toContain('listener knows ***'))
})
