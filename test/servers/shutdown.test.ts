// The real command, a real signal, real processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'
import { processesWith } from '../support/processes.ts'
import { args, dial } from './grpc-client.ts'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

type Started = { child: ChildProcess; workspace: string; addresses: { rest: string; mcp: string; grpc: string } }

async function startCommand(...options: string[]): Promise<Started> {
  const workspace = makeFolder()
  const source = makeFolder({
    'nap/SKILL.md': skillMd('nap'),
    // The number on the command line tells the processes of this test from all others.
    'nap/scripts/sleep.sh':
      '#!/bin/sh\n# Sleeps.\n# Usage: sleep.sh <name> <seconds>\ntouch "begun-$1"\nsleep "$2" & wait\necho "slept $1"\n',
  })
  const common = ['--source', source, '--no-default-sources', '--workspace', workspace, '--port', '0', '--json']
  const child = spawn(process.execPath, [MAIN, 'serve', ...common, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return { child, workspace, addresses: JSON.parse(line) }
}

async function begun({ workspace }: Started, count: number): Promise<void> {
  const files = () => readdirSync(workspace).filter(name => name.startsWith('begun-')).length
  await expect.poll(files, { timeout: 25_000 }).toBe(count)
}

/** 10 calls over REST and 10 over gRPC; what each of them ends with. */
async function twentyCalls({ addresses }: Started, seconds: string): Promise<Promise<string>[]> {
  const rest = Array.from({ length: 10 }, async (_, i) => {
    const body = JSON.stringify({ args: { arguments: [`rest-${i}`, seconds] } })
    const response = await fetch(`${addresses.rest}/tools/nap.sleep/call`, { method: 'POST', body })
    const answer = (await response.json()) as { ok?: boolean; code?: string }
    return answer.ok ? 'ok' : `${response.status} ${answer.code}`
  })
  const peer = await dial(addresses.grpc)
  const grpc = Array.from({ length: 10 }, async (_, i) => {
    const request = { tool_name: 'nap.sleep', args: args({ arguments: [`grpc-${i}`, seconds] }) }
    return peer.stream('Execute', request).then(
      () => 'ok',
      error => `${error.code} ${error.details.split(':')[0]}`,
    )
  })
  return [...rest, ...grpc]
}

test('SIGTERM during 20 calls lets them finish in the time of grace', { timeout: 60_000 }, async () => {
  const started = await startCommand('--grace', '30')
  const calls = await twentyCalls(started, '4.0017')
  await begun(started, 20)
  started.child.kill('SIGTERM')
  const ended = once(started.child, 'exit')
  expect(await Promise.all(calls)).toEqual(Array(20).fill('ok'))
  expect(await ended).toEqual([0, null])
  expect(processesWith('4.0017')).toEqual([])
})

test('after the time of grace they are cancelled: every caller is told, no process stays', {
  timeout: 60_000,
}, async () => {
  const started = await startCommand('--grace', '1')
  const calls = await twentyCalls(started, '300.0029')
  await begun(started, 20)
  expect(processesWith('300.0029').length).toBeGreaterThan(0)
  started.child.kill('SIGTERM')
  const ended = once(started.child, 'exit')
  const answers = await Promise.all(calls)
  expect(answers.slice(0, 10)).toEqual(Array(10).fill('503 RUNTIME_CLOSED'))
  expect(answers.slice(10)).toEqual(Array(10).fill('14 RUNTIME_CLOSED'))
  expect(await ended).toEqual([0, null])
  expect(processesWith('300.0029')).toEqual([])
})

test('a second signal does not wait', { timeout: 60_000 }, async () => {
  const started = await startCommand('--grace', '600')
  const body = JSON.stringify({ args: { arguments: ['one', '300.0031'] } })
  const call = fetch(`${started.addresses.rest}/tools/nap.sleep/call`, { method: 'POST', body })
  await begun(started, 1)
  started.child.kill('SIGTERM')
  await expect.poll(() => fetch(started.addresses.rest).catch(() => 'refused')).toBe('refused')
  started.child.kill('SIGTERM')
  expect((await call).status).toBe(503)
  await expect.poll(() => started.child.exitCode, { timeout: 5000 }).toBe(0)
  expect(processesWith('300.0031')).toEqual([])
})
