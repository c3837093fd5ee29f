// Whatever a file named `.sh` holds: an answer, no error, and in little time.
import { expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectShell } from '../../src/inspect/shell/inspect-shell.ts'

/** Of processor time, because other work on the machine says nothing about ours. */
const LIMIT_MS = 600

function inspect(text: string): Inspection {
  const source = { path: 'x.sh', text, language: 'shell' as const, sibling: () => undefined }
  inspectShell(source)
  const start = process.cpuUsage()
  const inspection = inspectShell(source)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(LIMIT_MS)
  return inspection
}

test('a script of 1 MB is free-form and says why', () => {
  const { confidence, notes, commands } = inspect(`#!/bin/bash\n${'echo "$1"\n'.repeat(100_000)}`)
  expect({ confidence, commands }).toEqual({ confidence: 'none', commands: [] })
  expect(notes[0]?.message).toContain('too long')
})

test('a binary and invalid UTF-8 are free-form and say why', () => {
  expect(inspect('\u007fELF\u0000\u0001\u0002').notes[0]?.message).toContain('binary')
  expect(inspect('#!/bin/sh\necho \ufffd\ufffd').notes[0]?.message).toContain('UTF-8')
})

test.each([
  ['a double quote', 'echo "abc\nfi\n', 'double quote'],
  ['a single quote', "x='abc\n", 'quote'],
  ['a here-document', 'cat <<EOF\nabc\n', 'here-document'],
  ['a substitution', 'x=$(ls\n', 'substitution'],
  ['an expansion', 'echo ${x', 'expansion'],
  ['a case', 'case "$1" in\n  a) ls ;;\n', 'case'],
  ['a loop', 'while true; do\n ls\n', 'done'],
  ['a function', 'f() {\n ls\n', 'function'],
])('%s without its end is free-form with a note', (_, text, message) => {
  const { confidence, notes } = inspect(text)
  expect(confidence).toBe('none')
  expect(notes[0]?.message).toContain(message)
})

test.each([
  ['substitutions', '$('.repeat(5000)],
  ['groups', '{ '.repeat(5000)],
  ['ifs', 'if a; then '.repeat(5000)],
  ['expansions', `echo ${'${a:-'.repeat(5000)}`],
  ['quotes in substitutions', '"$('.repeat(5000)],
])('%s nested without end give a note', (_, text) => {
  expect(inspect(text).confidence).toBe('none')
})

test.each([
  ['nested commands', nestedCommands(50)],
  ['commands that multiply', Array.from({ length: 12 }, (_, level) => choice(level + 1)).join('\n')],
  ['functions that call each other', functionsCallingEachOther(60)],
  ['a function that calls itself', 'f() { f "$@"; f "$1"; }\nf "$@"'],
  ['a loop with thousands of flags', flagLoop(1500)],
  ['a usage text of brackets', `# Usage: x.sh ${'['.repeat(20_000)}\necho "$1"`],
  ['a usage text of spaces', `# Usage: x.sh${' '.repeat(50_000)}x\necho "$1"`],
  [
    'a usage text of dashes',
    `usage() { cat <<EOF\n${'-- '.repeat(20_000)}\n  ${'-a, '.repeat(20_000)}\nEOF\n}\necho "$1"`,
  ],
  ['a comment of one line', `# ${'a-b '.repeat(50_000)}\necho "$1"`],
  ['a long run of echo', 'echo "  --flag VALUE  what it does (default: 3)"\n'.repeat(4000)],
  ['thousands of assignments', 'a=$1\n'.repeat(20_000)],
  ['thousands of arguments', Array.from({ length: 9000 }, (_, n) => `echo "\${${n + 1}}"`).join('\n')],
  ['parentheses', `${'('.repeat(5000)}${')'.repeat(5000)}`],
  ['an argument of a huge number', 'echo "${99999999}" "${999999999999999999999}"; shift 99999999; echo "$1"'],
  ['arithmetic of parentheses', `echo $((${'('.repeat(30_000)}1${')'.repeat(30_000)}))`],
])('%s are read in time', (_, text) => {
  expect(inspect(text).commands.length).toBeGreaterThan(0)
})

test('an empty file and a file of blanks need nothing', () => {
  for (const text of ['', '\n\n', '#!/bin/sh\n', '\r\n\r\n']) {
    expect(inspect(text)).toMatchObject({ confidence: 'exact', interactive: false, requirements: [] })
  }
})

function choice(index: number): string {
  const arms = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(word => `${word}) echo ${word} ;;`)
  return `case "$${index}" in\n${arms.join('\n')}\n*) exit 1 ;;\nesac`
}

function nestedCommands(depth: number): string {
  return depth === 0 ? 'echo done' : `case "$1" in\na) shift; ${nestedCommands(depth - 1)} ;;\n*) exit 1 ;;\nesac`
}

function functionsCallingEachOther(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `f${index}`)
  const calls = names.map(name => `${name} "$1" "$@"`).join('; ')
  return `${names.map(name => `${name}() { ${calls}; }`).join('\n')}\nf0 "$@"`
}

function flagLoop(count: number): string {
  const arms = Array.from({ length: count }, (_, index) => `--flag-${index}) V${index}="$2"; shift 2 ;;`)
  return `while [ $# -gt 0 ]; do\ncase "$1" in\n${arms.join('\n')}\nesac\ndone`
}
