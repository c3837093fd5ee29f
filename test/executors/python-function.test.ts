import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildPythonFunction } from '../../src/executors/python-function.ts'
import type { Json, PythonFunction } from '../../src/types.ts'

const folder = mkdtempSync(join(tmpdir(), 'python-function-'))
afterAll(() => rmSync(folder, { recursive: true }))

const call = (text: string, args: { readonly [name: string]: Json }): string => {
  const path = join(folder, 'script.py')
  writeFileSync(path, text)
  writeFileSync(join(folder, 'helper.py'), 'WORD = "hello"\n')
  const parameters = Object.keys(args).map(name => ({ name, schema: {}, required: true, line: 1 }))
  const convention: PythonFunction = { type: 'python-function', function: 'main', parameters }
  const { launcher = [], argv, stdin } = buildPythonFunction(convention, args)
  const words = [...launcher, path, ...argv]
  const run = spawnSync('python3', [...words], { input: stdin, encoding: 'utf8' })
  return run.stdout + run.stderr
}

test('the result of the function is printed, as JSON unless it is a text', () => {
  const text = 'def main(n: int, names: list):\n    return {"n": n + 1, "names": names}\n'
  expect(JSON.parse(call(text, { n: 2, names: ['ä', '-x'] }))).toEqual({ n: 3, names: ['ä', '-x'] })
  expect(call('from helper import WORD\nasync def main(who):\n    return f"{WORD} {who}"\n', { who: '--you' })).toBe(
    'hello --you\n',
  )
  expect(call('def main(x):\n    pass\n', { x: null })).toBe('')
})

test('texts become paths and enum members where the function wants them', () => {
  const text = `
from __future__ import annotations
import enum
from pathlib import Path
from typing import Optional

class Mode(enum.Enum):
    FAST = "fast"

def main(path: Optional[Path], mode: Mode):
    return f"{path.name} {mode.name}"
`
  expect(call(text, { path: '/a/b.txt', mode: 'fast' })).toBe('b.txt FAST\n')
})
