import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createRuntime, type Json } from '../../src/index.ts'
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

test('state and audit tell of other callers and are not shown, nor is what the program hides', async () => {
  const files = {
    'logs/audit.jsonl': 'secret\n',
    'logs/other.txt': 'secret\n',
    'rooms/ada/note': 'secret\n',
    '.skillwright/x': 'secret\n',
  }
  const workspace = makeFolder(files)
  const hide = [join(workspace, 'rooms')]
  const { runtime, text, error } = await makeWorkspace(
    {},
    { workspace, hide, audit: join(workspace, 'logs/audit.jsonl') },
  )
  symlinkSync('logs/audit.jsonl', join(workspace, 'way'))
  for (const path of ['logs/audit.jsonl', 'way', '.skillwright/x', 'rooms/ada/note'])
    for (const [name, args] of [
      ['read', {}],
      ['grep', { pattern: 'secret' }],
    ] as const)
      expect(await error(name, { path, ...args }), path).toMatchObject({ code: 'PATH_PROTECTED' })
  for (const path of ['.skillwright', 'rooms', 'rooms/ada'])
    for (const [name, args] of [
      ['ls', {}],
      ['glob', { pattern: '**' }],
      ['grep', { pattern: 'x' }],
    ] as const)
      expect(await error(name, { path, ...args }), path).toMatchObject({ code: 'PATH_PROTECTED' })
  expect(await text('grep', { pattern: 'secret' })).toBe('logs/other.txt')
  expect(await text('glob', { pattern: '**' })).toBe('logs/other.txt')

  const session = await runtime.sessions.open({ workspace: join(workspace, 'rooms/ada') })
  expect(await session.call({ toolId: 'read', args: { path: 'note' } })).toMatchObject({ ok: true })
})

test('a session may work in a folder among the state, and change what is there', async () => {
  const { runtime, workspace } = await makeWorkspace({
    '.skillwright/workspaces/one/a.txt': 'a',
    '.skillwright/audit': '',
  })
  const session = await runtime.sessions.open({ workspace: join(workspace, '.skillwright/workspaces/one') })
  const call = (toolId: string, args: Json) => session.call({ toolId, args })
  expect(await call('write', { path: 'b/c.txt', content: 'x' })).toMatchObject({ data: 'Created b/c.txt (1 bytes).' })
  expect(await call('edit', { path: 'a.txt', old_string: 'a', new_string: 'b' })).toMatchObject({ ok: true })
  expect(await call('grep', { pattern: 'b|x' })).toMatchObject({ data: 'a.txt\nb/c.txt' })
  expect(await call('write', { path: '../../audit', content: '' })).toMatchObject({
    error: { code: 'PATH_OUTSIDE_WORKSPACE' },
  })
})

test('the rest of a long output is read by its name, also from another workspace, and by nothing else', async () => {
  const { runtime } = await makeWorkspace()
  const session = await runtime.sessions.open({ workspace: makeFolder() })
  const { meta } = await session.call({ toolId: 'bash', args: { command: 'seq 1 100000' } })
  const path = meta.outputFile!
  const call = (toolId: string, args: Json) => session.call({ toolId, args })
  expect(await call('read', { path, offset: 50_000, limit: 1 })).toMatchObject({
    data: expect.stringContaining(' 50000\t50000'),
  })
  expect(await call('grep', { path, pattern: '^77777$', output_mode: 'content' })).toMatchObject({ ok: true })
  expect(await call('write', { path, content: '' })).toMatchObject({ ok: false })
  for (const other of [dirname(path), `${path}x`])
    expect(await call('read', { path: other })).toMatchObject({
      error: { hints: [expect.stringMatching(/^The work/)] },
    })
  expect(await runtime.call({ toolId: 'ls', args: { path: dirname(path) } })).toMatchObject({
    error: { code: 'PATH_PROTECTED' },
  })
})
