// One configured server: connected when it is needed, again after it was lost, and not too often when it cannot be reached.
import type { CallToolResult } from '@modelcontextprotocol/client'
import { createMask } from '../text/mask-values.ts'
import type { Json, JsonSchema } from '../types.ts'
import { type McpServer, type Target, toTarget } from './config.ts'
import { McpFailure, toFailure } from './failure.ts'
import { fetchTools } from './fetch-tools.ts'
import { openSession, type Session, type Way } from './open-session.ts'
import type { ServedTools } from './read-served-tool.ts'

export type McpCall = {
  readonly tool: string
  readonly args: { readonly [name: string]: Json }
  /** The tool's schema as its server gave it, when it is known: some arguments are sent as headers too. */
  readonly inputSchema?: JsonSchema
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
}

export type ConnectionOptions = {
  readonly workspace: string
  readonly hostEnv: NodeJS.ProcessEnv
  /** Tools came or went. */
  readonly onToolsChanged: () => void
  /** Hears what must not show anywhere. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined
}

type Opened = { readonly opening: Promise<Session>; opened?: Session }

export type Connection = {
  /** All tools of the server. Throws `McpFailure`, or an abort when it takes too long or is closed. */
  list(): Promise<ServedTools>
  /** Throws `McpFailure`, or the signal's reason once it is aborted. */
  call(call: McpCall): Promise<CallToolResult>
  /** Ends the connection and the server's processes. */
  close(): Promise<void>
}

/** One attempt: long enough for a launcher that downloads the server first. */
const CONNECT_MS = 60_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000

export function createConnection(server: string, config: McpServer, options: ConnectionOptions): Connection {
  const closing = new AbortController()
  let session: Opened | undefined
  let endings: Promise<unknown> = Promise.resolve()
  let way: Way | undefined
  let target: Target | undefined
  let wasConnected = false
  let failed: { readonly failure: McpFailure; readonly times: number; readonly until: number } | undefined

  return {
    list() {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONNECT_MS)])
      return onSession(signal, ({ client }) => fetchTools(client, { signal, onUnheard: options.onToolsChanged }))
    },
    async call(call) {
      const result = await onSession(call.signal, session => send(session, call))
      return maskResult(result, (result.isError ? target?.secrets : target?.credentials) ?? [])
    },
    async close() {
      closing.abort()
      const opened = await session?.opening.catch(() => undefined)
      await Promise.all([opened?.close(), endings])
    },
  }

  /** Does something on the connection; on a fresh one when the server cannot have heard of it. */
  async function onSession<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      const opened = await unlessAborted(connect(), signal)
      try {
        return await work(opened)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!isFirst || !wasNotTaken(error, opened)) throw toFailure(error, { server, target, said: opened.said() })
        forget(opened)
      }
    }
  }

  function connect(): Promise<Session> {
    if (session) return session.opening
    const pause = (failed?.until ?? 0) - performance.now()
    if (failed && pause > 0) {
      const { message, hint } = failed.failure
      return Promise.reject(new McpFailure(message, { hint, again: { afterMs: Math.ceil(pause) } }))
    }
    const opening = open()
    const own: Opened = { opening }
    session = own
    opening.then(
      opened => {
        own.opened = opened
        failed = undefined
        // It may be another version than before.
        if (wasConnected) options.onToolsChanged()
        wasConnected = true
      },
      (failure: McpFailure) => {
        session = undefined
        const times = (failed?.times ?? 0) + 1
        const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))
        failed = { failure, times, until: performance.now() + wait }
      },
    )
    return opening
  }

  async function open(): Promise<Session> {
    const limit = AbortSignal.timeout(CONNECT_MS)
    try {
      target = toTarget(config, { env: options.hostEnv, workspace: options.workspace })
      options.onSecrets?.(target.credentials)
      const opened: Session = await openSession(target, {
        signal: AbortSignal.any([closing.signal, limit]),
        hostEnv: options.hostEnv,
        way,
        onToolsChanged: options.onToolsChanged,
        onClosed: () => forget(opened),
      })
      way = opened.way
      return opened
    } catch (error) {
      way = undefined
      const late = limit.aborted ? Object.assign(new Error('timeout'), { code: 'REQUEST_TIMEOUT' }) : error
      throw toFailure(late, { server, target, said: (error as { said?: string }).said })
    }
  }

  function forget(lost: Session): void {
    if (session?.opened !== lost) return
    session = undefined
    endings = Promise.allSettled([endings, lost.close()])
  }
}

function send({ client }: Session, { tool, args, inputSchema, signal, onProgress }: McpCall): Promise<CallToolResult> {
  const definition = { name: tool, inputSchema: { ...inputSchema, type: 'object' as const } }
  return client.callTool(
    { name: tool, arguments: args },
    {
      signal,
      timeout: MAX_TIMEOUT_MS,
      ...(inputSchema && { toolDefinition: definition as never }),
      ...(onProgress && { onprogress: onProgress as never }),
    },
  )
}

/** What a tool says may repeat what its server was given. */
function maskResult(result: CallToolResult, secrets: readonly string[]): CallToolResult {
  return secrets.length === 0 ? result : (createMask(secrets).data(result as Json) as CallToolResult)
}

/** True when the server cannot have begun the call: it was never sent, or the server does not know the session any more. */
function wasNotTaken(error: unknown, { client }: Session): boolean {
  const { message = '', code, status } = error as { message?: string; code?: unknown; status?: unknown }
  if (message === 'Not connected' || code === 'NOT_CONNECTED') return true
  if (client.transport?.sessionId === undefined) return false
  // The specification says 404; many servers say 400.
  return status === 404 || (status === 400 && /session/i.test(message))
}

/** The connection is for all calls: one that is cancelled stops waiting, the connecting goes on. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Time limits are signals here. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
