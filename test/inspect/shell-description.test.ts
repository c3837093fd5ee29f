import { expect, test } from 'vitest'
import type { Inspection } from '../../src/inspect/inspection.ts'
import { inspectPerl } from '../../src/inspect/perl.ts'
import { inspectPowershell } from '../../src/inspect/powershell.ts'
import { inspectRuby } from '../../src/inspect/ruby.ts'
import { inspectShell } from '../../src/inspect/shell/inspect-shell.ts'

test('the leading comment block describes the script', () => {
  expect(shell('#!/bin/bash\n# Resize images\n# to a width.\n\n# Later.\necho hi\n').description).toBe(
    'Resize images to a width.',
  )
})

test('a header with the file name keeps only what follows it', () => {
  expect(shell('#!/bin/sh\n# run.sh - packs the folder\necho\n').description).toBe('packs the folder')
  expect(shell('#!/bin/sh\n#\n# run.sh\n#\n# Packs the folder.\necho\n').description).toBe('Packs the folder.')
})

test('licences, linter lines, mode lines and decoration describe nothing', () => {
  const text = [
    '#!/usr/bin/env bash',
    '# -*- mode: sh -*-',
    '# Copyright 2024 Somebody',
    '# SPDX-License-Identifier: MIT',
    '',
    'set -euo pipefail',
    '# shellcheck disable=SC2086',
    '',
    '#############################',
    '# ===== Backup database =====',
    '# Usage: run.sh <name>',
    '#############################',
    '',
    'pg_dump "$1"',
  ].join('\n')
  expect(shell(text).description).toBe('Backup database')
})

test('a comment on the first statement is not a description of the script', () => {
  expect(shell('#!/bin/bash\nset -e\n\n# Colors\nRED=1\necho\n').description).toBeUndefined()
})

test('a title above a sentence stays apart from it', () => {
  expect(shell('# Hook linter\n# Checks hooks for common mistakes\necho\n').description).toBe(
    'Hook linter. Checks hooks for common mistakes',
  )
})

test("a : '…' block describes the script", () => {
  expect(shell("#!/bin/bash\n: '\nCounts words.\n\nMore.\n'\nwc -w\n").description).toBe('Counts words.')
  expect(shell("#!/bin/bash\n: <<'DOC'\nCounts lines.\nDOC\nwc -l\n").description).toBe('Counts lines.')
})

test('a long description is cut at a word', () => {
  const description = shell(`# ${'word '.repeat(100)}\necho\n`).description ?? ''
  expect(description.length).toBeLessThanOrEqual(256)
  expect(description.endsWith('word…')).toBe(true)
})

test('a file that only defines functions and variables does not run', () => {
  expect(shell('RED=1\nset -e\nlog() { echo "$1"; }\n[[ -n "$X" ]] && return 0\nexport A=2\n').runs).toBe(false)
  expect(shell('f() { :; }\nif [[ "${BASH_SOURCE[0]}" == "$0" ]]; then echo "source me"; exit 1; fi\n').runs).toBe(
    false,
  )
})

test('a file that calls its main function runs', () => {
  expect(shell('main() { echo; }\nif [[ "${BASH_SOURCE[0]}" == "$0" ]]; then main "$@"; fi\n').runs).toBe(true)
  expect(shell('main() { echo; }\n[[ "${BASH_SOURCE[0]}" == "${0}" ]] && main "$@"\n').runs).toBe(true)
  expect(shell('X=1\ndiff -u a b || true\n').runs).toBe(true)
})

test.each([
  ['a binary file', 'echo \u0000\u0001'],
  ['bytes that are not UTF-8', 'echo \ufffd'],
  ['an unterminated quote', 'echo "abc\necho\n'],
  ['an unterminated here-document', 'cat <<EOF\nabc\n'],
  ['an unterminated substitution', 'x=$(echo `a'],
  ['endless nesting', '$('.repeat(100_000)],
  ['another language', '#!/usr/bin/env python3\nfor x in y:\n  pass\n'],
  ['a very long file', 'echo a\n'.repeat(150_000)],
])('%s is free-form, with a note', (_, text) => {
  const inspection = shell(text)
  expect(inspection).toMatchObject({ confidence: 'none', commands: [], runs: true })
  expect(inspection.notes).toHaveLength(1)
})

test('Ruby is described by comments or =begin', () => {
  expect(
    inspectRuby(source('#!/usr/bin/env ruby\n# frozen_string_literal: true\n\n# Sorts gems.\nputs 1\n')),
  ).toMatchObject({
    runs: true,
    description: 'Sorts gems.',
  })
  expect(inspectRuby(source('=begin\nSorts gems.\n=end\nmodule A\n  def x; end\nend\n'))).toMatchObject({
    runs: false,
    description: 'Sorts gems.',
  })
})

test('Perl is described by comments or POD', () => {
  const pod = '#!/usr/bin/perl\nuse strict;\n\n=head1 NAME\n\nrun.sh - counts B<words>\n\n=cut\n\nprint 1;\n'
  expect(inspectPerl(source(pod))).toMatchObject({ runs: true, description: 'counts words' })
  expect(inspectPerl(source('package A;\nsub x {}\n1;\n')).runs).toBe(false)
})

test('PowerShell is described by its help', () => {
  const text =
    '<#\n.SYNOPSIS\n  Restarts the service.\n.PARAMETER Name\n  Which.\n#>\nparam([string]$Name)\nRestart-Service $Name\n'
  expect(inspectPowershell(source(text))).toMatchObject({ runs: true, description: 'Restarts the service.' })
  expect(inspectPowershell(source('function A {\n  1\n}\n')).runs).toBe(false)
})

function shell(text: string): Inspection {
  return inspectShell(source(text))
}

function source(text: string) {
  return { path: 'scripts/run.sh', text, language: 'shell' as const, sibling: () => undefined }
}
