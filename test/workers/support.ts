import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInterpreters } from '../../src/process/interpreters.ts'
import { descendantsOf } from '../../src/process/process-tree.ts'
import type { RunRequest } from '../../src/process/run-request.ts'
import { makeFolder } from '../support/folders.ts'

const PYTHON = (await createInterpreters(process.env).locate('python3'))!

export const COMMANDS = { python: PYTHON, node: process.execPath, sh: '/bin/sh' }
const EXTENSIONS = { python: 'py', node: 'js', sh: 'sh' }

export type Prepared = { readonly folder: string; readonly workspace: string; readonly script: string }

/** A skill's folder with one script, and a workspace. */
export function prepare(language: keyof typeof COMMANDS, source: string): Prepared {
  const name = `main.${EXTENSIONS[language]}`
  const folder = makeFolder({ [name]: source })
  return { folder, workspace: makeFolder(), script: join(folder, name) }
}

/** A confined call of the script. */
export function requestOf({ folder, workspace, script }: Prepared, more: Partial<RunRequest> = {}): RunRequest {
  const language = script.endsWith('.py') ? 'python' : script.endsWith('.sh') ? 'sh' : 'node'
  return {
    command: COMMANDS[language],
    args: [script],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere', LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    callId: randomUUID(),
    stdout: { keep: 100_000 },
    stderr: { keep: 100_000 },
    confinement: {
      read: [folder],
      write: [workspace],
      hide: [],
      protect: [],
      network: 'none',
      limits: { memoryMb: 512, processes: 64, fileMb: 64, tempMb: 64 },
    },
    ...(language !== 'sh' && { warm: { interpreter: language, fixedArgs: 1, script } }),
    ...more,
  }
}

/** Living processes below this one, by command line. */
export function childrenNow(): string[] {
  return descendantsOf(process.pid).flatMap(({ pid }) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return line === '' ? [] : [line]
    } catch {
      return []
    }
  })
}

/** Calls until a condition holds; a worker takes its time to start. */
export async function until<T>(call: () => Promise<T>, isGood: (one: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const one = await call()
    if (isGood(one)) return one
    if (tries === 40) throw new Error(`It never became so: ${JSON.stringify(one)}`)
    await sleep(150)
  }
}
