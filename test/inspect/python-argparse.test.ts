import { describe, expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'
import type { ScriptParameter } from '../../src/types.ts'

function inspect(text: string, siblings: Readonly<Record<string, string>> = {}): Inspection {
  return inspectPython({ path: 'x.py', text, language: 'python', sibling: file => siblings[file] })
}

/** A script whose parser `p` gets the given lines. */
function script(...lines: readonly string[]): string {
  return ['import argparse, os, sys', 'p = argparse.ArgumentParser()', ...lines, 'p.parse_args()', ''].join('\n')
}

function parameters(inspection: Inspection): readonly ScriptParameter[] {
  return inspection.commands[0]?.convention.parameters ?? []
}

/** The only parameter of a script with one `add_argument` call, read with certainty. */
function only(call: string, ...before: readonly string[]): ScriptParameter {
  const inspection = inspect(script(...before, `p.add_argument(${call})`))
  expect(inspection.notes).toEqual([])
  expect(inspection.confidence).toBe('exact')
  const [parameter, ...others] = parameters(inspection)
  expect(others).toEqual([])
  if (!parameter) throw new Error('no parameter was read')
  return parameter
}

function names(inspection: Inspection): string[] {
  return parameters(inspection).map(parameter => parameter.name)
}

describe('names and flags', () => {
  test.each([
    ["'path'", 'path', []],
    ["'in-file'", 'in-file', []],
    ["'--out-file', '-o'", 'out_file', ['--out-file', '-o']],
    ["'-o', '--out-file'", 'out_file', ['--out-file', '-o']],
    ["'-x'", 'x', ['-x']],
    ["'-name'", 'name', ['-name']],
    ["'--a', dest='b'", 'b', ['--a']],
    ["dest='b'", 'b', []],
  ])('%s', (call, name, flags) => {
    const { name: read, pass } = only(call)
    expect([read, 'flags' in pass ? pass.flags : []]).toEqual([name, flags])
  })

  test('a positional is required, an option is not unless it says so', () => {
    expect(only("'a'").required).toBe(true)
    expect(only("'a', nargs='?'").required).toBe(false)
    expect(only("'a', nargs='*'").required).toBe(false)
    expect(only("'a', nargs='+'").required).toBe(true)
    expect(only("'--a'").required).toBe(false)
    expect(only("'--a', required=True").required).toBe(true)
  })

  test('arguments that share a dest are told apart by their flags', () => {
    const read = inspect(
      script(
        "p.add_argument('--on', dest='x', action='store_true')",
        "p.add_argument('--off', dest='x', action='store_false')",
      ),
    )
    expect(names(read)).toEqual(['on', 'off'])
  })

  test('help and version are no parameters', () => {
    const read = inspect(
      script("p.add_argument('--version', action='version', version='1')", "p.add_argument('-?', action='help')"),
    )
    expect([names(read), read.confidence]).toEqual([[], 'exact'])
  })

  test('the line of the declaration and the help are kept', () => {
    const parameter = only("'--n', type=int, default=3, help='How many (default: %(default)s), 100%% sure'")
    expect(parameter.line).toBe(3)
    expect(parameter.schema['description']).toBe('How many (default: 3), 100% sure')
  })
})

describe('types', () => {
  const POSITIVE = [
    'def positive(v):',
    '    n = int(v)',
    '    if n < 1:',
    "        raise argparse.ArgumentTypeError('positive')",
    '    return n',
  ]
  const BOOLEAN = [
    'def boolean(v):',
    "    if v.lower() in ('yes', 'true', '1'): return True",
    "    if v.lower() in ('no', 'false', '0'): return False",
    "    raise argparse.ArgumentTypeError('boolean')",
  ]
  const NUMBER_OR_TEXT = [
    'def either(v):',
    '    try:',
    '        return int(v)',
    '    except ValueError:',
    '        return v',
  ]
  test.each([
    ['int', [], 'integer'],
    ['float', [], 'number'],
    ['str', [], 'string'],
    ['str.lower', [], 'string'],
    ['bool', [], 'boolean'],
    ['Path', ['from pathlib import Path'], 'string'],
    ["argparse.FileType('r')", [], 'string'],
    ["lambda s: s.split(',')", [], 'string'],
    ["lambda s: s == 'true'", [], 'boolean'],
    ['positive', POSITIVE, 'integer'],
    ['boolean', BOOLEAN, 'boolean'],
    ['either', NUMBER_OR_TEXT, 'string'],
    ['somewhere.convert', ['import somewhere'], 'string'],
  ])('%s', (type, before, expected) => {
    expect(only(`'--a', type=${type}`, ...before).schema['type']).toBe(expected)
  })

  test('a boolean that is a word says which words', () => {
    expect(only("'--a', type=boolean", ...BOOLEAN).pass).toMatchObject({ as: 'option', words: ['true', 'false'] })
    expect(only("'a', type=bool").pass).toEqual({ as: 'positional', words: ['True', ''] })
  })
})

describe('choices', () => {
  const COLOURS = ['import enum', 'class Colour(enum.Enum):', "    RED = 'r'", "    BLUE = 'b'"]
  test.each([
    ["['a', 'b']", [], ['a', 'b']],
    ['FORMATS', ["FORMATS = ('a', 'b')"], ['a', 'b']],
    ['TABLE', ["TABLE = {'a': 1, 'b': 2}"], ['a', 'b']],
    ['list(TABLE.keys())', ["TABLE = {'a': 1, 'b': 2}"], ['a', 'b']],
    ['sorted(TABLE)', ["TABLE = {'b': 1, 'a': 2}"], ['a', 'b']],
    ["[*TABLE, 'all']", ["TABLE = {'a': 1}"], ['a', 'all']],
    ['range(1, 4), type=int', [], [1, 2, 3]],
    ["[n.upper() for n in ('a', 'b') if n != 'b']", [], ['A']],
    ['[c.value for c in Colour]', COLOURS, ['r', 'b']],
    ['list(Colour), type=Colour', COLOURS, ['r', 'b']],
    ['list(Colour), type=lambda s: Colour[s]', COLOURS, ['RED', 'BLUE']],
    ['names', ["names = ['b']", "names.append('a')", 'names.sort()'], ['a', 'b']],
  ])('%s', (choices, before, expected) => {
    expect(only(`'--a', choices=${choices}`, ...before).schema['enum']).toEqual(expected)
  })

  test('a long range becomes its bounds', () => {
    expect(only("'--port', type=int, choices=range(1, 1001)").schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 1000,
    })
  })

  test.each(['load()', 'lib.NAMES', 'os.listdir()'])('%s is not known, so the answer is partial', choices => {
    const read = inspect(script('import lib', 'from lib import load', `p.add_argument('--a', choices=${choices})`))
    expect([read.confidence, names(read)]).toEqual(['partial', ['a']])
  })
})

