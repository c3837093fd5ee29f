import { describe, expect, it } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

const read = (text: string): Inspection =>
  inspectPython({ path: 'x.py', text, language: 'python', sibling: () => undefined })

/** One line a command: `[word] required ?optional=default --flag`. */
const brief = (inspection: Inspection): readonly string[] =>
  inspection.commands.map(({ convention }) =>
    [
      ...convention.command.map(word => `[${word}]`),
      ...convention.parameters.map(({ name, schema, required, pass }) => {
        const shown = 'flags' in pass ? `${pass.flags.join('/')}${pass.as === 'switch' ? '' : ' VALUE'}` : name
        const initial =
          schema['default'] === undefined || pass.as === 'switch' ? '' : `=${JSON.stringify(schema['default'])}`
        return `${required ? '' : '?'}${shown}:${String(schema['type'])}${initial}`
      }),
    ].join(' '),
  )

describe('sys.argv', () => {
  it('takes names, types and counts from the code', () => {
    const inspection = read(`
import sys

def main():
    if len(sys.argv) < 2:
        print("Usage: resize.py <picture> [width] [format]")
        sys.exit(1)
    picture = sys.argv[1]
    width = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    fmt = "png"
    if len(sys.argv) > 3:
        fmt = sys.argv[3]

if __name__ == "__main__":
    main()
`)
    expect(inspection.confidence).toBe('exact')
    expect(brief(inspection)).toEqual(['picture:string ?width:integer=30 ?fmt:string="png"'])
    expect(inspection.commands[0]?.convention.dashes).toBe('pass')
    expect(inspection.commands[0]?.convention.parameters[0]?.line).toBe(8)
  })

  it.each([
    [
      'an exact count',
      'if len(sys.argv) != 3:\n    sys.exit(1)\na = sys.argv[1]\nb = float(sys.argv[2])',
      'a:string b:number',
    ],
    ['unpacking', '_, source, target = sys.argv', 'source:string target:string'],
    ['unpacking item by item', 'key, value = sys.argv[1], int(sys.argv[2])', 'key:string value:integer'],
    ['a list that is only printed', 'name = sys.argv[1]\nprint(name, sys.argv[2:])', 'name:string ?arguments:array'],
    ['printing what is read elsewhere', 'print(sys.argv[1:])\nname = sys.argv[1]', 'name:string'],
    ['unpacking a slice', 'source, target = sys.argv[1:3]', 'source:string target:string'],
    ['a plain index', 'open(sys.argv[1])', 'arg_1:string'],
    ['a list without the name', 'args = sys.argv[1:]\nif not args:\n    sys.exit(2)\nquery = args[0]', 'query:string'],
    ['a caught IndexError', 'try:\n    n = sys.argv[1]\nexcept IndexError:\n    n = "x"\nprint(n)', '?n:string="x"'],
    [
      'usage in the else branch',
      'if len(sys.argv) == 2:\n    run(sys.argv[1])\nelse:\n    print("Usage: x.py FILE")',
      'file:string',
    ],
    ['all words as one text', 'if len(sys.argv) < 2:\n    sys.exit(1)\nquery = " ".join(sys.argv[1:])', 'query:string'],
    ['a loop over all words', 'for path in sys.argv[1:]:\n    print(path.upper())', '?path:array'],
    ['a switch', 'verbose = "--verbose" in sys.argv or "-v" in sys.argv', '?--verbose/-v:boolean'],
    [
      'a flag with a value',
      'top = 5\nif "--top" in sys.argv:\n    at = sys.argv.index("--top")\n    top = int(sys.argv[at + 1])',
      '?--top VALUE:integer=5',
    ],
    [
      'a flag at a fixed place',
      'if len(sys.argv) < 4 or sys.argv[2] != "--path":\n    sys.exit(1)\nname = sys.argv[1]\npath = sys.argv[3]',
      'name:string --path VALUE:string',
    ],
    ['unpacked numbers', 'a, b = map(int, sys.argv[1:3])', 'a:integer b:integer'],
    [
      'all words, counted after they are converted',
      'n = [int(x) for x in sys.argv[1:]]\nif not n:\n    sys.exit(1)',
      'n:array',
    ],
  ])('reads %s', (_, code, expected) => {
    const inspection = read(`import sys\n${code}\n`)
    expect(brief(inspection)).toEqual([expected])
    expect(inspection.notes).toEqual([])
    expect(inspection.confidence).toBe('exact')
  })

  it.each([
    ['nums = [float(x) for x in sys.argv[1:]]\nprint(sum(nums))', 'nums', 'number'],
    ['print(sum(Decimal(t) for t in sys.argv[1:]))', 'arguments', 'string'],
    ['print(sum(map(int, sys.argv[1:])))', 'arguments', 'integer'],
    ['print(max(len(word) for word in sys.argv[1:]))', 'word', 'string'],
    ['values = sorted(map(lambda x: float(x), sys.argv[1:]))', 'values', 'number'],
    ['print([int(x) for x in sys.argv[1:] if x.isdigit()])', 'arguments', 'string'],
  ])('takes all words from %s', (code, name, type) => {
    const inspection = read(`import sys\n${code}\n`)
    expect(inspection.commands[0]?.convention.parameters).toMatchObject([
      { name, schema: { type: 'array', items: { type } }, required: false, pass: { as: 'positional' } },
    ])
    expect(inspection).toMatchObject({ confidence: 'exact', notes: [] })
  })

  it('asks for as many words as the script does', () => {
    const inspection = read(
      'import sys\nnums = [float(x) for x in sys.argv[1:]]\nif len(nums) < 2:\n    sys.exit(1)\nprint(sum(nums))\n',
    )
    expect(inspection.commands[0]?.convention.parameters[0]).toMatchObject({ required: true, schema: { minItems: 2 } })
  })

  it.each([
    'if any(a == "--quiet" for a in sys.argv[1:]):\n    pass',
    'if any(a.startswith("-") for a in sys.argv[1:]):\n    pass',
    'def one(word):\n    return word == "--x"\nprint(list(map(one, sys.argv[1:])))',
  ])('is not sure of words that may be flags: %s', code => {
    expect(read(`import sys\n${code}\n`).confidence).not.toBe('exact')
  })

  it('names arguments after the parameters they are handed to', () => {
    const code =
      'def convert(source, target=None):\n    pass\n\nif len(sys.argv) != 3:\n    raise SystemExit("two")\nconvert(sys.argv[1], sys.argv[2])'
    expect(brief(read(`import sys\n${code}\n`))).toEqual(['source:string target:string'])
  })

  it('makes a command of each word that the script tells apart', () => {
    const inspection = read(`
"""Notes.

Usage:
    notes.py add <text>
    notes.py remove <id>
    notes.py list
"""
import sys

def main(argv=None):
    argv = argv or sys.argv[1:]
    if not argv:
        print(__doc__)
        return 1
    command = argv[0]
    if command == "add" and len(argv) > 1:
        add(" ".join(argv[1:]))
    elif command in ("remove", "rm"):
        if len(argv) < 2:
            sys.exit("Usage: notes.py remove <id>")
        remove(int(argv[1]))
    elif command == "list":
        show()
    else:
        print(f"Unknown command: {command}")
        return 1

if __name__ == "__main__":
    sys.exit(main())
`)
    expect(inspection.confidence).toBe('exact')
    expect(brief(inspection)).toEqual(['[add] text:string', '[remove] id:integer', '[rm] arg_2:integer', '[list]'])
  })

  it('keeps flags typed that a loop reads, and says that there may be more', () => {
    const inspection = read(`
import sys
source = sys.argv[1]
fmt = "json"
i = 2
while i < len(sys.argv):
    if sys.argv[i] == "--format" and i + 1 < len(sys.argv):
        fmt = sys.argv[i + 1]
        i += 2
    elif sys.argv[i] == "--quiet":
        i += 1
`)
    expect(inspection.confidence).toBe('partial')
    expect(brief(inspection)).toEqual(['source:string ?--format VALUE:string="json" ?--quiet:boolean'])
    expect(inspection.commands[0]?.convention).toMatchObject({ open: true, dashes: 'refuse' })
    expect(inspection.notes).toEqual([{ message: 'Arguments are read one by one in a loop.', line: 6 }])
  })

  it('is partial where a flag could be taken for an argument', () => {
    const inspection = read(
      'import sys\nout = sys.argv[1] if len(sys.argv) > 1 else "x"\nquiet = "--quiet" in sys.argv\n',
    )
    expect(inspection.confidence).toBe('partial')
  })

  it('says when the arguments go elsewhere', () => {
    const inspection = read('import subprocess, sys\nsubprocess.run(["soffice", *sys.argv[1:]])\n')
    expect(inspection.confidence).toBe('none')
    expect(inspection.notes[0]?.line).toBe(2)
  })
})

