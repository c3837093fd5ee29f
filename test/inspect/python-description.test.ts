import { describe, expect, test } from 'vitest'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

const inspect = (text: string) =>
  inspectPython({ path: 'script.py', text, language: 'python', sibling: () => undefined })

describe('the description of a Python script', () => {
  test('is the first paragraph of the module docstring, in one line', () => {
    const text = '#!/usr/bin/env python3\n"""\nResize images\nin place.\n\nUsage: x.py\n"""\nprint(1)\n'
    expect(inspect(text).description).toBe('Resize images in place.')
  })

  test('is the docstring of main when the module has none', () => {
    const text = 'def main(input_path: str):\n """Process a file and return results."""'
    expect(inspect(text).description).toBe('Process a file and return results.')
  })

  test('is the leading comment block when there is no docstring, without shebang, licence and metadata', () => {
    const text = [
      '#!/usr/bin/env python3',
      '# -*- coding: utf-8 -*-',
      '# Copyright 2024 Someone',
      '#',
      '# /// script',
      '# dependencies = ["x"]',
      '# ///',
      '',
      '# Counts words',
      '# in a file.',
      '',
      'import sys',
      'print(sys.argv)',
    ].join('\n')
    expect(inspect(text).description).toBe('Counts words in a file.')
  })

  test('is cut at a word when it is long', () => {
    const description = inspect(`"""${'word '.repeat(100)}"""`).description ?? ''
    expect(description.length).toBeLessThanOrEqual(256)
    expect(description).toMatch(/word…$/)
  })

  test('is absent when nobody wrote one', () => {
    expect(inspect('import sys\nprint(1)\n').description).toBeUndefined()
  })
})

describe('whether a Python file runs', () => {
  test.each([
    ['a main guard', 'import x\nif __name__ == "__main__":\n    x.go()\n'],
    ['a call at top level', 'import x\nx.go()\n'],
    ['a main function alone', 'def main():\n    pass\n'],
    ['a loop that prints', 'for i in range(3):\n    print(i)\n'],
  ])('it does with %s', (_, text) => {
    expect(inspect(text).runs).toBe(true)
  })

  test.each([
    ['definitions only', '"""Doc."""\nimport os\nX = 1\ndef f(): return 1\nclass A: pass\n__all__ = ["f"]\n'],
    ['guarded imports', 'try:\n    import y\nexcept ImportError:\n    print("no y")\n    raise\n'],
    ['type imports', 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import z\n'],
    ['path set-up', 'import sys\nsys.path.insert(0, ".")\nfrom a import b\n'],
    ['nothing at all', ''],
  ])('it does not with %s', (_, text) => {
    expect(inspect(text).runs).toBe(false)
  })
})

describe('sources that cannot be read', () => {
  test.each([
    ['binary bytes', '\u0000\u0001PK\u0003\u0004'],
    ['invalid UTF-8', 'print("\uFFFD")'],
    ['a syntax error', 'def f(:\n  pass\n'],
    ['a megabyte', 'x = 1\n'.repeat(170_000)],
    ['absurd nesting', `x = ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`],
  ])('%s give a note and a free-form tool', (_, text) => {
    const inspection = inspect(text)
    expect(inspection.confidence).toBe('none')
    expect(inspection.commands).toEqual([])
    expect(inspection.notes).toHaveLength(1)
    expect(inspection.runs).toBe(true)
  })

  test('valid Python that the grammar does not know is not called broken', () => {
    const text = 'x = 400.\nwith (open("a") as a,\n      open("b") as b):\n    pass\nprint(x)\n'
    expect(inspect(text).notes).toEqual([])
  })
})
