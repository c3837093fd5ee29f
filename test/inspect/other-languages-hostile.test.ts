// Ruby, Perl and PowerShell files that nobody would write: an answer, no error, and in little time.
import { expect, test } from 'vitest'
import { inspectScript } from '../../src/inspect/inspect-script.ts'
import type { Language } from '../../src/types.ts'

const cases: readonly (readonly [string, Language, string])[] = [
  ['comments that do not end', 'powershell', '<#'.repeat(60_000)],
  ['brackets', 'powershell', `param(${'['.repeat(30_000)}`],
  ['thousands of parameters', 'powershell', `param(${'[string]$A = "x",\n'.repeat(5000)}[int]$B)`],
  ['blanks', 'powershell', `${' '.repeat(200_000)}x`],
  ['blocks that do not end', 'ruby', '=begin\n'.repeat(30_000)],
  ['thousands of options', 'ruby', 'opts.on("-a", "--abc X") { |x| options[:a] = x }\n'.repeat(4000)],
  ['calls that do not end', 'ruby', 'opts.on('.repeat(30_000)],
  ['thousands of arguments', 'ruby', 'x = ARGV[0]\n'.repeat(15_000)],
  ['documentation that does not end', 'perl', '=pod\n'.repeat(30_000)],
  ['calls that do not end', 'perl', 'GetOptions('.repeat(10_000)],
  ['quotes that do not end', 'perl', `GetOptions("${'\\'.repeat(60_000)}`],
  ['blanks', 'perl', `my $x${' '.repeat(100_000)}`],
  ['words', 'perl', `${'die '.repeat(30_000)}GetOptions('a=s' => \\$a);`],
]

test.each(cases)('%s in %s are read in time', (_, language, text) => {
  const start = process.cpuUsage()
  const inspection = inspectScript({ path: 'x', text, language, sibling: () => undefined })
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(600)
  expect(inspection.commands.length).toBeLessThanOrEqual(1)
})

test.each(['ruby', 'perl', 'powershell'] as const)('what is no %s text is free-form and says why', language => {
  for (const text of ['\u0000\u0001', 'x\ufffd', 'a\n'.repeat(600_000)]) {
    const inspection = inspectScript({ path: 'x', text, language, sibling: () => undefined })
    expect(inspection).toMatchObject({ confidence: 'none', commands: [], runs: true })
    expect(inspection.notes).toHaveLength(1)
  }
})
