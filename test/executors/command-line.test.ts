import { expect, test } from 'vitest'
import { buildCommandLine } from '../../src/executors/command-line.ts'
import { toInputSchema } from '../../src/tools/input-schema.ts'
import type { CommandLine, Json, ParameterPassing, ScriptParameter } from '../../src/types.ts'

const long: ParameterPassing = { as: 'option', flags: ['--name', '-n'], join: 'equals' }
const spread: ParameterPassing = { as: 'option', flags: ['--files'], join: 'separate', list: 'spread' }
const positional: ParameterPassing = { as: 'positional' }

function one(name: string, pass: ParameterPassing, rest: Partial<ScriptParameter> = {}): ScriptParameter {
  return { name, schema: { type: 'string' }, required: false, level: 0, line: 1, pass, ...rest }
}

function build(
  parameters: readonly ScriptParameter[],
  args: { [name: string]: Json },
  rest: Partial<CommandLine> = {},
) {
  const convention: CommandLine = {
    type: 'command-line',
    command: [],
    parameters,
    exclusive: [],
    dashes: 'terminator',
    open: false,
    ...rest,
  }
  const built = buildCommandLine(convention, args)
  return built.ok ? built.invocation.argv : built.message
}

test.each<[string, ParameterPassing, Json, readonly string[]]>([
  ['a value joined to its flag', long, '--evil', ['--name=--evil']],
  ['an empty value', long, '', ['--name=']],
  ['an empty value of an attached flag', { as: 'option', flags: ['-n'], join: 'attached' }, '', ['-n', '']],
  ['an attached value', { as: 'option', flags: ['-n'], join: 'attached' }, '-x', ['-n-x']],
  ['a repeated flag', { ...long, list: 'repeat' }, ['a', '-b'], ['--name=a', '--name=-b']],
  ['a list after its flag', spread, ['a', 'b c'], ['--files', 'a', 'b c']],
  ['a list without items', spread, [], ['--files']],
  ['a list of one that can be joined', { ...spread, join: 'equals' }, ['-a'], ['--files=-a']],
  ['a switch that is on', { as: 'switch', flags: ['-v'], when: true }, true, ['-v']],
  ['a switch that is off', { as: 'switch', flags: ['-v'], when: true }, false, []],
  ['a switch with an opposite', { as: 'switch', flags: ['--x'], when: true, opposite: '--no-x' }, false, ['--no-x']],
  ['a switch that turns something off', { as: 'switch', flags: ['--no-x'], when: false }, false, ['--no-x']],
  ['a count', { as: 'count', flags: ['-v'] }, 3, ['-v', '-v', '-v']],
  ['a large integer', long, 1e21, ['--name=1000000000000000000000']],
  ['a small number', long, 1e-7, ['--name=1e-7']],
  ['an object', long, { a: [1] }, ['--name={"a":[1]}']],
  ['a positional list', positional, ['a', 'b'], ['a', 'b']],
  ['a positional that looks like a flag', positional, '-rf', ['--', '-rf']],
  ['a lone dash', positional, '-', ['-']],
  ['the value that the flag alone says', { ...long, bare: true }, true, ['--name']],
  ['a boolean in the words of the script', { ...long, words: ['on', 'off'] }, false, ['--name=off']],
  [
    'lists of lists',
    { ...long, list: 'repeat' },
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    ['--name', 'a', 'b', '--name', 'c', 'd'],
  ],
  ['everything that follows', { as: 'rest' }, ['ls', '-l'], ['ls', '-l']],
])('%s', (_, pass, value, argv) => {
  expect(build([one('x', pass)], { x: value })).toEqual(argv)
})

test('nothing is said for what is not given', () => {
  expect(build([one('x', long), one('y', positional)], {})).toEqual([])
})

test('a list before positionals is closed, or it would swallow them', () => {
  expect(build([one('path', positional), one('files', spread)], { path: 'p', files: ['a'] })).toEqual([
    '--files',
    'a',
    '--',
    'p',
  ])
})

test('a flag that may stand alone does not swallow what follows', () => {
  const parameters = [one('x', { ...long, bare: true }), one('path', positional)]
  expect(build(parameters, { x: true, path: 'p' })).toEqual(['--name', '--', 'p'])
  expect(build(parameters, { x: 'v', path: 'p' })).toEqual(['--name=v', 'p'])
})

test('where the script reads by place, parameters keep the order in which they are listed', () => {
  const parameters = [one('path', positional), one('x', long), one('more', positional)]
  const argv = build(parameters, { more: 'm', x: 'v', path: '-p' }, { dashes: 'pass' })
  expect(argv).toEqual(['-p', '--name=v', 'm'])
})

