// `skillwright mcp` as a process: what it writes, and that it leaves nothing behind.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder, skillMd } from '../support/folders.ts'
import { processesWith } from '../support/processes.ts'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** On the command line of its processes, to tell them from all others. */
const NAP = `300.${Date.now()}`

function start(args: readonly string[] = []) {
  const folder = makeFolder({
    'slow/SKILL.md': skillMd('slow'),
    'slow/scripts/wait.sh': `sleep ${NAP} &\ntouch begun-$1\nwait\n`,
  })
  const workspace = makeFolder()
  const child = spawn(process.execPath, [
    ...[MAIN, 'mcp', '--source', folder, '--no-default-sources', '--workspace', workspace, ...args],
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    written.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    written.stderr += chunk
  })
  const ended = new Promise<number | null>(done => child.once('exit', done))
  const lines = () =>
    written.stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { id?: number })
  return { child, workspace, written, ended, lines }
}

function send(child: ChildProcessWithoutNullStreams, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

test('nothing but the protocol is on stdout, and nonsense does not end it', async () => {
  const { child, ended, lines, written } = start(['--pin', 'no.such'])
  child.stdin.write('this is no JSON\n{"half":\n[]\n{"jsonrpc":"2.0"}\n')
  send(child, { id: 1, ...INITIALIZE })
  send(child, { id: 2, method: 'tools/paint' })
  send(child, { id: 3, method: 'tools/call', params: { name: 7 } })
  send(child, { id: 4, method: 'tools/list' })
  await eventually(() => lines().some(one => one.id === 4))
  expect(lines()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32602 }) }),
    ]),
  )
  expect(written.stderr).toContain('--pin no.such')
  expect(written.stderr).toContain('no JSON-RPC')
  child.stdin.end()
  expect(await ended).toBe(0)
})

test.each([
  ['its input ends', (child: ChildProcessWithoutNullStreams) => void child.stdin.end(), 0],
  ['it gets SIGTERM', (child: ChildProcessWithoutNullStreams) => void child.kill('SIGTERM'), 130],
  ['it gets SIGINT', (child: ChildProcessWithoutNullStreams) => void child.kill('SIGINT'), 130],
])('when %s, running calls end with all their processes', async (_, end, code) => {
  const { child, workspace, ended } = start(['--mode', 'flat'])
  send(child, { id: 1, ...INITIALIZE })
  send(child, { method: 'notifications/initialized' })
  const calls = ['a', 'b', 'c']
  for (const [index, name] of calls.entries()) {
    const params = { name: 'slow__wait', arguments: { arguments: [name] } }
    send(child, { id: 2 + index, method: 'tools/call', params })
  }
  await eventually(() => calls.every(name => existsSync(join(workspace, `begun-${name}`))))
  // The shell goes on before its child has become `sleep`.
  await eventually(() => processesWith(NAP).length === calls.length)
  end(child)
  expect(await ended).toBe(code)
  expect(processesWith(NAP)).toEqual([])
})

/** A process takes its time to start. */
function eventually(holds: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(holds()).toBe(true), { timeout: 15_000, interval: 20 })
}
