import { expect, test } from 'vitest'
import { parseUsage } from '../../src/inspect/usage.ts'
import type { ScriptParameter } from '../../src/types.ts'

test('a synopsis tells positionals, options, switches and lists', () => {
  expect(read('Usage: x.sh <in> [out] [--flag VALUE] [-v] [files...]')).toEqual([
    '!in string',
    '?out string',
    '?flag string --flag',
    '?v boolean -v',
    '?files array',
  ])
})

test('option lines tell spellings, defaults, choices and descriptions over several lines', () => {
  const text = [
    'Usage: $0 [options] <input>',
    '',
    'Options:',
    '  -o, --out FILE       where to write (default: x)',
    '  -n NUM               how many (default: 5)',
    '      --json           write JSON',
    '                       output',
    '  --format <json|csv>  format (default: json)',
    '  --level LEVEL        one of: low, mid, high',
    '  --key=KEY            the key (required)',
    '  -h, --help           this text',
  ].join('\n')
  expect(read(text)).toEqual([
    '!input string',
    '?out string="x" --out,-o',
    '?n integer=5 -n',
    '?json boolean --json',
    '?format string(json|csv)="json" --format',
    '?level string(low|mid|high) --level',
    '!key string --key',
  ])
  expect(parseUsage(text, 10)?.complete).toBe(true)
  expect(parseUsage(text, 10)?.parameters[3]).toMatchObject({ line: 15, schema: { description: 'write JSON output' } })
})

test('options that are mentioned and not told leave the reading incomplete', () => {
  expect(parseUsage('Usage: x.sh [OPTIONS] <a>', 1)).toMatchObject({ complete: false })
  expect(parseUsage('Usage: x.sh <a>', 1)).toMatchObject({ complete: true })
})

test('braces are a choice, kinds of values are one value', () => {
  expect(read('Usage: $(basename "$0") {start|stop}')).toEqual(['!choice string(start|stop)'])
  expect(read('Usage: x.sh <file|url> [json|csv]')).toEqual(['!file_or_url string', '?choice string(json|csv)'])
})

test('the ways to call a script with commands are told apart', () => {
  const usage = parseUsage('Usage:\n  x.sh deploy <env> [--dry-run]   Deploy it now\n  x.sh list\n', 1)
  expect(usage?.complete).toBe(false)
  expect(usage?.synopses.map(({ words, parameters }) => [words, parameters.map(({ name }) => name)])).toEqual([
    [['deploy'], ['env', 'dry_run']],
    [['list'], []],
  ])
})

test('a section of commands tells what each does', () => {
  const usage = parseUsage('Usage: x <command> [args]\n\nCommands:\n  list       List all\n  get <id>   Get one\n', 1)
  expect(usage?.commands).toEqual([
    { name: 'list', description: 'List all' },
    { name: 'get', description: 'Get one' },
  ])
})

test('a section of arguments describes the positionals', () => {
  const [first, second] = parseUsage(
    'Usage: x.sh SRC [DST]\nArguments:\n  SRC   the source\n  DST - target (optional)',
    1,
  )!.parameters
  expect(first).toMatchObject({ name: 'src', required: true, schema: { description: 'the source' } })
  expect(second).toMatchObject({ name: 'dst', required: false, schema: { description: 'target (optional)' } })
})

test.each([
  ['{"error": "Usage: stop.sh <dir>"}', ['!dir string']],
  ['Usage: search.sh "<query>" [limit=20]', ['!query string', '?limit string="20"']],
  [
    'Usage: python scripts/foo.py input.json [-o FILE | --out FILE] [--json|--csv]',
    ['!input string', '?out string --out,-o', '?json boolean --json', '?csv boolean --csv'],
  ],
  [
    'Usage: npx tsx x.ts --name NAME --age N [--tags a,b]',
    ['!name string --name', '!age integer --age', '?tags string --tags'],
  ],
  ['usage: <a> <b>', ['!a string', '!b string']],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test('text that is no usage is not read', () => {
  expect(parseUsage('Prints the words of a file.', 1)).toBeUndefined()
})

function read(text: string): readonly string[] {
  return parseUsage(text, 1)?.parameters.map(show) ?? []
}

function show({ name, required, schema, pass }: ScriptParameter): string {
  const choices = Array.isArray(schema['enum']) ? `(${schema['enum'].join('|')})` : ''
  const initial = schema['default'] === undefined ? '' : `=${JSON.stringify(schema['default'])}`
  return `${required ? '!' : '?'}${name} ${schema['type']}${choices}${initial}${'flags' in pass ? ` ${pass.flags}` : ''}`
}