describe('defaults', () => {
  test.each([
    ["'x'", [], 'x'],
    ['-1', [], -1],
    ['1_000', [], 1000],
    ['0.5', [], 0.5],
    ['[]', [], []],
    ["('a', 1)", [], ['a', 1]],
    ['None', [], undefined],
    ['argparse.SUPPRESS', [], undefined],
    ["float('inf')", [], undefined],
    ['LIMIT * 2', ['LIMIT = 60 * 60'], 7200],
    ["f'{BASE}/v1'", ["BASE = 'http://x'"], 'http://x/v1'],
    ["'%s-%d' % ('a', 1)", [], 'a-1'],
    ["CONFIG['a']['b']", ["CONFIG = {'a': {'b': 3}}"], 3],
    ["os.path.join('a', 'b')", [], 'a/b'],
    ['fallback()', ['def fallback():', "    return 'f'"], 'f'],
    ["os.environ.get('HOST', 'local')", [], 'local'],
    ["int(os.getenv('PORT') or 80)", [], 80],
  ])('%s', (value, before, expected) => {
    expect(only(`'--a', default=${value}`, ...before).schema['default']).toEqual(expected)
  })

  test('a text is converted when the type is a number', () => {
    expect(only("'--a', type=int, default='5'").schema['default']).toBe(5)
  })

  test('what the environment or the moment decides is said in words', () => {
    expect(only("'--a', default=os.getenv('KEY')").schema['description']).toContain('environment variable KEY')
    expect(only("'--a', default=os.getcwd()").schema['description']).toContain('computed by the script')
  })

  test('set_defaults and argument_default count', () => {
    const read = inspect(
      script("p.add_argument('--a', default=1)", 'p.set_defaults(a=5, b=7)', "p.add_argument('--b')"),
    )
    expect(parameters(read).map(each => each.schema['default'])).toEqual([5, 7])
    const general = inspect(
      "import argparse\np = argparse.ArgumentParser(argument_default='z')\np.add_argument('--a')\np.parse_args()\n",
    )
    expect(parameters(general)[0]?.schema['default']).toBe('z')
  })

  test('a number that JSON would change is not given as the default', () => {
    const read = inspect(script("p.add_argument('--a', type=int, default=12345678901234567890)"))
    expect([read.confidence, parameters(read)[0]?.schema['default']]).toEqual(['partial', undefined])
  })
})

