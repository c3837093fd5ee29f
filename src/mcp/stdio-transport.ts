// A server as a child process. The SDK's own transport ends only the child: what a launcher such as npx or a shell started
// stays behind. This one gives the server a process group and ends all of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { CALL_MARK, forgetGroup, killMarked, rememberGroup, signalGroup } from '../process/process-tree.ts'
import type { Target } from './config.ts'
import { createLineReader } from './line-reader.ts'

export type StdioTransport = Transport & {
  /** By `pid` and `stderr` the SDK tells that this is a local process, where silence means an old server. */
  readonly pid: number | null
  readonly stderr: null
  /** The end of what the server wrote to stderr. */
  said(): string
}

export type StdioTarget = Extract<Target, { kind: 'stdio' }>

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
const STDERR_KEPT = 4000
/** How long the server may take to end after its stdin is closed, and again after SIGTERM. */
const GRACE_MS = 300

/** `env` is the whole environment of the server. */
export function createStdioTransport(target: StdioTarget, env: Readonly<Record<string, string>>): StdioTransport {
  const mark = randomUUID()
  const lines = createLineReader(MAX_MESSAGE_BYTES, receive)
  let child: ChildProcess | undefined
  let gone: Promise<void> = Promise.resolve()
  let tail = ''
  const inbox: JSONRPCMessage[] = []
  const transport: StdioTransport = {
    start,
    send,
    close,
    stderr: null,
    said: () => tail,
    get pid() {
      return child?.pid ?? null
    },
  }
  return transport

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const started = spawn(target.command, target.args, {
        cwd: target.cwd,
        env: { ...env, [CALL_MARK]: mark },
        detached: true,
        stdio: 'pipe',
        windowsHide: true,
      })
      started.once('error', reject)
      if (started.pid === undefined) return
      child = started
      rememberGroup(started.pid, mark)
      started.once('spawn', () => resolve())
      // The server may close its input when it likes; that it is gone we hear by its end.
      started.stdin.on('error', () => {})
      started.stdout.on('data', (chunk: Buffer) => {
        const isShort = lines.push(chunk)
        if (inbox.length > 1) started.stdout.pause()
        if (isShort) return
        transport.onerror?.(new Error(`a message is longer than ${MAX_MESSAGE_BYTES} bytes`))
        signalGroup(started.pid!, 'SIGKILL')
      })
      started.stderr.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString('utf8')).slice(-STDERR_KEPT)
      })
      gone = new Promise(settle => {
        started.once('exit', () => void sweep(started).then(settle))
      })
    })
  }

  function receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      // Many servers print a greeting before they speak the protocol.
      return
    }
    if (typeof message !== 'object' || message === null) return
    if (inbox.push(message as JSONRPCMessage) === 1) deliver()
  }

  /** One message per turn: the SDK hands notifications on a moment later, and the last progress must not miss its result. */
  function deliver(): void {
    transport.onmessage?.(inbox[0]!)
    setImmediate(() => {
      inbox.shift()
      if (inbox.length > 0) deliver()
      else child?.stdout?.resume()
    })
  }

  /** Rejects when the server has not got the message: it may then be sent to another. */
  function send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = `${JSON.stringify(message)}\n`
      if (!child?.stdin) reject(notConnected())
      child?.stdin?.write(line, error => (error ? reject(notConnected()) : resolve()))
    })
  }

  async function close(): Promise<void> {
    if (child?.pid === undefined) return
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([gone, sleep(GRACE_MS, undefined, { ref: false })])
      if (child.exitCode !== null || child.signalCode !== null) break
      signalGroup(child.pid, signal)
    }
    await gone
  }

  /** The server is gone: so is what it started, also what left its group. */
  async function sweep({ pid, stdout, stderr }: ChildProcess): Promise<void> {
    signalGroup(pid!, 'SIGKILL')
    for (let round = 0; round < 20 && killMarked(new Set([mark])); round++) await sleep(10)
    forgetGroup(pid!)
    // What the server wrote last is still in the pipe.
    await Promise.race([Promise.all([ended(stdout), ended(stderr)]), sleep(GRACE_MS, undefined, { ref: false })])
    while (inbox.length > 0) await nextTurn()
    stdout?.destroy()
    stderr?.destroy()
    transport.onclose?.()
  }
}

const notConnected = () => Object.assign(new Error('Not connected'), { code: 'NOT_CONNECTED' })

function ended(stream: NodeJS.ReadableStream | null): Promise<void> {
  return new Promise(resolve => {
    if (!stream?.readable) resolve()
    else stream.once('close', () => resolve()).once('end', () => resolve())
  })
}
