import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRuntime } from '../../src/index.ts'
import { makeFolder, skillMd } from '../support/folders.ts'
import { makeWorkspace } from './support.ts'

test('what steers Skillwright and other programs is read but not changed, whether it exists or not', async () => {
  const { text, error, workspace } = await makeWorkspace(
    { 'skills/s/SKILL.md': skillMd('s'), 'skillwright.yaml': 'x: 1\n', '.git/config': '[core]\n' },
    { defaultSources: true, audit: 'audit.jsonl' },
  )
  await text('ls', {})
  const places = [
    ...['skillwright.yaml', 'sub/skillwright.yaml', 'SKILLWRIGHT.YML', '.skillwright/audit.jsonl', '.skillwright/new'],
    ...['skills/s/SKILL.md', 'skills/new/SKILL.md', '.claude/skills/new/SKILL.md', '.claude/settings.json'],
    ...[
      '.agents/x',
      '.git/config',
      '.git/hooks/pre-commit',
      'sub/.git/hooks/post-checkout',
      '.mcp.json',
      '.vscode/tasks.json',
    ],
  ]
  for (const path of places)
    expect(await error('write', { path, content: 'evil' }), path).toMatchObject({ code: 'PATH_PROTECTED' })
  expect(await error('edit', { path: 'skillwright.yaml', old_string: 'x', new_string: 'y' })).toMatchObject({
    code: 'PATH_PROTECTED',
  })
  expect(await text('read', { path: 'skills/s/SKILL.md' })).toContain('name: s')
  expect(await text('read', { path: '.skillwright/audit.jsonl' })).toContain('dynamic_tool.call')

  symlinkSync('skills', join(workspace, 'way'))
  expect(await error('write', { path: 'way/s/SKILL.md', content: 'evil' })).toMatchObject({ code: 'PATH_PROTECTED' })
  linkSync(join(workspace, 'skillwright.yaml'), join(workspace, 'copy'))
  await text('write', { path: 'copy', content: 'evil' })
  expect(readFileSync(join(workspace, 'skillwright.yaml'), 'utf8')).toBe('x: 1\n')
})

test('a source that is a link is protected where it leads', async () => {
  const workspace = makeFolder({ 'real/s/SKILL.md': skillMd('s') })
  mkdirSync(join(workspace, 'l'))
  symlinkSync('../real', join(workspace, 'l/source'))
  const { error } = await makeWorkspace({}, { workspace, sources: [join(workspace, 'l/source')] })
  expect(await error('write', { path: 'real/s/SKILL.md', content: '' })).toMatchObject({ code: 'PATH_PROTECTED' })
})

test('built-ins are there when asked for, and no skill takes their names', async () => {
  const files = {
    's/SKILL.md': skillMd(
      's',
      'tools:\n  - name: read\n    description: x\n    backend: { type: script, interpreter: bash, script: echo }\n',
    ),
  }
  const { runtime } = await makeWorkspace({}, { builtins: ['read', 'ls'], sources: [makeFolder(files)] })
  expect((await runtime.tools()).map(tool => tool.id)).toEqual(['read', 'ls', 's'])
  expect((await runtime.report()).tools).toContainEqual(expect.objectContaining({ id: 's.read', status: 'shadowed' }))
  expect(await runtime.discovery.list({ path: ['workspace'] })).toMatchObject({
    tools: [{ tool_id: 'ls' }, { tool_id: 'read' }],
  })
  const without = await makeWorkspace({}, { builtins: false })
  expect(await without.runtime.tools()).toEqual([])
  await expect(createRuntime({ builtins: ['rm' as 'read'] })).rejects.toThrow('builtins: there is no "rm"')
})
