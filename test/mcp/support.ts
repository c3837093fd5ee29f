import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { McpServers, Runtime, StdioServer } from '../../src/index.ts'
import { makeFolder, makeRuntime } from '../support/folders.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A fixture as a stdio server. */
export function stdio(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): StdioServer {
  return { command: process.execPath, args: [join(FIXTURES, `${name}.mjs`), ...args], env }
}

/** A runtime without skills on these servers. */
export function runtimeOn(mcpServers: McpServers, source = makeFolder()): Promise<Runtime> {
  return makeRuntime(source, { mcpServers })
}

export type Running = { readonly url: string; readonly port: number; stop(): Promise<void> }

/** Starts a fixture that listens on loopback; ended with the test. */
export async function listen(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [join(FIXTURES, `${name}.mjs`), ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => stop(child))
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', chunk => console.error(String(chunk)))
    child.stdout.on('data', chunk => {
      const found = /listening (\d+)/.exec(String(chunk))
      if (found) resolve(Number(found[1]))
    })
    child.once('exit', code => reject(new Error(`${name} ended with ${code}`)))
  })
  return { url: `http://127.0.0.1:${port}/mcp`, port, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** A file that fixtures write to, and its lines so far. */
export function makeLog(): { readonly path: string; lines(): string[] } {
  const path = join(makeFolder(), 'log')
  return { path, lines: () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []) }
}

/** Waits until something holds; fails after two seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 100; round++) {
    if (await holds()) return
    await sleep(20)
  }
  throw new Error('It did not come about.')
}

/** Whether a process is there and not only waiting to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
