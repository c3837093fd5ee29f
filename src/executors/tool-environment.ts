import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../types.ts'

export type ToolEnvironment = {
  readonly env: Readonly<Record<string, string>>
  /** Removes what was written for the call. */
  readonly dispose: () => void
}

// Linux takes at most 128 KiB for one variable, its name and the closing NUL included.
const MAX_VARIABLE_BYTES = 128 * 1024 - 256

/**
 * `SKILL_DIR`, `TOOL_ARGS` and `TOOL_ARG_<NAME>`. Arguments too long for a variable are in the file that
 * `TOOL_ARGS_FILE` names.
 */
export function toolEnvironment(args: { readonly [name: string]: Json }, skillFolder: string): ToolEnvironment {
  const json = JSON.stringify(args)
  const env: Record<string, string> = { SKILL_DIR: skillFolder }
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (fits(text)) env[`TOOL_ARG_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`] = text
  }
  if (fits(json)) return { env: { ...env, TOOL_ARGS: json }, dispose: () => {} }

  const folder = mkdtempSync(join(tmpdir(), 'skillwright-'))
  const file = join(folder, 'args.json')
  writeFileSync(file, json, { mode: 0o600 })
  return {
    env: { ...env, TOOL_ARGS_FILE: file },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A NUL cannot stand in a variable; the value still reaches the script through `TOOL_ARGS`. */
const fits = (text: string): boolean => Buffer.byteLength(text) <= MAX_VARIABLE_BYTES && !text.includes('\0')
