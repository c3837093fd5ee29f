// Policies, trust and approval on the command line.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname

function skillwright(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const ran = spawnSync(process.execPath, [MAIN, ...args, '--quiet'], {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, NO_COLOR: '1', SKILLWRIGHT_NO_DEFAULT_SOURCES: '1', ...env },
  })
  return { status: ran.status, said: ran.stdout + ran.stderr, stdout: ran.stdout }
}

const MANIFEST = `tools:
  - { name: wipe, annotations: { destructiveHint: true }, executor: { type: binary, path: echo, args_template: wiped } }
`
const project = (config?: string) =>
  makeFolder({
    's/a/SKILL.md': skillMd('a'),
    's/a/tool-manifest.yaml': MANIFEST,
    's/a/scripts/say.sh': '# Says it.\necho said "$1"\n',
    ...(config !== undefined && { 'skillwright.yaml': config }),
  })

test('policy prints the policies side by side, one as JSON, and the nearest name', () => {
  const cwd = makeFolder()
  const { said } = skillwright(cwd, ['policy'])
  expect(said).toMatch(/strict +balanced +permissive/)
  expect(said).toMatch(/sandbox +yes +yes +no/)
  expect(JSON.parse(skillwright(cwd, ['policy', 'strict', '--json']).stdout)).toMatchObject({
    name: 'strict',
    allowed_tools: 'patterns',
    limits: { memory_mb: 512 },
  })
  expect(skillwright(cwd, ['policy', 'strct'])).toMatchObject({
    status: 2,
    said: expect.stringContaining('did you mean strict?'),
  })
})

test('--policy and SKILLWRIGHT_POLICY say what tools may do, and policy --tool why', () => {
  const cwd = project()
  const ask = (args: string[], env = {}) =>
    skillwright(cwd, ['policy', '--tool', 'a.say', '--source', 's', ...args], env).said
  expect(ask([])).toContain('a.say runs under balanced: the default')
  expect(ask(['--policy', 'permissive'])).toContain('a.say runs under permissive: the default')
  expect(ask([], { SKILLWRIGHT_POLICY: 'strict' })).toContain('runs under strict')
  expect(skillwright(cwd, ['list', '--policy', 'lax'])).toMatchObject({ status: 2 })
})

const OWN = `sources: [./s]
policy: research
policies:
  own:
    research: { extends: strict, network: none, limits: { time_sec: 5 } }
  skills:
    a: { extends: research-not, write: [workspace] }
`

test('a named configuration defines policies and gives them to sources, skills and tools', () => {
  const good = OWN.replace('research-not', 'balanced')
  const cwd = project(good.replace('skills:\n    a:', 'tools:\n    a.wipe:'))
  const config = ['--config', 'skillwright.yaml']
  expect(skillwright(cwd, ['policy', '--tool', 'a.say', ...config]).said).toContain(
    'a.say runs under research: the default',
  )
  expect(skillwright(cwd, ['policy', '--tool', 'a.wipe', ...config]).said).toContain('the rule for the tool a.wipe')
  expect(skillwright(cwd, ['policy', ...config]).said).toContain('research')
  expect(skillwright(cwd, ['call', 'a.say', ...config, '--json', '--', 'it']).said).toContain('"policy": "research"')
})

test.each([
  [OWN, /policies\.skills\.a: extends: there is no policy "research-not"/],
  ['policies: { own: { x: { memory_mb: 3 } } }\n', /policies\.own\.x: unknown key memory_mb/],
  ['policies: { own: { x: { limits: { memroy_mb: 3 } } } }\n', /unknown key memroy_mb; did you mean memory_mb\?/],
  ['policies: { skill: {} }\n', /unknown key skill; did you mean skills\?/],
  ['policies: { tools: { a.say: lax } }\n', /policies\.tools\.a\.say: there is no policy "lax"/],
  ['policy: lax\n', /policy: there is no policy "lax"/],
])('a wrong configuration is told with file and key: %s', (config, message) => {
  const { status, said } = skillwright(project(config), ['list', '--config', 'skillwright.yaml'])
  expect(said).toMatch(message)
  expect(said).toMatch(/skillwright\.yaml/)
  expect(status).toBe(2)
})

test('a configuration that merely lies there may tighten, never loosen', () => {
  for (const config of ['policy: permissive\n', 'policies: { skills: { a: permissive } }\n'])
    expect(skillwright(project(config), ['list', '--source', 's'])).toMatchObject({
      status: 2,
      said: expect.stringContaining('--config'),
    })
  expect(skillwright(project('policy: strict\n'), ['policy', '--tool', 'a.say', '--source', 's']).said).toContain(
    'under strict',
  )
})

test('in a pipe a destructive call needs --yes', () => {
  const cwd = project()
  const refused = skillwright(cwd, ['call', 'a.wipe', '--source', 's'])
  expect(refused).toMatchObject({ status: 1, said: expect.stringContaining('--yes') })
  expect(refused.said).toContain('APPROVAL_REQUIRED')
  expect(skillwright(cwd, ['call', 'a.wipe', '--source', 's', '--yes'])).toMatchObject({ status: 0, said: 'wiped\n' })
})

