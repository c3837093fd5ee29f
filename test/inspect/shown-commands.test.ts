import { expect, test } from 'vitest'
import { readShownCommands } from '../../src/inspect/shown-commands.ts'

function read(text: string) {
  return readShownCommands(text, 'scripts/x.py').flatMap(({ convention }) =>
    convention.parameters.map(({ name, schema, pass }) => [name, schema['type'], pass.as, schema['examples'] ?? []]),
  )
}

test('flags and positions are taken from all examples', () => {
  const text = `
Run it:

\`\`\`bash
python scripts/x.py report.pdf --pages 1-3 --verbose
python scripts/x.py <input> --out=result.txt | head > log
\`\`\`

or \`python {baseDir}/scripts/x.py other.pdf --pages 7\`, as you like.`
  expect(read(text)).toEqual([
    ['input', 'string', 'positional', ['report.pdf', 'other.pdf']],
    ['pages', 'string', 'option', ['1-3', '7']],
    ['verbose', 'boolean', 'switch', []],
    ['out', 'string', 'option', ['result.txt']],
  ])
})

test.each([
  ['prose', 'The file scripts/x.py is run --often by people.'],
  ['another script', '`python scripts/max.py a`, `python x.pyc b`'],
  ['no arguments', 'Run `scripts/x.py`.'],
])('nothing is made up of %s', (_, text) => {
  expect(read(text)).toEqual([])
})

test('lines go on after a backslash', () => {
  expect(read('    python x.py \\\n      --a 1 \\\n      --b')).toEqual([
    ['a', 'string', 'option', ['1']],
    ['b', 'boolean', 'switch', []],
  ])
})
