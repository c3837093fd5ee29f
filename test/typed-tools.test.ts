// Typed tools end to end: what is read from a script is what reaches it, in real interpreters.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from './support/folders.ts'

async function runtimeWith(scripts: Record<string, string>, body?: string) {
  const files = Object.entries(scripts).map(([name, text]) => [`s/scripts/${name}`, text])
  return makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s', '', body), ...Object.fromEntries(files) }))
}

const ARGPARSE = `
"""Convert a file."""
import argparse, json
parser = argparse.ArgumentParser()
parser.add_argument("source", help="what to read")
parser.add_argument("--name", "-n", default="x")
parser.add_argument("--count", type=int)
parser.add_argument("--ratio", type=float)
parser.add_argument("--mode", choices=["fast", "safe"], default="safe")
parser.add_argument("--tag", action="append")
parser.add_argument("--files", nargs="*")
parser.add_argument("-v", "--verbose", action="count", default=0)
parser.add_argument("--dry-run", action="store_true")
parser.add_argument("--color", action=argparse.BooleanOptionalAction, default=True)
print(json.dumps(vars(parser.parse_args())))
`

test('an argparse script is a typed tool, and awkward values reach it as they are', async () => {
  const runtime = await runtimeWith({ 'convert.py': ARGPARSE })
  const [tool] = await runtime.getSkillTools('s')
  expect(tool).toMatchObject({
    description: 'Convert a file.',
    inputSchema: {
      required: ['source'],
      additionalProperties: false,
      properties: {
        source: { type: 'string', description: 'what to read' },
        count: { type: 'integer' },
        mode: { enum: ['fast', 'safe'], default: 'safe' },
        tag: { type: 'array' },
      },
    },
    reading: { confidence: 'exact', from: 'source' },
  })
  for (const text of ['', '-x', '--name', 'a b', `q"'\\`, 'line\nend', 'ü 漢 🙂', '$(id)', '-5']) {
    const args = {
      source: text,
      name: text,
      tag: [text, 'b'],
      count: -7,
      ratio: -0.5,
      mode: 'fast',
      verbose: 2,
      color: false,
    }
    const result = await runtime.call({ toolId: 's.convert', args })
    expect(result.ok && JSON.parse(String(result.data))).toMatchObject(args)
  }
  const files = await runtime.call({ toolId: 's.convert', args: { source: '-s', files: ['a', 'b'], dry_run: true } })
  expect(files.ok && JSON.parse(String(files.data))).toMatchObject({ source: '-s', files: ['a', 'b'], dry_run: true })
  expect(await runtime.call({ toolId: 's.convert', args: { source: 's', files: ['a', '--name'] } })).toMatchObject({
    error: { code: 'INVALID_ARGS', message: expect.stringContaining('files: "--name" begins with "-"') },
  })
})

test('each sub-command is a tool of its own', async () => {
  const script = `
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--root", default=".")
commands = parser.add_subparsers(dest="command", required=True)
add = commands.add_parser("add", help="Add an item.")
add.add_argument("item")
commands.add_parser("list", help="List all items.")
args = parser.parse_args()
print(args)
`
  const runtime = await runtimeWith({ 'store.py': script })
  const tools = await runtime.getSkillTools('s')
  expect(tools.map(tool => [tool.id, tool.description])).toEqual([
    ['s.store-add', 'Add an item.'],
    ['s.store-list', 'List all items.'],
  ])
  const result = await runtime.call({ toolId: 's.store-add', args: { root: '/r', item: '-i' } })
  expect(result).toMatchObject({ ok: true, data: "Namespace(root='/r', command='add', item='-i')" })
})

test('exclusive options are told to the model and kept', async () => {
  const script = `
import argparse
parser = argparse.ArgumentParser()
group = parser.add_mutually_exclusive_group(required=True)
group.add_argument("--url")
group.add_argument("--file")
print(parser.parse_args())
`
  const runtime = await runtimeWith({ 'x.py': script })
  const [tool] = await runtime.getSkillTools('s')
  expect(tool?.inputSchema).toMatchObject({ properties: { url: { description: 'Give exactly one of url, file.' } } })
  const both = await runtime.call({ toolId: 's.x', args: { url: 'u', file: 'f' } })
  expect(both).toMatchObject({ error: { code: 'INVALID_ARGS', message: 'Give only one of url, file.' } })
})

test('shell, JavaScript and functions take typed arguments too', async () => {
  const runtime = await runtimeWith({
    'greet.sh': '#!/bin/bash\nname="${1:?who}"\ngreeting="${2:-hello}"\necho "$greeting, $name"\n',
    'sum.mjs': `import { parseArgs } from 'node:util'
const { values } = parseArgs({ options: { a: { type: 'string' }, loud: { type: 'boolean' } } })
console.log(values.a, values.loud ?? false)\n`,
    'area.py':
      'def main(width: float, height: float = 2.0) -> float:\n    """Area of a rectangle.\n\n    Args:\n        width: in metres\n    """\n    return width * height\n',
  })
  const call = async (toolId: string, args: object) => {
    const result = await runtime.call({ toolId, args })
    return result.ok ? result.data : result.error
  }
  expect(await call('s.greet', { name: '--x' })).toBe('hello, --x')
  expect(await call('s.greet', { name: 'Ada', greeting: 'good day' })).toBe('good day, Ada')
  expect(await call('s.sum', { a: '-1', loud: true })).toBe('-1 true')
  expect(await call('s.area', { width: 3 })).toBe('6.0')
  const area = (await runtime.tools()).find(tool => tool.id === 's.area')
  expect(area?.inputSchema).toMatchObject({ required: ['width'], properties: { width: { type: 'number' } } })
})

