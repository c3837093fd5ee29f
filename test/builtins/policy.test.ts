import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'
import { makeWorkspace } from './support.ts'

test('bash runs in the sandbox of its policy', async () => {
  const { run, workspace } = await makeWorkspace()
  const outside = makeFolder()
  const result = await run('bash', {
    command: `echo x > ok.txt; echo x > ${outside}/evil.txt; echo x > skillwright.yaml; true`,
  })
  expect(result.meta.ranUnder).toMatchObject({ policy: 'balanced', sandbox: 'bubblewrap' })
  expect(existsSync(join(workspace, 'ok.txt'))).toBe(true)
  expect(existsSync(join(outside, 'evil.txt'))).toBe(false)
  expect(existsSync(join(workspace, 'skillwright.yaml'))).toBe(false)
})

test('what the policy does not let programs write, built-ins do not write either', async () => {
  const { error, text } = await makeWorkspace({ 'a.txt': 'a' }, { policy: 'strict' })
  expect(await error('write', { path: 'b.txt', content: 'x' })).toMatchObject({ code: 'PATH_PROTECTED' })
  expect(await error('edit', { path: 'a.txt', old_string: 'a', new_string: 'b' })).toMatchObject({
    code: 'PATH_PROTECTED',
  })
  expect(await text('read', { path: 'a.txt' })).toBe('     1\ta')
})

test('a skill that is handed over runs at strict, whatever rule has its name', async () => {
  const { runtime, workspace } = await makeWorkspace({}, { policies: [{ skill: 'pets', policy: 'permissive' }] })
  const tool =
    'tools:\n  - { name: cats, description: x, backend: { type: script, interpreter: bash, script: "echo x > evil; pwd" } }\n'
  const session = await runtime.sessions.open()
  await session.useSkill('pets', { content: skillMd('pets', tool) })
  const result = await session.call({ toolId: 'pets.cats' })
  expect(result.meta.ranUnder).toMatchObject({ policy: 'strict', sandbox: 'bubblewrap' })
  expect(existsSync(join(workspace, 'evil'))).toBe(false)
})
