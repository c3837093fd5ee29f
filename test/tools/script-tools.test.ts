import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const PYTHON = 'print("x")\n'

async function compile(files: Record<string, string>, prepare: (folder: string) => void = () => {}) {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), ...files })
  prepare(folder)
  const runtime = await makeRuntime(folder)
  const tools = (await runtime.getSkillTools('s')).map(tool => tool.id)
  const report = await runtime.report()
  return { tools, report, leftOut: Object.fromEntries(report.leftOut.map(one => [one.file, one.reason])) }
}

test('files that are no tools are in the report, each with its reason', async () => {
  const { tools, leftOut } = await compile({
    's/scripts/run.py': PYTHON,
    's/scripts/utils/parse.py': PYTHON,
    's/scripts/tool': '#!/usr/bin/env python3\nprint(1)\n',
    's/scripts/notes': 'no shebang\n',
    's/scripts/data.json': '{}',
    's/scripts/__init__.py': '',
    's/scripts/_private.py': PYTHON,
    's/scripts/test_run.py': PYTHON,
    's/scripts/tests/all.sh': 'echo\n',
    's/scripts/types.d.ts': 'export type A = 1',
    's/scripts/lib.py': 'import os\n\ndef helper():\n    return 1\n',
    's/scripts/lib.mjs': 'export const a = () => 1\n',
    's/scripts/lib.sh': 'greet() {\n  echo hi\n}\n',
    's/scripts/1/2/3/4/5/deep.py': PYTHON,
    's/scripts/1/2/3/4/5/6/deeper.py': PYTHON,
    's/scripts/inner/SKILL.md': skillMd('inner'),
    's/scripts/inner/theirs.py': PYTHON,
    's/root.py': PYTHON,
  })
  expect(tools.sort()).toEqual(['s.1-2-3-4-5-deep', 's.run', 's.tool', 's.utils-parse'])
  expect(leftOut).toEqual({
    'scripts/notes': 'data-file',
    'scripts/data.json': 'data-file',
    'scripts/__init__.py': 'init-file',
    'scripts/_private.py': 'private',
    'scripts/test_run.py': 'test',
    'scripts/tests/all.sh': 'test',
    'scripts/types.d.ts': 'type-declaration',
    'scripts/lib.py': 'library-module',
    'scripts/lib.mjs': 'library-module',
    'scripts/lib.sh': 'library-module',
    'scripts/1/2/3/4/5/6/deeper.py': 'too-deep',
    'root.py': 'not-in-scripts',
  })
})

test('without a scripts folder the scripts at the root are tools', async () => {
  const { tools, report } = await compile({ 's/go.sh': 'echo\n', 's/README.md': '', 's/LICENSE': '' })
  expect(tools).toEqual(['s.go'])
  expect(report.leftOut).toEqual([])
})

test('platform variants are one tool, other languages are their own', async () => {
  const { tools, leftOut } = await compile({
    's/scripts/x.sh': 'echo\n',
    's/scripts/x.cmd': 'echo\n',
    's/scripts/x.cjs': 'console.log(1)\n',
    's/scripts/y.sh': 'echo\n',
    's/scripts/y.ps1': 'echo\n',
    's/scripts/z.py': PYTHON,
    's/scripts/z.sh': 'echo\n',
    's/scripts/w.bat': 'echo\n',
  })
  expect(tools.sort()).toEqual(['s.x', 's.y', 's.z', 's.z-py'])
  expect(leftOut).toEqual({
    'scripts/x.cmd': 'platform-variant',
    'scripts/x.cjs': 'platform-variant',
    'scripts/y.ps1': 'platform-variant',
    'scripts/w.bat': 'windows-only',
  })
})

test('names that would meet are told apart', async () => {
  const { tools, report } = await compile({
    's/scripts/a/b.py': PYTHON,
    's/scripts/a-b.py': PYTHON,
    's/scripts/a b.py': PYTHON,
  })
  expect(new Set(tools).size).toBe(3)
  expect(report.diagnostics.map(one => one.code)).toContain('tool-renamed')
})

test('a setuid file and a link out of the skill are refused, each with its own code', async () => {
  const outside = makeFolder({ 'x.sh': 'echo\n' })
  const { tools, report, leftOut } = await compile(
    { 's/scripts/ok.sh': 'echo\n', 's/scripts/suid.sh': 'echo\n', 's-evil/x.sh': 'echo\n' },
    folder => {
      chmodSync(join(folder, 's/scripts/suid.sh'), 0o4755)
      symlinkSync(join(outside, 'x.sh'), join(folder, 's/scripts/out.sh'))
      symlinkSync(join(folder, 's-evil/x.sh'), join(folder, 's/scripts/evil.sh'))
      symlinkSync('gone.sh', join(folder, 's/scripts/broken.sh'))
    },
  )
  expect(tools).toEqual(['s.ok'])
  expect(leftOut).toEqual({
    'scripts/suid.sh': 'setuid',
    'scripts/out.sh': 'link-outside',
    'scripts/evil.sh': 'link-outside',
    'scripts/broken.sh': 'link-broken',
  })
  const invalid = report.tools.filter(tool => tool.status === 'invalid')
  expect(invalid.map(tool => `${tool.id} ${tool.reason?.split(':')[0]}`).sort()).toEqual([
    's.evil LINK_OUTSIDE_SKILL',
    's.out LINK_OUTSIDE_SKILL',
    's.suid SETUID_SCRIPT',
  ])
  const about = (file: string) => report.diagnostics.filter(one => one.file.endsWith(file)).map(one => one.code)
  expect([about('out.sh'), about('evil.sh'), about('suid.sh'), about('broken.sh')]).toEqual([
    ['link-outside'],
    ['script-refused'],
    ['script-refused'],
    ['link-broken'],
  ])
})

test('a prompt that models may not invoke is no tool, its scripts are', async () => {
  const folder = makeFolder({
    'p/SKILL.md': skillMd('p', 'disable-model-invocation: true\n'),
    'p/scripts/a.sh': 'echo\n',
  })
  const runtime = await makeRuntime(folder)
  expect((await runtime.tools()).map(tool => tool.id)).toEqual(['p.a'])
  expect(await runtime.invokeSkill('p')).toContain('# p')
})

test('a script whose interpreter is missing is a diagnostic before the call', async () => {
  const { report } = await compile({ 's/scripts/a': '#!/usr/bin/env no-such-program\n' })
  expect(report.diagnostics).toMatchObject([
    { code: 'interpreter-missing', message: expect.stringContaining('no-such-program') },
  ])
})
