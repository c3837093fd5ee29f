import { extname } from 'node:path'
import type { Language } from '../types.ts'

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.sh': 'shell',
  '.bash': 'shell',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.ts': 'typescript',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.ps1': 'powershell',
}

const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/^(?:python|pypy|uv$)/, 'python'],
  [/^(?:ba|z|da|k|a)?sh$/, 'shell'],
  [/^node/, 'javascript'],
  [/^(?:bun|deno|tsx|ts-node)$/, 'typescript'],
  [/^ruby/, 'ruby'],
  [/^perl/, 'perl'],
  [/^(?:pwsh|powershell)$/, 'powershell'],
]

/** The language of a file by its name; undefined when the name does not tell. */
export function languageOfName(file: string): Language | undefined {
  return BY_EXTENSION[extname(file).toLowerCase()]
}

/** The language that a `#!` line asks for. */
export function languageOfShebang(shebang: readonly string[]): Language {
  const program = (shebang[0] ?? '').split('/').at(-1) ?? ''
  return BY_PROGRAM.find(([pattern]) => pattern.test(program))?.[1] ?? 'other'
}

/** Program and arguments of a `#!` line, with `env` and its options taken away. */
export function readShebang(text: string): readonly string[] | undefined {
  const line = /^\uFEFF?#!([^\n]*)/.exec(text)?.[1]?.trim()
  if (!line) return undefined
  const words = line.split(/\s+/)
  if (!/(?:^|\/)env$/.test(words[0]!)) return words
  const rest = words.slice(1).filter(word => word !== '-S' && !/^\w+=/.test(word))
  return rest.length > 0 ? rest : undefined
}
