import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname

function skillwright(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = makeFolder()) {
  return spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
}

const MANIFEST =
  'tools:\n  - name: good\n    executor: { type: binary, path: echo, args_template: "${env:TEST_GRANTED}" }\n'

test('validate prints file, line and remedy, and fails on a bad tool', () => {
  const bad = `${MANIFEST}  - name: bad\n    executor: { type: rocket }\n`
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': bad,
    't/tool-manifest.yaml': MANIFEST,
  })
  const ran = skillwright(['validate', join(folder, 's/tool-manifest.yaml')])
  expect(ran.status).toBe(1)
  expect(ran.stdout).toMatch(/error .*tool-manifest\.yaml:5 tool-invalid\n.*not known\.\n.*→ Write one of: script/)
  expect(ran.stdout).toMatch(/ok +s\.good +binary\ninvalid +s\.bad/)
  expect(JSON.parse(skillwright(['validate', join(folder, 's/tool-manifest.yaml'), '--json']).stdout)).toMatchObject({
    tools: ['s.good'],
    invalid: [{ id: 's.bad', line: 5 }],
  })
  for (const path of ['t/tool-manifest.yaml', 's/nothing.yaml', 's/SKILL.txt'])
    expect(skillwright(['validate', join(folder, path)]).status).toBe(2)
})

test('compile writes beside the skills and tells what it did', () => {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': MANIFEST })
  const ran = skillwright(['compile', folder])
  expect([ran.status, ran.stdout]).toEqual([
    0,
    expect.stringMatching(/^written +s .*\ncompiled_ok 2 {2}invalid_tools 0 {2}shadowed_tools 0\n$/),
  ])
  expect(existsSync(join(folder, 's/dynamic_tools.lock.json'))).toBe(true)
  expect(skillwright(['compile', folder]).stdout).toMatch(/^unchanged +s /)
})

test('compile --watch writes again what changes, and Ctrl-C ends it', async () => {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': MANIFEST })
  const child = spawn(process.execPath, [MAIN, 'compile', folder, '--watch'], {
    env: { ...process.env, NO_COLOR: '1' },
    cwd: makeFolder(),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  await expect.poll(() => stderr, { timeout: 10_000 }).toContain('Watching')
  writeFileSync(join(folder, 's/tool-manifest.yaml'), MANIFEST.replace('good', 'better'))
  await expect.poll(() => stdout.match(/written/g)?.length, { timeout: 10_000 }).toBe(2)
  child.kill('SIGINT')
  expect(await new Promise(resolve => child.on('close', resolve))).toBe(130)
})

test('rights come from flags and named files only', () => {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': MANIFEST })
  const base = ['call', 's.good', '--no-default-sources', '--source', folder]
  const env = { TEST_GRANTED: 'granted-value' }
  expect(skillwright(base, env)).toMatchObject({ status: 1, stderr: expect.stringContaining('ENV_NOT_GRANTED') })
  expect(skillwright([...base, '--env', 'TEST_GRANTED'], env)).toMatchObject({ status: 0, stdout: '***\n' })

  const project = makeFolder({ 'skillwright.yaml': 'env: [TEST_GRANTED]\n' })
  expect(skillwright(base, env, project)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('hands out rights'),
  })
  const named = ['--config', join(project, 'skillwright.yaml')]
  expect(skillwright([...base, ...named], env)).toMatchObject({ status: 0, stdout: '***\n' })
})

test('call shows output while it runs when asked to', () => {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/scripts/slow.sh': 'echo one\nsleep 0.2\necho two\n' })
  const base = ['call', 's.slow', '--no-default-sources', '--source', folder]
  expect(skillwright(base)).toMatchObject({ stdout: 'one\ntwo\n', stderr: '' })
  expect(skillwright([...base, '--stream'])).toMatchObject({ stdout: 'one\ntwo\n', stderr: 'one\ntwo\n' })
})
