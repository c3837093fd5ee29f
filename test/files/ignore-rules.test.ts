import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type IgnoreRules, isIgnored, parseIgnoreFile } from '../../src/files/ignore-rules.ts'
import { makeFolder } from '../support/folders.ts'

const NAMES = [
  'a',
  'b',
  'ab',
  'a.log',
  'b.log',
  'a.txt',
  '.env',
  'dist',
  'a b',
  'x[1]',
  '#h',
  '!n',
  'é',
  'a\\b',
  'end ',
]
const PATHS = NAMES.flatMap(one => [
  one,
  ...NAMES.slice(0, 8).flatMap(two => [`d/${one}`, `${two}.d/${one}`, `d/e/${one}`, `d/${two}.d/e/${one}`]),
])

test.each([
  ['names', '*.log\n!b.log\n'],
  ['folders only', 'dist/\na.d/\n'],
  ['anchored', '/a\n/d/a\nd/e\n'],
  ['double stars', '**/a.txt\nd/**/b\ndist/**\na/**/ab\n'],
  ['sets', '[ab].log\nx\\[1\\]\n[!a-z]*\n'],
  ['set edges', '[]ab\nx[[]1]\n[a-]\n[\\]]\n'],
  ['question marks', '?\n?b\n'],
  ['comments, blanks and escapes', '#h\n\\#h\n\\!n\na b  \nend\\ \n\n   \na\\\\b\n'],
  ['kept within ignored folders stays ignored', 'd/\n!d/a\n'],
  ['everything but', '*\n!*/\n!*.txt\n'],
  ['stars beside letters', 'a**b\n*a*\n'],
  ['windows line ends', 'a\r\nb.log\r\n'],
  ['trailing stars', 'd/e/*\nd/*/\n'],
  ['a lone slash', '/\n//\n!\n'],
  ['braces are letters', '{a,b}\n'],
])('%s mean what they mean to git', (_, text) => {
  expect(ours({ '': text })).toEqual(gits({ '.gitignore': text }))
})

test('files of inner folders come after those of outer ones', () => {
  const inner = '!a.log\n/b\n*.txt\n'
  expect(ours({ '': '*.log\n', d: inner })).toEqual(gits({ '.gitignore': '*.log\n', 'd/.gitignore': inner }))
})

test('no pattern takes long', () => {
  const hostile = [
    `${'a*'.repeat(2000)}b`,
    `${'**/'.repeat(2000)}b`,
    `${' '.repeat(200_000)}x`,
    `${'\\'.repeat(99_999)} `,
  ]
  const before = process.cpuUsage()
  const rules = parseIgnoreFile(hostile.join('\n'), 0, undefined)
  expect(isIgnored(rules, Array(200).fill('a'.repeat(250)), false)).toBe(false)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
})

function ours(files: Readonly<Record<string, string>>): string[] {
  return PATHS.filter(path => {
    const names = path.split('/')
    let rules: IgnoreRules | undefined
    return names.some((_, index) => {
      const text = files[names.slice(0, index).join('/')]
      if (text !== undefined) rules = parseIgnoreFile(text, index, rules)
      return isIgnored(rules, names.slice(0, index + 1), index < names.length - 1)
    })
  }).toSorted()
}

function gits(files: Readonly<Record<string, string>>): string[] {
  const folder = makeFolder(files)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  for (const path of PATHS) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  const git = ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '-z', '--stdin']
  try {
    const out = execFileSync('git', git, { cwd: folder, input: PATHS.join('\0') })
    return out.toString().split('\0').filter(Boolean).toSorted()
  } catch (error) {
    // Exit code 1: nothing is ignored.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}
