import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes `count` skills as they are in the wild: a median body of about 3.5 KB and, for every third, two scripts. */
export function generateSkills(folder: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const name = `skill-${i}`
    mkdirSync(join(folder, name, 'scripts'), { recursive: true })
    writeFileSync(join(folder, name, 'SKILL.md'), frontmatter(name, i) + BODY)
    if (i % 3 !== 0) continue
    writeFileSync(join(folder, name, 'scripts', 'run.py'), PYTHON)
    writeFileSync(join(folder, name, 'scripts', 'check.sh'), SHELL)
  }
}

const frontmatter = (name: string, i: number) => `---
name: ${name}
description: Does job number ${i} on documents, tables and images. Use when a user asks for job ${i} or names a file of that kind.
license: MIT
allowed-tools: Bash Read
metadata:
  author: somebody
  version: "1.${i}"
---
`

const BODY = `# How to do it\n\n${'Read the file first, then say what it holds, and ask before anything is changed.\n'.repeat(43)}`

const PYTHON = `#!/usr/bin/env python3
"""Runs the job on one file."""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("path")
parser.add_argument("--limit", type=int, default=10)
args = parser.parse_args()
print(args.path, args.limit)
`

const SHELL = `#!/bin/sh
# Checks that a file is there.
[ -f "$1" ] && echo yes || echo no
`