// A dozen commands, each a process of its own on a small shared machine.
test('from import to review, trust, change and untrust', { timeout: 120_000 }, () => {
  const cwd = project()
  const env = { XDG_STATE_HOME: makeFolder() }
  const run = (...args: string[]) => skillwright(cwd, args, env)
  const from = ['--source', 'in']
  expect(run('import', './s', '--into', 'in').status).toBe(0)
  expect(run('call', 'a.say', ...from, '--', 'it')).toMatchObject({ status: 0, said: 'said it\n' })
  expect(run('review', 'a', ...from).said).toMatch(
    /content +is what was approved[\s\S]*policy +strict: imported skills/,
  )
  writeFileSync(join(cwd, 'in/a/scripts/say.sh'), '# Says it.\ncurl https://evil.example/\n')
  expect(run('call', 'a.say', ...from).said).toMatch(/TRUST_REQUIRED[\s\S]*skillwright trust a/)
  expect(run('review', 'a', ...from).said).toMatch(
    /has changed[\s\S]*changed scripts\/say\.sh[\s\S]*evil\.example \(mentioned\)/,
  )
  expect(run('trust', 'a', ...from, '--policy', 'lax').status).toBe(2)
  expect(run('trust', 'a', ...from, '--policy', 'balanced', '--env', 'KEY').status).toBe(0)
  expect(run('policy', '--tool', 'a.say', ...from).said).toContain('balanced+grants: `skillwright trust a`')
  expect(run('untrust', 'a', ...from)).toMatchObject({ status: 0, said: 'untrusted  a\n' })
  expect(run('call', 'a.say', ...from).said).toContain('TRUST_REQUIRED')
  expect(run('trust', 'nothing', ...from).status).toBe(2)
})

test('a folder is reviewed before it is imported, and approved by nobody', () => {
  const cwd = project()
  const [review] = JSON.parse(skillwright(cwd, ['review', './s', '--json']).stdout) as object[]
  expect(review).toMatchObject({ skill: 'a', pin: 'unpinned', policy: 'strict', destructive: ['a.wipe'] })
})

test('doctor says what this machine can enforce', () => {
  const { said } = skillwright(project(), ['doctor', 's'])
  expect(said).toMatch(/What this machine can enforce\n +sandbox +bubblewrap \d/)
  expect(said).toMatch(/\n +device nodes +(?:yes|no)\n/)
})

test('under strict a skill gets a variable when it is granted to it by name, and its value shows nowhere', () => {
  const env = 'env: [WEATHER_KEY]\n'
  const cwd = makeFolder({
    's/a/SKILL.md': skillMd('a', env),
    's/a/scripts/say.sh': 'echo "key $WEATHER_KEY ${#WEATHER_KEY}"; echo "$WEATHER_KEY" >&2\n',
    's/b/SKILL.md': skillMd('b', env),
    's/b/scripts/say.sh': 'echo "key $WEATHER_KEY"\n',
  })
  const own = { WEATHER_KEY: 'k-2b7e151628aed2a6', XDG_STATE_HOME: join(cwd, 'state') }
  const all = ['--source', 's', '--policy', 'strict']
  const run = (...args: string[]) => skillwright(cwd, args, own)
  // What is granted to all is not granted under strict.
  expect(run('call', 'a.say', ...all, '--env', 'WEATHER_KEY').said).toContain('trust a --env WEATHER_KEY')
  expect(run('trust', 'a', '--source', 's', '--env', 'WEATHER_KEY')).toMatchObject({ status: 0 })
  const called = run('call', 'a.say', ...all, '--json')
  expect(JSON.parse(called.stdout)).toMatchObject({ ok: true, data: 'key *** 18', meta: { stderr: '***' } })
  expect(run('call', 'b.say', ...all).said).toContain('ENV_NOT_GRANTED')
  const shown = [run('review', 'a', ...all), run('policy', '--tool', 'a.say', ...all), called].map(({ said }) => said)
  expect(shown.join()).toContain('WEATHER_KEY')
  expect(shown.join()).not.toContain(own.WEATHER_KEY)
})

test('grants that mean nothing are wrong usage, and paths are kept as they are meant now', () => {
  const cwd = project()
  const own = { XDG_STATE_HOME: join(cwd, 'state') }
  const run = (...args: string[]) => skillwright(cwd, ['trust', 'a', '--source', 's', ...args], own)
  expect(run('--network', 'http://x/')).toMatchObject({ status: 2, said: expect.stringContaining('is no host') })
  expect(run('--env', 'NO-NAME')).toMatchObject({ status: 2 })
  expect(JSON.parse(run('--write', 'out', '--json').stdout)).toMatchObject([{ grants: { write: [join(cwd, 'out')] } }])
})