test('options stand before the command word of their level', () => {
  const parameters = [
    one('verbose', { as: 'switch', flags: ['-v'], when: true }),
    one('force', { as: 'switch', flags: ['-f'], when: true }, { level: 1 }),
    one('path', positional, { level: 1 }),
  ]
  const argv = build(parameters, { verbose: true, force: true, path: '-p' }, { command: ['add'] })
  expect(argv).toEqual(['-v', 'add', '-f', '--', '-p'])
})

test('a gap between positionals is filled by the default, or named', () => {
  const [input, output, count] = [one('input', positional), one('output', positional), one('count', positional)]
  expect(build([input, output, count], { input: 'a', count: 2 })).toBe(
    'count comes after output on the command line: give output too.',
  )
  const withDefault = { ...output, schema: { type: 'string', default: 'out.txt' } }
  expect(build([input, withDefault, count], { input: 'a', count: 2 })).toEqual(['a', 'out.txt', '2'])
})

test.each<[string, ScriptParameter, Json, Partial<CommandLine>]>([
  ['a positional where the parser knows no terminator', one('x', positional), '-a', { dashes: 'refuse' }],
  ['a positional before a command word', one('x', positional), '-a', { command: ['go'] }],
  ['an item of a list', one('x', spread), ['a', '--b'], {}],
  ['two dashes as a value', one('x', long), '--', {}],
  ['two dashes as a positional', one('x', positional), '--', {}],
  ['the first of the rest', one('x', { as: 'rest' }), ['-l'], { dashes: 'refuse' }],
  ['a separate value that a parser would read', one('x', { ...long, join: 'separate', refusesDashes: true }), '-a', {}],
])('refused, since it would become a flag: %s', (_, parameter, value, rest) => {
  expect(build([parameter], { x: value }, rest)).toMatch(/begins with "-", which .*would (?:be )?read/)
})

test('negative numbers are no flags in a list of numbers', () => {
  const numbers = one('x', spread, { schema: { type: 'array', items: { type: 'number' } } })
  expect(build([numbers], { x: [-1, -2.5] })).toEqual(['--files', '-1', '-2.5'])
})

test('exclusive groups are kept', () => {
  const parameters = [one('a', long), one('b', { as: 'switch', flags: ['-b'], when: true })]
  const exclusive = [{ names: ['a', 'b'], required: true }]
  expect(build(parameters, { a: 'x', b: true }, { exclusive })).toBe('Give only one of a, b.')
  expect(build(parameters, { b: false }, { exclusive })).toBe('Give one of a, b.')
  expect(build(parameters, { a: 'x', b: false }, { exclusive })).toEqual(['--name=x'])
})

test('an open interface takes more arguments at its end', () => {
  const more = { a: 'x', arguments: `--more 'b c'` }
  expect(build([one('a', long)], more, { open: true })).toEqual(['--name=x', '--more', 'b c'])
  expect(build([one('a', long)], { arguments: ['b c'] }, { open: true })).toEqual(['b c'])
})

test('environment and stdin are parameters too', () => {
  const parameters = [one('key', { as: 'environment', variable: 'API_KEY' }), one('data', { as: 'stdin' })]
  const convention = {
    type: 'command-line',
    command: [],
    parameters,
    exclusive: [],
    dashes: 'pass',
    open: false,
  } as const
  const built = buildCommandLine(convention, { key: 'k', data: { a: 1 } })
  expect(built).toEqual({ ok: true, invocation: { argv: [], env: { API_KEY: 'k' }, stdin: '{"a":1}' } })
})

test('extra arguments stay flags when a value needs `--`', () => {
  const file = one('file', positional)
  expect(build([file], { file: '-rf', arguments: '--deep 2' }, { open: true })).toEqual(['--deep', '2', '--', '-rf'])
  expect(build([file], { file: '-rf', arguments: 'b' }, { open: true })).toEqual(['--', '-rf', 'b'])
})

test('a parameter called `arguments` is passed once', () => {
  const own = one('arguments', positional, { schema: { type: 'array', items: { type: 'string' } } })
  expect(build([own], { arguments: ['a', 'b'] }, { open: true })).toEqual(['a', 'b'])
  const convention = { type: 'command-line', command: [], exclusive: [], dashes: 'pass', open: true } as const
  expect(toInputSchema({ ...convention, parameters: [own] })['properties']).toEqual({ arguments: own.schema })
})
