// What argparse itself says of scripts: asked once, kept in a file when one is named.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Json } from '../src/types.ts'

export type TruthArgument = {
  readonly dest: string
  readonly flags: readonly string[]
  readonly positional: boolean
  readonly required: boolean
  readonly type: string | null
  readonly choices: readonly Json[] | null
  readonly default: Json
  readonly nargs: number | string | null
  readonly action: string
}

export type TruthSubParsers = { readonly dest: string; readonly subparsers: true; readonly names: readonly string[] }

export type TruthRow = TruthArgument | TruthSubParsers

export type Truth = {
  readonly script: string
  readonly commands: Readonly<Record<string, readonly TruthRow[]>>
}

type Asked = { readonly script: string; readonly commands?: Truth['commands']; readonly error?: string }

/** Scripts that the oracle could dump, and how many it could not. */
export function askTruth(oracle: string, folders: readonly string[], cache: string | undefined) {
  const text = cache && existsSync(cache) ? readFileSync(cache, 'utf8') : ask(oracle, folders)
  if (cache && !existsSync(cache)) writeFileSync(cache, text)
  const rows = lines<Asked>(text)
  return {
    known: rows.filter((row): row is Truth => row.commands !== undefined),
    unknown: rows.filter(row => row.commands === undefined),
  }
}

function ask(oracle: string, folders: readonly string[]): string {
  return spawnSync('python3', [oracle, ...folders], { encoding: 'utf8', maxBuffer: 1 << 30 }).stdout
}

/** Python writes infinity in a way that is no JSON; like other values without a JSON form it becomes an object. */
function lines<T>(text: string): T[] {
  return text
    .replace(/: (-?Infinity|NaN)\b/g, ': {"py": "float"}')
    .split('\n')
    .filter(line => line.trim())
    .map(line => JSON.parse(line) as T)
}