describe('nothing to take', () => {
  const withFiles = (text: string, files: Record<string, string>): Inspection =>
    inspectPython({ path: 'x.py', text, language: 'python', sibling: path => files[path] })

  it.each([
    'print(1)',
    'import os, re\nimport numpy as np\nmodel = re.compile("x")\nnp.save(os.getcwd(), model)',
    'def main():\n    print("input file")\n\nif __name__ == "__main__":\n    main()',
  ])('is a command without parameters: %s', text => {
    const inspection = read(`${text}\n`)
    expect(inspection).toMatchObject({ confidence: 'exact', notes: [] })
    expect(inspection.commands).toMatchObject([{ convention: { command: [], parameters: [], open: false } }])
  })

  it.each([
    'import sys\nprint(sys.argv)',
    'import argparse\nprint(1)',
    'from absl import app\napp.run(lambda _: None)',
    'import optparse; print(1)',
    'ask = input\nprint(ask())',
    'print(open(0).read())',
    'import os\nprint(os.read(0, 9))',
    'exec("x")',
    'import importlib\nprint(importlib.import_module("x"))',
    'from other.cli import run\nrun()',
    'from other import main\nmain()',
    'import unittest\nunittest.main()',
    'import sys\nsys.path.insert(0, "lib")\nimport tool\ntool.run()',
    'from mcp.server import Server\nServer("x").run()',
  ])('stays free-form where there is a sign: %s', text => {
    expect(read(`${text}\n`)).toMatchObject({ confidence: 'none', commands: [] })
  })

  it('looks into what is imported of the skill', () => {
    const text = 'from helper import run\nrun()\n'
    const helper = 'import inner\ndef run():\n    print(inner.X)\n'
    expect(withFiles(text, { 'helper.py': helper, 'inner.py': 'X = 1\n' }).confidence).toBe('exact')
    expect(withFiles(text, { 'helper.py': helper, 'inner.py': 'import sys\nX = sys.argv\n' }).confidence).toBe('none')
  })

  it('offers the function of a script that only defines one', () => {
    expect(read('def main(a: str):\n    return a\n')).toMatchObject({ commands: [], callable: { line: 1 } })
  })
})

describe('conversation', () => {
  it('knows scripts that ask on a terminal', () => {
    const inspection = read(
      'import getpass\n\ndef main():\n    name = input("Name: ")\n    getpass.getpass()\n\nmain()\n',
    )
    expect(inspection.interactive).toBe(true)
    expect(inspection.notes).toEqual([
      { message: 'Asks on the terminal with `input`; there is none.', line: 4, about: 'terminal' },
    ])
  })

  it('knows scripts that read standard input', () => {
    const inspection = read('import json, sys\ndata = json.load(sys.stdin)\nprint(data)\n')
    expect(inspection).toMatchObject({ interactive: false, confidence: 'none' })
    expect(inspection.notes).toEqual([{ message: 'Reads standard input: give it as `data`.', line: 2, about: 'stdin' }])
  })
})
