import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const EXAMPLES = join(ROOT, 'examples/skills')

type Ran = { code: number | null; stdout: string; stderr: string }

/** Runs the built command in a folder, on the example skills or on those of `source`. */
function runner(cwd: string, source = EXAMPLES) {
  return (...args: string[]): Promise<Ran> => {
    const [command, ...rest] = args
    const line = [join(ROOT, 'dist/cli/main.js'), command!, '--no-default-sources', '--source', source, ...rest]
    const child = spawn(process.execPath, line, { cwd, env: { ...process.env, NO_COLOR: '1' } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
  }
}

test('ls shows categories and tools, page by page', async () => {
  const run = runner(makeFolder())
  const root = await run('ls')
  expect(root).toMatchObject({ code: 0, stdout: expect.stringMatching(/^calculator\/ +Adds and multiplies/) })
  expect((await run('ls', 'data-plugin/csv')).stdout).toMatch(/^data-plugin:csv\.summary +Print the columns/m)
  const first = JSON.parse((await run('ls', '--limit', '3', '--json')).stdout)
  expect(first.nodes).toHaveLength(3)
  const second = await run('ls', '--limit', '3', '--json', '--cursor', first.next_cursor)
  expect(JSON.parse(second.stdout).nodes[0].name).not.toBe(first.nodes[2].name)
  expect((await run('ls', '--limit', '3')).stderr).toMatch(/More: --cursor \S+/)
  expect((await run('ls', '--query', 'pages of a pdf')).stdout).toMatch(/^pdf-processor\S* +0\.\d\d +pdf-processor/m)
})

test('search and expand', async () => {
  const run = runner(makeFolder())
  expect((await run('search', 'add', 'numbers')).stdout).toMatch(/^calculator\.add +0\.\d\d +calculator +Add numbers/)
  expect((await run('search', 'pdf', '--nodes')).stdout).toMatch(/^pdf-processor\/ +0\.\d\d/)
  const json = JSON.parse((await run('search', 'add numbers', '--in', 'calculator', '--json', '--limit', '1')).stdout)
  expect(json).toMatchObject({ category_path: ['calculator'], results: [{ tool_id: 'calculator.add' }] })
  const expanded = JSON.parse((await run('expand', 'pdf-processor.info', '--json')).stdout)
  expect(expanded).toMatchObject({ tool_id: 'pdf-processor.info', args_schema: { required: ['file'] } })
  expect((await run('expand', 'pdf-processor.info')).stdout).toMatch(/^version +[0-9a-f]{12}$/m)
})

test('exit codes: 1 when nothing fits, 2 for what does not exist or cannot be read', async () => {
  const run = runner(makeFolder())
  expect(await run('search', 'zzzqqq')).toMatchObject({ code: 1, stderr: expect.stringContaining('NO_MATCH') })
  expect(await run('ls', 'calculatr')).toMatchObject({ code: 2, stderr: expect.stringContaining('["calculator"]') })
  expect(await run('expand', 'calculator.ad')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Did you mean calculator.add?'),
  })
  const wrong = [
    ['ls', '--limit', '0'],
    ['ls', '--limit', 'x'],
    ['ls', '--cursor', 'x'],
    ['search'],
    ['search', 'a', '--nodes', '--in', 'b'],
    ['expand'],
  ]
  for (const args of wrong) expect([args, (await run(...args)).code]).toEqual([args, 2])
  for (const command of ['ls', 'search', 'expand', 'audit'])
    expect((await run(command, '--help')).stdout).toMatch(/Examples?:/)
})

// What each command keeps from whom is in visibility.test.ts.
test('one of several roles is enough', async () => {
  const code = 'executor: { type: script, code: echo hi, interpreter: sh }'
  const source = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': `version: 1\ntools:\n  - { name: secret, description: Tells secrets, roles: [admin], ${code} }\n`,
  })
  const run = runner(makeFolder(), source)
  const admin = ['--role', 'guest', '--role', 'admin']
  const [without, found] = await Promise.all([run('search', 'secrets'), run('search', 'secrets', ...admin)])
  expect(without.stdout).not.toContain('s.secret')
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('s.secret') })
  expect(await run('call', 's.secret', ...admin)).toMatchObject({ code: 0, stdout: 'hi\n' })
  expect(await run('call', 's.secret')).toMatchObject({ code: 2 })
})

test('audit prints the way from a search to a call as a tree, and totals', async () => {
  const cwd = makeFolder()
  const run = runner(cwd)
  expect(await run('audit')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no audit') })
  await run('search', 'add numbers', '--trace', 'way-1')
  await run('expand', 'calculator.add', '--trace', 'way-1')
  await run('call', 'calculator.add', '--trace', 'way-1', '--', '1', '2')
  await run('call', 'calculator.add', '--', 'x')
  appendFileSync(join(cwd, '.skillwright/audit.jsonl'), 'no json\n{"event":1}\n')
  const { code, stdout, stderr } = await run('audit', '--trace', 'way')
  expect(code).toBe(0)
  const [head, ...tree] = stdout.split('\n').slice(0, 5)
  expect(head).toMatch(/^way-1 {2}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(tree[0]).toMatch(/^├─ search "add numbers" → \d+ results$/)
  expect(tree[1]).toBe('├─ choose calculator.add, result 1 of the search')
  expect(tree[2]).toBe('├─ expand calculator.add')
  expect(tree[3]).toMatch(/^└─ call calculator\.add {2}ok in \d+ ms$/)
  expect(stdout).toMatch(/^calculator\.add +1 +1 +1 +0 +\d+ ms$/m)
  expect(stderr).toContain('2 lines')
  const all = JSON.parse((await run('audit', '--json')).stdout)
  expect(all.traces).toHaveLength(2)
  expect(all.totals[0]).toMatchObject({ tool: 'calculator.add', found: 1, expanded: 1, called: 2, failed: 1 })
  expect(await run('audit', '--trace', 'nope')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no trace nope.'),
  })
})
