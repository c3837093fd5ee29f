import { expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'

test('what could not be read is noted with its line, and extra arguments stay allowed', () => {
  const found = inspect(`
    const args = process.argv.slice(2)
    const json = args.includes('--json')
    const id = args.find(arg => /^[0-9]+$/.test(arg))
    console.log(json, id)
  `)
  expect(found.confidence).toBe('partial')
  expect(found.commands[0]?.convention).toMatchObject({ open: true, parameters: [{ name: 'json' }] })
  expect(found.notes).toEqual([{ message: 'the command line is used in a way that could not be read', line: 4 }])
})

test('a usage text stands in where the source hands its arguments on', () => {
  const found = inspect(`
    // Usage: node fill.js --selector CSS [--value TEXT] <url>
    import { run } from './run.js'
    run(process.argv.slice(2))
  `)
  expect(found.confidence).toBe('partial')
  expect(found.commands[0]?.convention.open).toBe(true)
  expect(names(found)).toEqual([['url', 'selector', 'value']])
})

test('packages are required by name, built-in and own modules are not', () => {
  const found = inspect(`
    import fs from 'node:fs'
    import path from 'path'
    import { z } from 'zod/v4'
    import type { Thing } from 'only-types'
    import './own.js'
    const { S3 } = require('@aws-sdk/client-s3/dist')
    const late = await import('late-package')
    console.log(fs, path, z, S3, late)
  `)
  expect(found.requirements.map(({ name, line }) => [name, line])).toEqual([
    ['zod', 4],
    ['@aws-sdk/client-s3', 7],
    ['late-package', 8],
  ])
})

test('scripts that ask questions are interactive', () => {
  expect(inspect(`import inquirer from 'inquirer'\nawait inquirer.prompt([])`).interactive).toBe(true)
  expect(inspect(`import * as readline from 'node:readline/promises'\nconsole.log(readline)`).interactive).toBe(false)
})

test('a word that selects a branch is a command with what the branch reads', () => {
  const found = inspect(`
    const [command, ...rest] = process.argv.slice(2)
    if (command === 'add') add(rest[0], rest[1])
    else if (command === 'remove' || command === 'rm') remove(rest[0])
    else { console.error('what?'); process.exit(1) }
    function add(name, url) { if (!name) throw new Error('name'); console.log(name, url) }
    function remove(name) { if (!name) throw new Error('name'); console.log(name) }
  `)
  expect(found.confidence).toBe('exact')
  expect(found.commands.map(({ convention }) => convention.command)).toEqual([['add'], ['remove']])
  expect(names(found)).toEqual([['name', 'url'], ['name']])
})

test('options that conflict are exclusive', () => {
  const found = inspect(`
    import { program, Option } from 'commander'
    program.option('--file <f>').addOption(new Option('--text <t>').conflicts('file')).parse()
    console.log(program.opts())
  `)
  expect(found.commands[0]?.convention.exclusive).toEqual([{ names: ['text', 'file'], required: false }])
})

test('a library that is used in a way we do not know gives no false certainty', () => {
  const found = inspect(`
    import { program } from 'commander'
    import { setUp } from './set-up.js'
    setUp(program)
    program.parse()
  `)
  expect(found.confidence).toBe('none')
})

test('an imported file that looks at the command line takes away certainty, one that only could does not', () => {
  const text = `import { help } from './help.js'\nconst name = process.argv[2]\nif (!name) process.exit(1)\nhelp(name)`
  const used = `export function help() { if (process.argv.includes('--quiet')) return 1 }`
  const unused = `export const help = () => 1\nif (import.meta.url === process.argv[1]) console.log(process.argv[2])`
  expect(inspect(text, used).confidence).toBe('partial')
  expect(inspect(text, unused).confidence).toBe('exact')
})

function names({ commands }: Inspection) {
  return commands.map(({ convention }) => convention.parameters.map(({ name }) => name))
}

function inspect(text: string, sibling?: string): Inspection {
  return inspectJavascript({ path: 'x.mjs', text, language: 'javascript', sibling: () => sibling })
}
