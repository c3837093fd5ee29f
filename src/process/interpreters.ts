// Which program runs a script. Each is looked up once: a version manager's shim costs ten times the real program.
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join, sep } from 'node:path'
import type { ScriptSpec } from '../types.ts'

export type Interpreter =
  | { readonly found: true; readonly command: string; readonly args: readonly string[] }
  /** `wanted` names the programs that would do. */
  | { readonly found: false; readonly wanted: readonly string[] }

export type Interpreters = {
  /** Never throws. */
  find(script: Pick<ScriptSpec, 'language' | 'shebang'>): Promise<Interpreter>
}

/** Looks programs up in the `PATH` of `env`, once each. */
export function createInterpreters(env: NodeJS.ProcessEnv): Interpreters {
  const programs = new Map<string, Promise<string | undefined>>()
  const locate = (name: string) => {
    const program = programs.get(name) ?? locateProgram(name, env)
    programs.set(name, program)
    return program
  }
  return {
    async find(script) {
      const candidates = candidatesFor(script)
      for (const [name = '', ...args] of candidates) {
        const command = await locate(name)
        if (command !== undefined) return { found: true, command, args }
      }
      return { found: false, wanted: [...new Set(candidates.map(([name = '']) => basename(name)))] }
    },
  }
}

/** Command lines that can run the script, best first. */
function candidatesFor({ language, shebang = [] }: Pick<ScriptSpec, 'language' | 'shebang'>): (readonly string[])[] {
  const program = shebang[0] === undefined ? '' : basename(shebang[0])
  const asWritten = shebang.length > 0 ? [[program, ...shebang.slice(1)]] : []
  switch (language) {
    case 'python':
      return [...(/^(?:python|pypy|uv)/.test(program) ? asWritten : []), ['python3'], ['python']]
    case 'shell':
      return [...(/^(?:ba|z|da|k|a)?sh$/.test(program) ? asWritten : []), ['bash'], ['sh']]
    case 'javascript':
      return [...(/^(?:bun|deno)$/.test(program) ? asWritten : []), [process.execPath]]
    case 'typescript':
      return [...(/^(?:bun|deno|tsx|ts-node)$/.test(program) ? asWritten : []), ...TYPESCRIPT]
    case 'ruby':
      return [['ruby']]
    case 'perl':
      return [['perl']]
    case 'powershell':
      return ['pwsh', 'powershell'].map(name => [name, '-NoProfile', '-NonInteractive', '-File'])
    case 'other':
      return asWritten
  }
}

// Node runs TypeScript itself from 22.18 on.
const NODE_STRIPS_TYPES = 'typescript' in process.features && Boolean(process.features.typescript)
const TYPESCRIPT = [
  ...(NODE_STRIPS_TYPES ? [[process.execPath]] : []),
  ['tsx'],
  ['bun'],
  ['deno', 'run', '--allow-all'],
]

async function locateProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const path = name.includes(sep)
    ? name
    : (env['PATH'] ?? '')
        .split(delimiter)
        .map(folder => join(folder, name))
        .find(isProgram)
  if (path === undefined || !path.includes(`${sep}shims${sep}`)) return path
  const probe = SHIM_PROBES.find(([pattern]) => pattern.test(name))
  return probe ? ((await ask(path, probe[1], env)) ?? path) : path
}

/** How to ask a shim for the program behind it. */
const SHIM_PROBES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:python|pypy)/, ['-c', 'import sys; print(sys.executable)']],
  [/^ruby/, ['-e', 'print RbConfig.ruby']],
  [/^perl/, ['-e', 'print $^X']],
]

function ask(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise(resolve => {
    execFile(command, args, { env, timeout: 10_000 }, (error, stdout) => {
      const path = stdout.trim()
      resolve(error || !isProgram(path) ? undefined : path)
    })
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
