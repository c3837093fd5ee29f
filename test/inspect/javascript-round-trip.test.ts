// What we say about a command line holds when the library itself reads it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'
import type { Json } from '../../src/types.ts'
import { toArgv } from '../support/to-argv.ts'

const AWKWARD = [
  '',
  ' ',
  'a b',
  '"quoted"',
  "it's",
  'two\nlines',
  '-x',
  '--subject',
  '--',
  '=',
  'ü 世界',
  '$HOME `id` \\',
]

test.each(AWKWARD)('commander gets %j as the value it is', text => {
  const args = {
    to: text,
    files: [text, 'b'],
    config: text,
    verbose: 2,
    subject: text,
    b: text,
    tag: [text, 'y'],
    count: -12.5,
    via: 'post',
  }
  const expected = {
    to: text,
    files: [text, 'b'],
    config: text,
    verbose: 2,
    subject: text,
    b: text,
    tag: [text, 'y'],
    count: -12.5,
    via: 'post',
    wait: true,
  }
  expect(roundTrip('round-trip-commander.mjs', args)).toEqual(expected)
})

test('commander gets a flag alone, and a negated one', () => {
  const args = { to: 'a', subject: 'b', sign: true, wait: false }
  expect(roundTrip('round-trip-commander.mjs', args)).toEqual({ ...args, files: [], verbose: 0 })
})

test.each(AWKWARD)('parseArgs gets %j as the value it is', text => {
  const args = { input: text, others: [text, text], name: text, tag: [text, 'z'], level: -3, quiet: true }
  expect(roundTrip('round-trip-parse-args.mjs', args)).toEqual(args)
})

function roundTrip(name: string, args: { readonly [name: string]: Json }): unknown {
  const file = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
  const text = readFileSync(file, 'utf8')
  const { commands, confidence } = inspectJavascript({
    path: file,
    text,
    language: 'javascript',
    sibling: () => undefined,
  })
  expect(confidence).toBe('exact')
  const [command] = commands
  if (command === undefined) throw new Error('no command was read')
  const output = execFileSync(process.execPath, [file, ...toArgv(command.convention, args)], { encoding: 'utf8' })
  return JSON.parse(output)
}
