import { readFileSync } from 'node:fs'

type Length = 'short' | 'medium' | 'long'

interface Options {
  file: string
  length: Length
  bullets: number
}

function fail(message: string): never {
  console.error(message)
  process.exit(64)
}

function parseOptions(argv: readonly string[]): Options {
  let file: string | undefined
  let length: Length = 'medium'
  let bullets = 5
  let i = 0
  while (i < argv.length) {
    const arg = argv[i] as string
    if (arg === '--length' || arg === '-l') {
      const value = argv[i + 1]
      if (value !== 'short' && value !== 'medium' && value !== 'long') fail('bad length')
      length = value
      i += 2
      continue
    }
    if (arg === '--bullets') {
      bullets = Number.parseInt(argv[i + 1] ?? '', 10)
      i += 2
      continue
    }
    if (arg.startsWith('-')) fail(`unknown option ${arg}`)
    file = arg
    i += 1
  }
  if (file === undefined) fail('which file?')
  return { file, length, bullets }
}

try {
  const options = parseOptions(process.argv.slice(2))
  console.log(readFileSync(options.file, 'utf8').slice(0, options.bullets * 80), options.length)
} catch (error: unknown) {
  fail(String(error))
}
