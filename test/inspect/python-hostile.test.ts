import { describe, expect, it } from 'vitest'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('')

const CALLS = (index: number) => repeat(20, other => `    f${(index + other + 1) % 300}()\n`)

/** Generous: each takes about 50 ms on a warm and idle machine. */
const MOST_MILLISECONDS = 400

describe('a hostile script', () => {
  it.each([
    ['branches', `import sys\nx = sys.argv[1]\nif x:\n    pass\n${repeat(4000, i => `elif x == "${i}":\n    pass\n`)}`],
    ['cases', `import sys\nmatch sys.argv[1]:\n${repeat(3000, i => `    case "${i}":\n        print(1)\n`)}`],
    [
      'functions that call each other',
      `import sys\n${repeat(300, i => `def f${i}():\n    print(sys.argv[1])\n${CALLS(i)}`)}f0()\n`,
    ],
    [
      'decorators',
      `import click\n@click.command()\n${repeat(5000, i => `@click.option("--a${i}")\n`)}def f():\n    pass\nf()\n`,
    ],
    [
      'commands',
      `import click\n@click.group()\ndef g(): pass\n${repeat(3000, i => `@g.command()\ndef c${i}(): pass\n`)}g()\n`,
    ],
    [
      'arguments',
      `import argparse\np = argparse.ArgumentParser()\n${repeat(3000, i => `p.add_argument("--a${i}")\n`)}p.parse_args()\n`,
    ],
    ['words', `import sys\nc = sys.argv[1]\n${repeat(3000, i => `if c == "w${i}":\n    print(sys.argv[2])\n`)}`],
    [
      'usage',
      `"""Usage:\n${repeat(5000, i => `  x.py c${i} <a> [b] --flag=<x>\n`)}"""\nimport sys\nprint(sys.argv[1])\n`,
    ],
    ['imports', repeat(8000, i => `import m${i}\n`)],
    ['brackets', `x = ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`],
    ['brackets side by side', `x = ${repeat(300, () => `${'['.repeat(190)}${']'.repeat(190)} + `)}1\n`],
    ['operators', `x = ${'not '.repeat(40_000)}1\n`],
    ['nested comprehensions', `import sys\nprint(${'[x for x in '.repeat(100)}sys.argv[1:]${']'.repeat(100)})\n`],
    ['nested maps', `import sys\nprint(${'list(map(int, '.repeat(90)}sys.argv[1:]${'))'.repeat(90)})\n`],
    ['blank lines', `print(1)\n${'\n'.repeat(190_000)}`],
    [
      'lists that double',
      `import argparse\nx = [1]\n${'x = x + x\n'.repeat(60)}argparse.ArgumentParser().parse_args()\n`,
    ],
  ])('of many %s takes little time', (_, text) => {
    const start = process.cpuUsage()
    inspectPython({ path: 'x.py', text, language: 'python', sibling: () => undefined })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(MOST_MILLISECONDS)
  })
})