test('what SKILL.md shows stands in for a script that tells nothing', async () => {
  const runtime = await runtimeWith(
    { 'x.py': 'import sys, other\nother.run(sys.argv)\n' },
    'Run `python scripts/x.py --in FILE --fast`.\n',
  )
  const [tool] = await runtime.getSkillTools('s')
  expect(tool?.reading).toMatchObject({ confidence: 'partial', from: 'skill-body', line: 5 })
  expect(Object.keys(tool?.inputSchema['properties'] as object)).toEqual(['in', 'fast', 'arguments'])
})

test('sources that cannot be read are free-form tools with a diagnostic', async () => {
  const folder = makeFolder({
    's/SKILL.md': skillMd('s'),
    's/scripts/broken.py': 'import sys\nprint((sys.argv[1])\n',
    's/scripts/deep.py': `import sys\nprint(sys.argv${'('.repeat(20_000)}${')'.repeat(20_000)})\n`,
  })
  writeFileSync(join(folder, 's/scripts/binary.py'), Buffer.from([0, 1, 2, 255, 254, 0, 10, 0]))
  writeFileSync(
    join(folder, 's/scripts/latin.py'),
    Buffer.from('# caf\xe9\nimport sys\nprint(sys.argv[1])\n', 'latin1'),
  )
  writeFileSync(join(folder, 's/scripts/long.py'), `print("x")\n${'# filler\n'.repeat(120_000)}`)
  const runtime = await makeRuntime(folder)
  const tools = await runtime.getSkillTools('s')
  expect(tools.map(tool => tool.name)).toEqual(['binary', 'broken', 'deep', 'latin', 'long'])
  const { diagnostics } = await runtime.report()
  const about = diagnostics.filter(one => one.code === 'script-unreadable').map(one => one.file.split('/').at(-1))
  expect(about).toEqual(expect.arrayContaining(['binary.py', 'broken.py', 'deep.py']))
  expect(tools.find(tool => tool.name === 'broken')?.reading?.confidence).toBe('none')
})

test('what is missing is told before the call and at the call', async () => {
  const runtime = await runtimeWith({
    'x.py': 'import skillwright_missing_module as m\nprint(m)\n',
    'y.sh': '#!/bin/bash\nset -e\nskillwright-missing-program --version\n',
    'z.mjs': `import thing from 'skillwright-missing-package'\nconsole.log(thing)\n`,
  })
  const { diagnostics } = await runtime.report()
  const missing = diagnostics.filter(one => one.code === 'requirement-missing')
  expect(missing.map(one => [one.line, one.hint])).toEqual(
    expect.arrayContaining([
      [1, 'Run: python3 -m pip install skillwright_missing_module'],
      [1, "Run in the skill's folder: npm install skillwright-missing-package"],
    ]),
  )
  for (const [id, name] of [
    ['s.x', 'module skillwright_missing_module'],
    ['s.y', 'program skillwright-missing-program'],
    ['s.z', 'module skillwright-missing-package'],
  ])
    expect(await runtime.call({ toolId: id! })).toMatchObject({
      error: { code: 'REQUIREMENT_MISSING', message: expect.stringContaining(`needs the ${name}`) },
    })
})

test('a typed Python script that reads stdin takes it as `data`', async () => {
  const runtime = await runtimeWith({
    'count.py': `import argparse, sys
parser = argparse.ArgumentParser()
parser.add_argument("--unit", choices=["lines", "words"], default="lines")
args = parser.parse_args()
text = sys.stdin.read()
print(len(text.splitlines() if args.unit == "lines" else text.split()), args.unit)
`,
    'plain.py': `import argparse, sys
sys.stdin.reconfigure(encoding="utf-8")
parser = argparse.ArgumentParser()
parser.add_argument("--loud", action="store_true")
args = parser.parse_args()
print(args.loud and sys.stdin.isatty())
`,
  })
  const tools = await runtime.getSkillTools('s')
  expect(tools.map(tool => Object.keys(tool.inputSchema['properties'] as object))).toEqual([['unit', 'data'], ['loud']])
  const counted = await runtime.call({ toolId: 's.count', args: { unit: 'words', data: 'one two\nthree' } })
  expect(counted).toMatchObject({ ok: true, data: '3 words' })
  const freely = await runtime.call({ toolId: 's.count', args: { arguments: '--unit words', data: 'one two' } })
  expect(freely).toMatchObject({ ok: true, data: '2 words' })
})

test('what a script wants besides its arguments is no gap in the reading', async () => {
  const runtime = await runtimeWith({
    'ask.py': 'name = input("Name? ")\nprint(name)\n',
    'send.sh': '#!/bin/bash\nkey="${SEND_KEY:?set SEND_KEY}"\necho "$1" "$key"\n',
    'stdin.py': 'import sys\nprint(sys.stdin.read())\n',
  })
  const { diagnostics } = await runtime.report()
  expect(diagnostics.map(({ code, line, file }) => [code, line, file.split('/').at(-1)])).toEqual([
    ['script-interactive', 1, 'ask.py'],
    ['variable-needed', 2, 'send.sh'],
  ])
  const asked = await runtime.call({ toolId: 's.ask', args: {} })
  expect(asked).toMatchObject({ ok: false, error: { code: 'SCRIPT_FAILED' } })
  expect(!asked.ok && asked.error.message).toBe(
    'scripts/ask.py asks questions on a terminal, and nobody answers there.',
  )
})
