// How a parser is built: groups, parents, sub-parsers, helpers, loops, other files; and what is not certain.
import { describe, expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

function inspect(lines: readonly string[], siblings: Readonly<Record<string, string>> = {}): Inspection {
  const text = `${lines.join('\n')}\n`
  return inspectPython({ path: 'x.py', text, language: 'python', sibling: file => siblings[file] })
}

const HEAD = ['import argparse, os, sys', 'p = argparse.ArgumentParser()']
const ASK = 'p.parse_args()'

/** `command: name name`, one per command, with the level of what belongs to a parent. */
function summary(inspection: Inspection): string[] {
  return inspection.commands.map(({ convention }) => {
    const { command, parameters } = convention
    const names = parameters.map(({ name, level }) => (level === command.length ? name : `${name}@${level}`))
    return [command.join(' '), names.join(' ')].join(': ')
  })
}

function expectExact(inspection: Inspection, ...expected: readonly string[]): void {
  expect(inspection.notes).toEqual([])
  expect(summary(inspection)).toEqual(expected)
  expect(inspection.confidence).toBe('exact')
}

describe('the parser is followed', () => {
  test('into argument groups and exclusive groups', () => {
    const read = inspect([
      ...HEAD,
      "g = p.add_argument_group('files')",
      "g.add_argument('--a')",
      'x = g.add_mutually_exclusive_group(required=True)',
      "x.add_argument('--b', action='store_true')",
      "x.add_argument('--c', type=int)",
      ASK,
    ])
    expectExact(read, ': a b c')
    expect(read.commands[0]?.convention.exclusive).toEqual([{ names: ['b', 'c'], required: true }])
  })

  test('from its parents', () => {
    const read = inspect([
      'import argparse',
      'base = argparse.ArgumentParser(add_help=False)',
      "base.add_argument('--a', required=True)",
      'p = argparse.ArgumentParser(parents=[base])',
      "p.add_argument('--b')",
      ASK,
    ])
    expectExact(read, ': a b')
  })

  test('into sub-parsers, nested and with aliases: one command a leaf', () => {
    const read = inspect([
      ...HEAD,
      "p.add_argument('--verbose', action='store_true')",
      "subs = p.add_subparsers(dest='command', required=True)",
      "one = subs.add_parser('one', aliases=['o'], help='First.')",
      "one.add_argument('path')",
      "two = subs.add_parser('two').add_subparsers()",
      "two.add_parser('deep').add_argument('--x', type=float)",
      "two.add_parser('flat')",
      ASK,
    ])
    expectExact(read, 'one: verbose@0 path', 'two deep: verbose@0 x', 'two flat: verbose@0')
    expect(read.commands[0]?.description).toBe('First.')
  })

  test('a name that parent and sub-command both require belongs to the sub-command', () => {
    const read = inspect([
      ...HEAD,
      "p.add_argument('--key', required=True)",
      "q = p.add_subparsers().add_parser('run')",
      "q.add_argument('--key', required=True)",
      ASK,
    ])
    expectExact(read, 'run: key_2@0 key')
  })

  test.each<[string, string[], string]>([
    [
      'a helper that is given the parser',
      ['def add(q, name):', "    q.add_argument('--' + name)", "add(p, 'a')", "add(p, name='b')"],
      'a b',
    ],
    [
      'a helper with keyword arguments',
      ['def opt(n, **k):', "    p.add_argument(n, **{'type': int, **k})", "opt('--a', default=1)"],
      'a',
    ],
    ['a loop over a table', ["for n, k in [('--a', dict(type=int)), ('b', {})]:", '    p.add_argument(n, **k)'], 'a b'],
    [
      'a loop over a dict',
      ["T = {'a': int, 'b': str}", 'for n, t in T.items():', "    p.add_argument(f'--{n}', type=t)"],
      'a b',
    ],
    ['a loop that counts', ['n = 0', 'while n < 3:', "    p.add_argument(f'--a{n}')", '    n += 1'], 'a0 a1 a2'],
    ['a loop that is left', ['while True:', "    p.add_argument('--a')", '    break'], 'a'],
    ['a comprehension', ["[p.add_argument('--' + n) for n in 'ab']"], 'a b'],
    ['a bound method', ['add = p.add_argument', "add('--a')"], 'a'],
    [
      'a known condition',
      ['LIMIT = 5', 'if 1 < LIMIT < 9:', "    p.add_argument('--a')", 'else:', "    p.add_argument('--b')"],
      'a',
    ],
    ['a changed action', ["x = p.add_argument('--a')", 'x.required = True'], 'a'],
    ['the default groups', ['g = p._action_groups.pop()', "g.add_argument('--a')", 'p._action_groups.append(g)'], 'a'],
    [
      'a module that may be missing',
      [
        'def main():',
        '    try: import fancy',
        '    except ImportError: fancy = None',
        '    if not fancy: return',
        "    p.add_argument('--a')",
        '    fancy.setup()',
        '    p.parse_args()',
        'main()',
      ],
      'a',
    ],
    ['a deleted setting', ["k = {'type': int, 'nargs': 3}", "del k['nargs']", "p.add_argument('--a', **k)"], 'a'],
  ])('through %s', (_, lines, expected) => {
    expectExact(inspect([...HEAD, ...lines, ASK]), `: ${expected}`)
  })

  test('through classes', () => {
    const read = inspect([
      'import argparse',
      'class Base:',
      "    NAME = 'base'",
      '    def __init__(self):',
      '        self.parser = argparse.ArgumentParser()',
      '        self.fill()',
      '    def fill(self):',
      "        self.parser.add_argument('--' + self.NAME)",
      'class Child(Base):',
      "    NAME = 'child'",
      '    def fill(self):',
      '        super().fill()',
      "        self.parser.add_argument('--more')",
      "if __name__ == '__main__':",
      '    Child().parser.parse_args()',
    ])
    expectExact(read, ': child more')
  })

  test('through a parser class and decorators that register commands', () => {
    const read = inspect([
      'import argparse',
      'class Parser(argparse.ArgumentParser):',
      '    def __init__(self, *args, **kwargs):',
      '        super().__init__(*args, **kwargs)',
      "        self.add_argument('--debug', action='store_true')",
      'p = Parser()',
      'subs = p.add_subparsers()',
      'def command(*names):',
      '    def wrap(function):',
      '        q = subs.add_parser(function.__name__)',
      '        for name in names: q.add_argument(name)',
      '        return function',
      '    return wrap',
      "@command('path', '--x')",
      'def show(args): pass',
      ASK,
    ])
    expectExact(read, 'show: debug path x')
  })

  test('into other files of the skill', () => {
    const siblings = {
      'shared.py': "FORMATS = ['a', 'b']\ndef common(p):\n    p.add_argument('--quiet', action='store_true')\n",
      'pkg/limits.py': 'MOST = 7\n',
    }
    const read = inspect(
      [
        'from shared import FORMATS, common',
        'import pkg.limits as limits',
        ...HEAD,
        'common(p)',
        "p.add_argument('--f', choices=FORMATS)",
        "p.add_argument('--n', type=int, default=limits.MOST)",
        ASK,
      ],
      siblings,
    )
    expectExact(read, ': quiet f n')
    expect(read.commands[0]?.convention.parameters.map(each => each.schema['enum'] ?? each.schema['default'])).toEqual([
      false,
      ['a', 'b'],
      7,
    ])
  })

  test('where a later flag is told to win', () => {
    const read = inspect([
      'import argparse',
      "p = argparse.ArgumentParser(conflict_handler='resolve')",
      "p.add_argument('-f', '--foo', type=int)",
      "p.add_argument('--foo', dest='bar')",
      ASK,
    ])
    expectExact(read, ': foo bar')
    expect(read.commands[0]?.convention.parameters.map(each => 'flags' in each.pass && each.pass.flags)).toEqual([
      ['-f'],
      ['--foo'],
    ])
  })
})

describe('what is not certain is partial, stays open and says where', () => {
  const IF_SET = "if os.environ.get('X'):"
  test.each<[string, string[]]>([
    ['a condition that is not known', [IF_SET, "    p.add_argument('--b')"]],
    ['a constant from elsewhere', ['from lib import MODE', "if MODE == 'full':", "    p.add_argument('--b')"]],
    ['a switch from elsewhere', ['import lib', 'if lib.FULL:', "    p.add_argument('--b')"]],
    ['an early return', ['def more():', `    ${IF_SET}`, '        return', "    p.add_argument('--b')", 'more()']],
    [
      'a loop that may be left',
      ["for n in ['--b', '--c']:", `    ${IF_SET}`, '        break', '    p.add_argument(n)'],
    ],
    [
      'a module that may be missing',
      ['try:', '    import extra', "    p.add_argument('--b')", 'except ImportError:', '    pass'],
    ],
    ['a loop over what is not known', ["for n in os.listdir('.'):", "    p.add_argument('--' + n)"]],
    ['code that is handed the parser', ['import plugins', 'plugins.register(p)']],
    ['settings that are not known', ['import lib', "p.add_argument('--b', **lib.SETTINGS)"]],
    ['code that is made up', ['exec("p.add_argument(\'--b\')")']],
    ['a look inside the parser', ['for x in p._actions:', "    x.default = 'k'"]],
    ['a change of argparse', ['argparse.ArgumentParser.add_argument = print']],
    ['a flag that is declared twice', ["p.add_argument('--a')"]],
    ['a rest behind a flag', ["p.add_argument('--b', nargs=argparse.REMAINDER)"]],
    ['another parser for the same arguments', [IF_SET, '    q = argparse.ArgumentParser()', '    q.parse_args()']],
    [
      'files in place of arguments',
      ["p = argparse.ArgumentParser(fromfile_prefix_chars='@')", "p.add_argument('--a')"],
    ],
    ['an endless loop', ['n = 0', 'while True:', '    n += 1', "    p.add_argument(f'--n{n}')"]],
  ])('%s', (_, lines) => {
    const read = inspect([...HEAD, "p.add_argument('--a', type=int)", ...lines, ASK])
    expect(read.confidence).toBe('partial')
    expect(read.commands[0]?.convention.open).toBe(true)
    expect(read.commands[0]?.convention.parameters[0]?.name).toBe('a')
    expect(read.notes[0]?.line).toBeGreaterThan(1)
  })

  test('a default after a loop that may be left is not known', () => {
    const read = inspect([
      ...HEAD,
      "d = 'a'",
      "for n in ['x', 'y']:",
      '    if os.path.exists(n): break',
      '    d = n',
      "p.add_argument('--d', default=d)",
      ASK,
    ])
    expect([read.confidence, read.commands[0]?.convention.parameters[0]?.schema['default']]).toEqual([
      'partial',
      undefined,
    ])
  })

  test('a script that reads known arguments only takes others, too', () => {
    const read = inspect([...HEAD, "p.add_argument('--a')", 'p.parse_known_args()'])
    expect([read.confidence, read.commands[0]?.convention.open]).toEqual(['exact', true])
  })
})

describe('hostile sources', () => {
  const parser = [...HEAD, "p.add_argument('--a')", ASK]
  test.each<[string, string, RegExp]>([
    ['more than a megabyte', `${parser.join('\n')}\n${'# filler\n'.repeat(120_000)}`, /characters/],
    ['a binary', '\x7fELF\0\0\x01\ufffd\ufffd', /UTF-8/],
    ['a syntax error', 'import argparse\ndef main(:\n    pass\n', /syntax error/],
    [
      'a syntax error in a long script',
      `${parser.join('\n')}\n${'x = 1\n'.repeat(2_000)}def f():\n    return (1]\n`,
      /syntax error/,
    ],
    ['brackets nested very deeply', `x = ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, /deeply/],
  ])('%s is free-form, with a note', (_, text, message) => {
    const read = inspectPython({ path: 'x.py', text, language: 'python', sibling: () => undefined })
    expect([read.confidence, read.commands]).toEqual(['none', []])
    expect(read.notes[0]?.message).toMatch(message)
  })

  test.each<[string, string[]]>([
    ['operators nested deeply', [`x = ${'not '.repeat(3_000)}1`]],
    [
      'blocks nested deeply',
      Array.from({ length: 90 }, (_, depth) => `${' '.repeat(depth)}if 1:`).concat(`${' '.repeat(90)}pass`),
    ],
    ['loops in loops', ['for a in range(300):', '    for b in range(300):', '        for c in range(300): x = a']],
    ['endless recursion', ['def f(n): return f(n + 1)', 'f(0)']],
    ['endless recursion of a generator of calls', ['def f(n): return [f(n), f(n)]', 'f(0)']],
    ['a list that doubles', ["x = ['a']", 'while True: x = x + x']],
    ['a text that doubles', ["x = 'a'", 'while True: x = x + x']],
    [
      'lists that hold each other twice',
      ["x = ['a']", ...Array.from({ length: 60 }, () => 'x = [x, x]'), "p.add_argument('--x', default=x)"],
    ],
    ['a list that holds itself', ['x = []', 'x.append(x)', "p.add_argument('--x', default=x)"]],
    ['a text that replaces itself', ["x = 'a' * 1000", "for i in range(99): x = x.replace('a', x)"]],
    [
      'parents that are inherited twice',
      Array.from(
        { length: 60 },
        (_, n) =>
          `${n === 0 ? "p.add_argument('--z')\n" : ''}p = argparse.ArgumentParser(parents=[p, p], conflict_handler='resolve')`,
      ),
    ],
    [
      'classes that are inherited twice',
      ['class C: pass', ...Array.from({ length: 60 }, () => 'class C(C, C): pass'), 'C().x'],
    ],
    ['a range without end', ['for i in range(10 ** 12): pass']],
    ['unclosed quotes', ["x = 1  # '''\\'''\\'''".repeat(500)]],
    ['many opened `with`', ['with ('.repeat(150), `${')'.repeat(150)}: pass`]],
  ])('%s end soon and never throw', (_, lines) => {
    const start = performance.now()
    inspect([...HEAD, ...lines, "p.add_argument('--a')", ASK])
    // Each takes some milliseconds; without a limit it would take minutes.
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  test('imports in a circle end', () => {
    const siblings = { 'a.py': 'from b import X\nY = X\n', 'b.py': 'from a import Y\nX = Y\n' }
    const read = inspect(['from a import Y', ...HEAD, "p.add_argument('--a', choices=Y)", ASK], siblings)
    expect(read.confidence).toBe('partial')
  })

  test('bodies of a long script are read when they are needed, with their lines', () => {
    const filler = Array.from({ length: 300 }, (_, n) => `def unused_${n}():\r\n    return ${n}\r\n\r\n`).join('')
    const text = `import argparse\r\n${filler}def main():\r\n    p = argparse.ArgumentParser()\r\n    p.add_argument('--a')\r\n    p.parse_args()\r\nmain()\r\n`
    const read = inspectPython({ path: 'x.py', text, language: 'python', sibling: () => undefined })
    expectExact(read, ': a')
    expect(read.commands[0]?.convention.parameters[0]?.line).toBe(904)
  })
})
