import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const EXAMPLES = join(ROOT, 'examples/skills')

type Ran = { code: number | null; stdout: string; stderr: string }

/** Runs the built command as a user would. */
function skillwright(
  args: string[],
  options: { cwd?: string; stdin?: string; env?: NodeJS.ProcessEnv; interruptAt?: string } = {},
): Promise<Ran> {
  const env = { ...process.env, NO_COLOR: '1', ...options.env }
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...args], {
    cwd: options.cwd ?? makeFolder(),
    env,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  child.stdin.end(options.stdin ?? '')
  if (options.interruptAt) interruptWhen(child.pid!, options.interruptAt)
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

/** Sends SIGINT once a process with this text on its command line runs. */
function interruptWhen(pid: number, text: string): void {
  const timer = setInterval(() => {
    if (running(text).length === 0) return
    clearInterval(timer)
    process.kill(pid, 'SIGINT')
  }, 20)
}

function running(text: string): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(text)
    } catch {
      return false
    }
  })
}

const only = ['--no-default-sources', '--source', EXAMPLES]

test('control characters of strangers are not printed, except those that a tool itself writes to a pipe', async () => {
  const source = makeFolder({
    'evil/SKILL.md': '---\nname: evil\ndescription: "A \\e]0;title\\a\\u202ename."\n---\nBody\n',
    'evil/scripts/x.sh': '# Says \u001b[2Jx.\nprintf "\\033[31mred"\nprintf "\\033[2J" >&2\n',
    'e\u001b[2Jvil2/SKILL.md': '---\nname: "e\\e[2J"\ndescription: x\n---\n',
  })
  const from = ['--no-default-sources', '--source', source]
  const shown = await Promise.all(
    [['list'], ['show', 'evil.x'], ['doctor'], ['review', 'evil']].map(args => skillwright([...args, ...from])),
  )
  for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  const called = await skillwright(['call', 'evil.x', ...from])
  expect(called).toMatchObject({ stdout: '\u001b[31mred\n', stderr: '[2J\n' })
}, 30_000)

test('list names every skill and tool', async () => {
  const { code, stdout } = await skillwright(['list', ...only])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^calculator {2,}Adds and multiplies/m)
  expect(stdout).toMatch(/^ {2}data-plugin:csv\.summary {2,}Print the columns/m)
  const json = JSON.parse((await skillwright(['list', ...only, '--json'])).stdout)
  expect(json.tools).toContainEqual(expect.objectContaining({ id: 'calculator.add', executor: 'script' }))
})

test('show prints schema and file', async () => {
  const { code, stdout } = await skillwright(['show', 'calculator.add', ...only])
  expect(code).toBe(0)
  expect(stdout).toContain('scripts/add.py')
  expect(stdout).toMatch(/interface +exact, read from the source[\s\S]*number +array +positional +line 7/)
})

test('call takes JSON, a file, stdin, or the script’s own command line', async () => {
  const cwd = makeFolder({ 'args.json': '{"arguments": ["1", "2"]}' })
  const call = (...args: string[]) =>
    skillwright(['call', 'calculator.add', ...only, ...args], { cwd, stdin: '{"arguments": "3 4"}' })
  expect(await call('--', '1', '-2', '--3'.slice(2))).toMatchObject({ code: 0, stdout: '2\n' })
  expect(await call('--args', '{"arguments": "1 1"}')).toMatchObject({ code: 0, stdout: '2\n' })
  expect(await call('--args', '@args.json')).toMatchObject({ code: 0, stdout: '3\n' })
  expect(await call('--args', '-')).toMatchObject({ code: 0, stdout: '7\n' })
  const json = JSON.parse((await call('--json', '--', '5')).stdout)
  expect(json).toMatchObject({ ok: true, data: '5', meta: { toolId: 'calculator.add', exitCode: 0 } })
})

test('exit codes tell what happened, and errors go to stderr', async () => {
  const source = makeFolder({ 's/SKILL.md': skillMd('s'), 's/scripts/slow.sh': 'sleep 20' })
  const failed = await skillwright(['call', 'calculator.add', ...only, '--', 'x'])
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('every argument must be a number'),
  })
  expect((await skillwright(['call', 's.slow', '--source', source, '--timeout', '0.3'])).code).toBe(124)
  for (const wrong of [
    ['lst'],
    ['call'],
    ['list', '--nonsense'],
    ['call', 'calculator.add', ...only, '--args', '{'],
    ['list', '--workspace', '/nowhere'],
  ])
    expect([wrong, (await skillwright(wrong)).code]).toEqual([wrong, 2])
  expect(await skillwright(['call', 'calculator.ad', ...only])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('calculator.add'),
  })
  expect(await skillwright(['skill', 'calculatr', ...only])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('calculator'),
  })
  expect(await skillwright(['lst'])).toMatchObject({ stderr: expect.stringContaining('list') })
  expect((await skillwright(['call', '--help'])).stdout).toContain('Examples:')
})

