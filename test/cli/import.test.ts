import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname

type Ran = { code: number | null; stdout: string; stderr: string }

/** Runs the built command with a data folder of its own. */
function skillwright(args: string[], data: string, whenStarted?: (pid: number) => void): Promise<Ran> {
  const env = { ...process.env, NO_COLOR: '1', XDG_DATA_HOME: data }
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: makeFolder(), env })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  whenStarted?.(child.pid!)
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

test('import, list, update and remove as a user does', async () => {
  const data = makeFolder()
  const source = makeFolder({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/run.sh': '#!/bin/sh\n# Runs.\necho ran\n',
    'b/SKILL.md': '---\nname: b\n---\n',
  })
  const imported = await skillwright(['import', source], data)
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stdout).toMatch(/^added +a +skill +sha256:\w+ +a$/m)
  expect(imported.stdout).toMatch(/compiled_ok 2 {2}invalid_tools 0 {2}shadowed_tools 0/)
  expect(imported.stderr).not.toContain('\r')

  const listed = await skillwright(['list', '--json'], data)
  expect(JSON.parse(listed.stdout).tools.map((tool: { id: string }) => tool.id)).toEqual(['a', 'a.run'])

  writeFileSync(join(source, 'a/SKILL.md'), skillMd('a', '', 'changed\n'))
  const updated = JSON.parse((await skillwright(['update', '--json'], data)).stdout)
  expect(updated).toMatchObject({
    compiled_ok: 2,
    skills: [{ name: 'a', status: 'replaced' }, { status: 'unchanged' }],
  })

  expect(await skillwright(['remove', 'a'], data)).toMatchObject({ code: 0, stdout: 'removed  a\n' })
  expect(existsSync(join(data, 'skillwright/skills/a'))).toBe(false)
})

test('exit codes tell wrong usage from failure, with what to do', async () => {
  const data = makeFolder()
  const wrong = await skillwright(['import', '/nowhere'], data)
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/nothing at.*\n→ /)
  expect((await skillwright(['import', makeFolder({ x: '' })], data)).code).toBe(1)
  expect((await skillwright(['remove', 'x'], data)).code).toBe(2)
  expect(await skillwright(['update'], data)).toMatchObject({ code: 0, stderr: expect.stringContaining('import') })
  expect((await skillwright(['import', '--help'], data)).stdout).toContain('Examples:')
  expect(readdirSync(data)).toEqual([])
})

test('Ctrl-C during a download leaves nothing behind and answers with 130', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('PK')
    process.kill(pid, 'SIGINT')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.zip`
  const data = makeFolder()
  let pid = 0
  const { code, stderr } = await skillwright(['import', url], data, started => (pid = started))
  expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')])
  expect(readdirSync(data)).toEqual([])
})