describe('nargs and actions', () => {
  const string = { type: 'string' }
  test.each([
    ["'a', nargs='?'", string, { as: 'positional' }],
    ["'a', nargs='*'", { type: 'array', items: string }, { as: 'positional' }],
    ["'a', nargs='+'", { type: 'array', items: string, minItems: 1 }, { as: 'positional' }],
    [
      "'a', nargs=2, type=int",
      { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      { as: 'positional' },
    ],
    ["'a', nargs=argparse.REMAINDER", { type: 'array', items: string }, { as: 'rest' }],
    ["'--a'", string, { as: 'option', flags: ['--a'], join: 'equals' }],
    [
      "'--a', nargs='+'",
      { type: 'array', items: string, minItems: 1 },
      { as: 'option', flags: ['--a'], join: 'equals', list: 'spread' },
    ],
    [
      "'--a', nargs=1",
      { type: 'array', items: string, minItems: 1, maxItems: 1 },
      { as: 'option', flags: ['--a'], join: 'equals', list: 'spread' },
    ],
    ["'--a', nargs='?', const='c'", string, { as: 'option', flags: ['--a'], join: 'equals' }],
    [
      "'--a', nargs='?', type=int, const=True",
      { anyOf: [{ type: 'integer' }, { const: true }] },
      { as: 'option', flags: ['--a'], join: 'equals', bare: true },
    ],
    ["'--a', action='store_true'", { type: 'boolean', default: false }, { as: 'switch', flags: ['--a'], when: true }],
    ["'--a', action='store_false'", { type: 'boolean', default: true }, { as: 'switch', flags: ['--a'], when: false }],
    [
      "'--a', action='store_const', const=5, default=1",
      { type: 'boolean' },
      { as: 'switch', flags: ['--a'], when: true },
    ],
    ["'--a', action='append_const', const='x'", { type: 'boolean' }, { as: 'switch', flags: ['--a'], when: true }],
    [
      "'--a', action='append', type=int",
      { type: 'array', items: { type: 'integer' } },
      { as: 'option', flags: ['--a'], join: 'equals', list: 'repeat' },
    ],
    [
      "'--a', action='append', nargs=2",
      { type: 'array', items: { type: 'array', items: string, minItems: 2, maxItems: 2 } },
      { as: 'option', flags: ['--a'], join: 'equals', list: 'repeat' },
    ],
    [
      "'--a', action='extend', nargs='+'",
      { type: 'array', items: string, minItems: 1 },
      { as: 'option', flags: ['--a'], join: 'equals', list: 'repeat' },
    ],
    ["'-v', action='count', default=0", { type: 'integer', minimum: 0, default: 0 }, { as: 'count', flags: ['-v'] }],
    [
      "'--a', action=argparse.BooleanOptionalAction, default=True",
      { type: 'boolean', default: true },
      { as: 'switch', flags: ['--a', '--no-a'], when: true, opposite: '--no-a' },
    ],
  ])('%s', (call, schema, pass) => {
    const read = only(call)
    expect(read.schema).toEqual(schema)
    expect(read.pass).toEqual(pass)
  })

  test('an action of the script is the action it is made from', () => {
    const before = ['class Pairs(argparse.Action):', '    def __call__(self, *a): pass']
    expect(only("'--a', action=Pairs, nargs='*'", ...before).schema['type']).toBe('array')
  })

  test('an action with its own settings makes the answer partial', () => {
    const before = ['class A(argparse.Action):', '    def __init__(self, *a, **k): super().__init__(*a, nargs=0, **k)']
    expect(inspect(script(...before, "p.add_argument('--a', action=A)")).confidence).toBe('partial')
  })
})

describe('values that begin with a dash', () => {
  test.each([
    ['positionals come after `--`', ["p.add_argument('a')"], 'terminator'],
    ['a rest after a positional, too', ["p.add_argument('a')", "p.add_argument('r', nargs='...')"], 'terminator'],
    ['a rest that comes first would keep the `--`', ["p.add_argument('r', nargs='...')"], 'refuse'],
  ])('%s', (_, lines, dashes) => {
    expect(inspect(script(...lines)).commands[0]?.convention.dashes).toBe(dashes)
  })

  test('intermixed parsing loses track of `--`', () => {
    const read = inspect(
      "import argparse\np = argparse.ArgumentParser()\np.add_argument('a')\np.parse_intermixed_args()\n",
    )
    expect(read.commands[0]?.convention.dashes).toBe('refuse')
  })
})
