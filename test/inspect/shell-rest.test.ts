// What shell scripts do with all their arguments at once: read, kept as one text, or only printed.
import { expect, test } from 'vitest'
import { inspectScript } from '../../src/inspect/inspect-script.ts'

test('a list that is printed behind a shifted argument is a parameter', () => {
  expect(parametersOf('name=$1\nshift\necho "hello $name: $@"')).toEqual(['*name string', 'arguments array'])
  expect(parametersOf('name=$1\necho "$name says ${@:2}"')).toEqual(['*name string', 'arguments array'])
  expect(parametersOf('# Usage: x.sh <name> [words...]\nname=$1; shift\necho "$name: $*"')).toEqual([
    '*name string',
    'words array',
  ])
})

test('a list that is printed behind the flags is a parameter', () => {
  const getopts = 'while getopts "e:" o; do case $o in e) env=$OPTARG ;; esac; done\nshift $((OPTIND-1))\n'
  expect(parametersOf(`${getopts}echo "$env: $*"`)).toEqual(['env string', 'arguments array'])
})

test('printing all arguments does not make one of them required', () => {
  expect(parametersOf('echo start "$@"')).toEqual(['arguments array'])
})

test('printing the command line first changes nothing of what is read later', () => {
  const loop = 'while [ $# -gt 0 ]; do case $1 in -n) N=$2; shift 2 ;; *) exit 1 ;; esac; done'
  expect(parametersOf(`echo "Arguments: $*"\n${loop}\necho "$N"`)).toEqual(['n string'])
  expect(parametersOf('echo "Arguments: $*"\nto=$1; shift\nfor file in "$@"; do cp "$file" "$to"; done')).toEqual([
    '*to string',
    'file array',
  ])
  expect(parametersOf('echo "Arguments: $*"\nrm -f "$1"')).toEqual(['*arg_1 string'])
})

test('arguments that a variable holds as one text are a text', () => {
  expect(parametersOf('QUERY="$*"\ncurl -s "https://example.org/?q=$QUERY"')).toEqual(['*query string'])
  expect(parametersOf('MESSAGE="fix: $*"\ngit commit -m "$MESSAGE"')).toEqual(['message string'])
})

test('words that a loop adds to a variable are a list when the variable is a plural', () => {
  const loop = (name: string) =>
    `for arg in "$@"; do case $arg in --force) F=1 ;; *) ${name}="$${name} $arg" ;; esac; done\nrun "$F" $${name}`
  expect(parametersOf(loop('FILES'))).toEqual(['force boolean', 'files array'])
  expect(parametersOf(loop('QUERY'))).toEqual(['force boolean', 'query string'])
})

function parametersOf(text: string): readonly string[] {
  const inspection = inspectScript({
    path: 'x.sh',
    text: `#!/bin/bash\n${text}\n`,
    language: 'shell',
    sibling: () => undefined,
  })
  expect(inspection.confidence).toBe('exact')
  const [command] = inspection.commands
  return (command?.convention.parameters ?? []).map(
    ({ name, schema, required }) => `${required ? '*' : ''}${name} ${schema['type']}`,
  )
}
