import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeEvent } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const manifest = (code: string) =>
  `tools:\n  - name: say\n    executor: { type: script, interpreter: python3, code: ${JSON.stringify(code)} }\n`

async function watched(files: Record<string, string>, options = {}) {
  const folder = makeFolder(files)
  const runtime = await makeRuntime(folder, options)
  const events: RuntimeEvent[] = []
  runtime.on('*', event => events.push(event))
  const reloads = () => events.filter(event => event.type === 'dynamic_tool.reload')
  return { folder, runtime, reloads }
}

test('a running call keeps its definition, the next sees the new one, and there is one reload', async () => {
  const { folder, runtime, reloads } = await watched({
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': manifest('import time; time.sleep(0.5); print("old")'),
  })
  await runtime.tools()
  const running = runtime.call({ toolId: 's.say' })
  await new Promise(resolve => setTimeout(resolve, 100))
  writeFileSync(join(folder, 's/tool-manifest.yaml'), manifest('print("new")'))
  expect(await runtime.call({ toolId: 's.say' })).toMatchObject({ data: 'new' })
  expect(await running).toMatchObject({ data: 'old' })
  await runtime.tools()
  expect(reloads()).toMatchObject([{ skills: ['s'] }])
})

test('skills that come and go, and words that change, are seen by the next request', async () => {
  const { folder, runtime, reloads } = await watched({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') })
  expect((await runtime.tools()).map(tool => tool.id)).toEqual(['a', 'b'])
  rmSync(join(folder, 'a'), { recursive: true })
  expect((await runtime.listSkills()).map(skill => skill.id)).toEqual(['b'])
  expect(await runtime.call({ toolId: 'a' })).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
  writeFileSync(join(folder, 'b/SKILL.md'), skillMd('b').replace('Does b.', 'Does better.'))
  expect((await runtime.tools())[0]?.description).toBe('Does better.')
  expect(reloads()).toMatchObject([{ skills: ['a'] }, { skills: ['b'] }])
})

test('a file that was only touched is not a change, and unchanged tools stay the same objects', async () => {
  const { folder, runtime, reloads } = await watched({ 'a/SKILL.md': skillMd('a'), 'a/scripts/x.py': 'print(1)\n' })
  const before = await runtime.tools()
  utimesSync(join(folder, 'a/scripts/x.py'), new Date(), new Date(Date.now() + 5000))
  const after = await runtime.tools()
  expect(after.every((tool, i) => tool === before[i])).toBe(true)
  expect(reloads()).toEqual([])
})

test('where watching is on, a change is told without a request', async () => {
  const { folder, runtime, reloads } = await watched({ 'a/SKILL.md': skillMd('a') }, { watch: true })
  await runtime.tools()
  writeFileSync(join(folder, 'a/SKILL.md'), skillMd('a').replace('Does a.', 'Does more.'))
  await expect.poll(reloads, { timeout: 5000 }).toMatchObject([{ skills: ['a'] }])
})

test('artifacts are written whole, once, and again when a source changes', async () => {
  const { folder, runtime } = await watched({
    's/SKILL.md': skillMd('s'),
    's/scripts/x.py': 'import argparse\np = argparse.ArgumentParser()\np.add_argument("path")\np.parse_args()\n',
    's/tool-manifest.yaml': `${manifest('print(1)')}  - name: bad\n    executor: { type: nothing }\n`,
  })
  expect(await runtime.writeArtifacts()).toMatchObject([{ skill: 's', status: 'written' }])
  const read = (name: string) => JSON.parse(readFileSync(join(folder, 's', name), 'utf8'))
  expect(read('dynamic_tools.json').tools.map((tool: { id: string }) => tool.id)).toEqual(['s', 's.say', 's.x'])
  expect(read('dynamic_tools.report.json')).toMatchObject({
    compiled_ok: 3,
    invalid_tools: 1,
    shadowed_tools: 0,
    diagnostics: [{ code: 'tool-invalid', file: 'tool-manifest.yaml', line: 5 }],
  })
  expect(Object.keys(read('dynamic_tools.lock.json').files)).toEqual(['SKILL.md', 'scripts/x.py', 'tool-manifest.yaml'])
  expect(await runtime.writeArtifacts()).toMatchObject([{ status: 'unchanged' }])
  writeFileSync(join(folder, 's/scripts/x.py'), 'print(2)\n')
  expect(await runtime.writeArtifacts()).toMatchObject([{ status: 'written' }])
  expect(readdirSync(join(folder, 's')).filter(name => name.endsWith('.part'))).toEqual([])
})

test('a folder that cannot be written is told, and the others are written', async () => {
  const { folder, runtime } = await watched({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') })
  await runtime.tools()
  // Also root cannot write a file where a folder stands.
  writeFileSync(join(folder, 'a/keep'), '')
  const blocked = join(folder, 'a/dynamic_tools.json')
  const { mkdirSync } = await import('node:fs')
  mkdirSync(join(blocked, 'x'), { recursive: true })
  expect(await runtime.writeArtifacts()).toMatchObject([
    { skill: 'a', status: 'failed' },
    { skill: 'b', status: 'written' },
  ])
  expect(existsSync(join(folder, 'b/dynamic_tools.lock.json'))).toBe(true)
})

test('dynamic tools can be bound to roles, narrowed by their own, and switched off as a whole', async () => {
  const files = {
    's/SKILL.md': skillMd('s'),
    's/tool-manifest.yaml': `${manifest('print(1)')}    roles: [admin, teacher]\n`,
  }
  const { runtime } = await watched(files, {
    dynamicToolRoles: ['teacher'],
    tools: [{ name: 'static', description: 'Always there.', run: () => 1 }],
  })
  const ids = async (...roles: string[]) => (await runtime.tools({ caller: { id: 'u', roles } })).map(tool => tool.id)
  expect(await ids()).toEqual(['static'])
  expect(await ids('admin')).toEqual(['static'])
  expect(await ids('teacher')).toEqual(['static', 's', 's.say'])
  expect(await runtime.call({ toolId: 's.say' })).toMatchObject({
    error: { code: 'TOOL_NOT_FOUND', message: 'There is no tool "s.say".', hints: [] },
  })
  expect(await runtime.call({ toolId: 's.say', caller: { id: 'u', roles: ['teacher'] } })).toMatchObject({ data: '1' })

  process.env['DYNAMIC_SKILL_TOOLS_ENABLED'] = 'false'
  const off = await makeRuntime(makeFolder(files), { tools: [{ name: 'static', description: '', run: () => 1 }] })
  delete process.env['DYNAMIC_SKILL_TOOLS_ENABLED']
  expect((await off.tools()).map(tool => tool.id)).toEqual(['static'])
})

test('a pipe in a skill is never opened', async () => {
  const folder = makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/scripts/run.sh': 'echo hi\n' })
  for (const place of ['a/pipe', 'a/scripts/pipe.sh']) execFileSync('mkfifo', [join(folder, place)])
  const runtime = await makeRuntime(folder)
  expect((await runtime.getSkillTools('a')).map(tool => tool.name)).toEqual(['run'])
  execFileSync('touch', [join(folder, 'a/pipe')])
  expect(await runtime.call({ toolId: 'a.run' })).toMatchObject({ ok: true })
})

test('files that come and go in folders long untouched are seen, however deep', async () => {
  const { folder, runtime } = await watched({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/run.sh': 'echo hi\n',
    'a/scripts/deep/down.sh': 'echo deep\n',
  })
  const longAgo = new Date(Date.now() - 60_000)
  const age = () => ['a', 'a/scripts', 'a/scripts/deep'].map(path => utimesSync(join(folder, path), longAgo, longAgo))
  const names = async () => (await runtime.getSkillTools('a')).map(tool => tool.name).sort()
  age()
  expect(await names()).toEqual(['deep-down', 'run'])
  writeFileSync(join(folder, 'a/scripts/deep/new.sh'), 'echo new\n')
  expect(await names()).toEqual(['deep-down', 'deep-new', 'run'])
  age()
  expect(await names()).toEqual(['deep-down', 'deep-new', 'run'])
  rmSync(join(folder, 'a/scripts/run.sh'))
  expect(await names()).toEqual(['deep-down', 'deep-new'])
  age()
  expect(await names()).toEqual(['deep-down', 'deep-new'])
  writeFileSync(join(folder, 'a/scripts/deep/new.sh'), '# Prints more.\necho newer\n')
  expect(await runtime.call({ toolId: 'a.deep-new' })).toMatchObject({ data: 'newer' })
})