test('Ctrl-C ends the script and answers with 130', async () => {
  const mark = `6${Date.now()}`
  const source = makeFolder({ 's/SKILL.md': skillMd('s'), 's/scripts/slow.sh': `sleep ${mark}` })
  const { code } = await skillwright(['call', 's.slow', '--source', source], { interruptAt: mark })
  expect(code).toBe(130)
  expect(running(mark)).toEqual([])
})

test('skill prints the filled-in body', async () => {
  const { code, stdout } = await skillwright(['skill', 'release-notes', ...only, '1.2.0', 'developers'])
  expect(code).toBe(0)
  expect(stdout).toContain('Version: 1.2.0. Audience: developers.')
})

test('doctor gives file, line and remedy for each problem, and fails on errors only', async () => {
  const bad = makeFolder({ 'a/SKILL.md': '# nothing\n', 'b/SKILL.md': '---\nname: b\ndescription: x: y\n---\n' })
  const { code, stdout } = await skillwright(['doctor', bad])
  expect(code).toBe(1)
  expect(stdout).toContain(`${join(bad, 'a/SKILL.md')}:1 frontmatter-missing`)
  expect(stdout).toContain(`${join(bad, 'b/SKILL.md')}:3 frontmatter-repaired`)
  expect(stdout).toMatch(/→ .*double quotes/)
  expect(stdout).toMatch(/problems +1 errors, 1 warnings, 0 notes/)
  expect(JSON.parse((await skillwright(['doctor', bad, '--json'])).stdout).diagnostics).toHaveLength(2)
  expect((await skillwright(['doctor', EXAMPLES])).code).toBe(0)
})

test('the config file is found upwards, and environment variables mirror the options', async () => {
  const cwd = makeFolder({
    'skillwright.yaml': 'sources: [./mine]\ndefault_sources: false\n',
    'mine/m/SKILL.md': skillMd('m'),
    'deep/down/x': '',
    'bad.yaml': 'sorces: []\n',
    'worse.yaml': 'sources: 7\n',
  })
  const below = join(cwd, 'deep/down')
  const ids = async (args: string[], env: NodeJS.ProcessEnv = {}) =>
    JSON.parse((await skillwright(['list', '--json', ...args], { cwd: below, env })).stdout).skills.map(
      (skill: { id: string }) => skill.id,
    )
  expect(await ids([])).toEqual(['m'])
  expect(await ids([], { SKILLWRIGHT_SOURCE: EXAMPLES })).toContain('calculator')
  const wrong = (file: string) => skillwright(['list', '--config', join(cwd, file)], { cwd })
  expect(await wrong('bad.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean sources?') })
  expect(await wrong('worse.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('a list of folders') })
  expect(await wrong('none.yaml')).toMatchObject({ code: 2 })
})

test('a folder that is not there is wrong usage', async () => {
  for (const args of [
    ['doctor', '/nowhere'],
    ['list', '--source', '/nowhere'],
  ]) {
    const ran = await skillwright(args)
    expect([ran.code, ran.stderr]).toEqual([2, 'There is no folder /nowhere. Create it, or name another one.\n'])
  }
})

test('quoted words stay together for skills and prompts', async () => {
  const skill = await skillwright(['skill', 'release-notes', ...only, '1.2.0', 'all the developers'])
  expect(skill.stdout).toContain('Audience: all the developers.')
  const prompt = await skillwright(['call', 'release-notes', ...only, '--', '1.2.0', 'all the developers'])
  expect(prompt.stdout).toContain('Audience: all the developers.')
})

test('a reader that leaves early is no error', async () => {
  const child = spawn('sh', ['-c', `"${process.execPath}" dist/cli/main.js list --json ${only.join(' ')} | head -1`], {
    cwd: ROOT,
  })
  let stderr = ''
  child.stderr.on('data', chunk => (stderr += chunk))
  await new Promise(resolve => child.on('close', resolve))
  expect(stderr).toBe('')
})

test('variables switch options on only when they say so', async () => {
  const off = await skillwright(['list', ...only], { env: { SKILLWRIGHT_JSON: '0' } })
  expect(off.stdout).toMatch(/^calculator/)
  const late = await skillwright(['call', 'calculator.add', ...only, '--', '1'], {
    env: { SKILLWRIGHT_TIMEOUT: '0.001' },
  })
  expect(late.code).toBe(124)
})
