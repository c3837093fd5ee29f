import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/folders.ts'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

function skillwright(cwd: string, ...args: string[]) {
  const env = { ...process.env, NO_COLOR: '1', SKILLWRIGHT_NO_DEFAULT_SOURCES: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd, env, encoding: 'utf8' })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

test('built-ins are there when asked for, and only then', () => {
  const folder = makeFolder({ 'a.txt': 'one\n' })
  expect(skillwright(folder, 'call', 'read', '--builtins', '--args', '{"path": "a.txt"}')).toMatchObject({
    status: 0,
    stdout: '1\tone',
  })
  expect(skillwright(folder, 'list', '--builtins').stdout).toMatch(/^built in .*\n {2}bash /)
  expect(skillwright(folder, 'call', 'read', '--args', '{"path": "a.txt"}').status).not.toBe(0)
})

test('a config that merely lies in a folder cannot switch them on', () => {
  const folder = makeFolder({ 'skillwright.yaml': 'builtins: [ls]\n' })
  expect(skillwright(folder, 'call', 'ls')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('builtins hands out rights'),
  })
  const named = ['--config', join(folder, 'skillwright.yaml')]
  expect(skillwright(folder, 'call', 'ls', ...named)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('skillwright.yaml  15'),
  })
  expect(skillwright(folder, 'call', 'bash', ...named).status).not.toBe(0)
})
