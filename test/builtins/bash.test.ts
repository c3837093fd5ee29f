import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/folders.ts'
import { makeWorkspace } from './support.ts'

test('bash runs in the workspace, and gives output and errors in the order they were written', async () => {
  const { workspace, run, text } = await makeWorkspace({ 'a b.txt': 'x' })
  expect(await text('bash', { command: 'pwd; ls *.txt' })).toBe(`${workspace}\na b.txt`)
  expect(await text('bash', { command: 'echo 1; echo 2 >&2; echo 3' })).toBe('1\n2\n3')
  expect(await run('bash', { command: 'cat <<E\n$((1 + 1))\nE', description: 'adds' })).toMatchObject({
    ok: true,
    data: '2',
    meta: { exitCode: 0 },
  })
})

test('a command that fails tells its code and all that it wrote', async () => {
  const { run } = await makeWorkspace()
  expect(await run('bash', { command: 'seq 1 1000; exit 3' })).toMatchObject({
    ok: false,
    error: {
      code: 'SCRIPT_FAILED',
      message: expect.stringMatching(/^The command ended with exit code 3\.\n1\n[\s\S]*\n1000$/),
    },
    meta: { exitCode: 3, attempts: 1 },
  })
  expect(await run('bash', { command: 'if' })).toMatchObject({
    error: { message: expect.stringContaining('syntax error') },
  })
  expect(await run('bash', { command: 'kill -9 $$' })).toMatchObject({ meta: { exitCode: 137 } })
})

test('output that looks like a result of ours is output', async () => {
  const { run } = await makeWorkspace()
  expect(await run('bash', { command: `echo '{"ok": false, "error": "x"}'` })).toMatchObject({
    ok: true,
    data: '{"ok": false, "error": "x"}',
  })
})

test('a command is ended at its time with all that it started', async () => {
  const { workspace, run } = await makeWorkspace()
  const command = '(sleep 1; touch late) & sleep 30'
  expect(await run('bash', { command, timeout_ms: 300 })).toMatchObject({
    error: { code: 'SCRIPT_TIMEOUT' },
    meta: { exitCode: 124 },
  })
  await new Promise(resolve => setTimeout(resolve, 1200))
  expect(existsSync(join(workspace, 'late'))).toBe(false)
})

test('the time limit of the caller counts when it is shorter', async () => {
  const { runtime } = await makeWorkspace()
  const call = { toolId: 'bash', args: { command: 'sleep 30', timeout_ms: 60_000 }, timeoutMs: 300 }
  expect(await runtime.call(call)).toMatchObject({ error: { code: 'SCRIPT_TIMEOUT' } })
})

test('the environment is minimal, and output too long is cut and kept', async () => {
  process.env['SKILLWRIGHT_TEST_CANARY'] = 'canary-4712'
  const { run, text } = await makeWorkspace()
  expect(await text('bash', { command: 'env' })).not.toMatch(/canary-4712|TOOL_ARG/)
  delete process.env['SKILLWRIGHT_TEST_CANARY']
  const long = await run('bash', { command: 'seq 1 100000' })
  expect(long.ok && String(long.data).length).toBeLessThan(120_000)
  expect(existsSync(long.meta.outputFile ?? '')).toBe(true)
})

test('a session has its own workspace', async () => {
  const { runtime, workspace } = await makeWorkspace()
  const other = makeFolder({ 'other.txt': '' })
  const session = await runtime.sessions.open({ workspace: other })
  expect(await session.call({ toolId: 'ls' })).toMatchObject({ data: 'other.txt  0' })
  expect(await session.call({ toolId: 'bash', args: { command: 'pwd' } })).toMatchObject({ data: other })
  expect(await session.call({ toolId: 'read', args: { path: join(workspace, 'x') } })).toMatchObject({
    error: { code: 'PATH_OUTSIDE_WORKSPACE' },
  })
})
