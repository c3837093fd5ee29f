// One connection to a server, in the newest protocol that it speaks.
import type { Client, Transport } from '@modelcontextprotocol/client'
import { minimalEnvironment } from '../process/environment.ts'
import type { Target } from './config.ts'
import { limitedFetch } from './limited-fetch.ts'
import { createStdioTransport } from './stdio-transport.ts'

export type Session = {
  readonly client: Client
  /** How it was reached, to begin with the next time. */
  readonly way: Way
  /** The end of what a local server wrote to stderr. */
  said(): string
  /** Ends the connection and, when it is ours, the server. */
  close(): Promise<void>
}

/**
 * `negotiate` asks for the newest protocol and falls back; `initialize` begins as before 2026-07-28, for servers that end at anything
 * else; `sse` is the transport of 2024.
 */
export type Way = 'negotiate' | 'initialize' | 'sse'

export type OpenOptions = {
  readonly signal: AbortSignal
  readonly hostEnv: NodeJS.ProcessEnv
  /** What worked the last time. */
  readonly way?: Way | undefined
  readonly onToolsChanged: () => void
  readonly onClosed: () => void
}

/** A local server may keep silent at a question it does not know. One that is only slow still understands the older greeting. */
const PROBE_MS = 3000
const FAREWELL_MS = 500

/** Connects. Throws what the SDK throws, with what the server wrote to stderr as `said`. */
export async function openSession(target: Target, options: OpenOptions): Promise<Session> {
  const [first = 'negotiate', ...others] = waysTo(target, options.way)
  let failure: unknown
  try {
    return await open(target, first, options)
  } catch (error) {
    failure = error
  }
  for (const way of others) {
    if (options.signal.aborted || !mayHelp(way, failure)) continue
    try {
      return await open(target, way, options)
    } catch (error) {
      // What the usual way met says more than what a fallback met, but for a server that never began to speak.
      if (way === 'initialize') failure = error
    }
  }
  throw failure
}

function waysTo(target: Target, known: Way | undefined): Way[] {
  if (target.kind === 'stdio') return known === 'initialize' ? ['initialize'] : ['negotiate', 'initialize']
  if (target.transport === 'sse') return ['sse']
  return target.transport === 'http' ? ['negotiate'] : known === 'sse' ? ['sse', 'negotiate'] : ['negotiate', 'sse']
}

/** Whether another way can succeed where one failed. */
function mayHelp(way: Way, failure: unknown): boolean {
  const { code, status } = failure as { code?: unknown; status?: unknown }
  if (way === 'initialize') return code === 'ERA_NEGOTIATION_FAILED'
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 403
}

async function open(target: Target, way: Way, options: OpenOptions): Promise<Session> {
  const sdk = await import('@modelcontextprotocol/client')
  const stdio =
    target.kind === 'stdio'
      ? createStdioTransport(target, { ...minimalEnvironment(options.hostEnv), ...target.env })
      : undefined
  const transport: Transport = stdio ?? httpTransport(sdk, target as Extract<Target, { kind: 'http' }>, way)
  const client = new sdk.Client(
    { name: 'skillwright', version: '1' },
    {
      versionNegotiation: {
        mode: way === 'negotiate' ? 'auto' : 'legacy',
        probe: { timeoutMs: stdio ? PROBE_MS : MAX_TIMEOUT_MS },
      },
      inputRequired: { autoFulfill: false },
    },
  )
  client.onerror = () => {}
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged())
  const end = () => void transport.close()
  try {
    options.signal.throwIfAborted()
    options.signal.addEventListener('abort', end, { once: true })
    await client.connect(transport, { timeout: MAX_TIMEOUT_MS, signal: options.signal })
    options.signal.throwIfAborted()
  } catch (error) {
    await transport.close()
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { said: stdio?.said() })
  } finally {
    options.signal.removeEventListener('abort', end)
  }
  client.onclose = options.onClosed
  return {
    client,
    way,
    said: () => stdio?.said() ?? '',
    async close() {
      if (transport instanceof sdk.StreamableHTTPClientTransport && transport.sessionId !== undefined)
        await Promise.race([transport.terminateSession().catch(() => {}), after(FAREWELL_MS)])
      await client.close()
      await transport.close()
    },
  }
}

function httpTransport(
  sdk: typeof import('@modelcontextprotocol/client'),
  { url, headers }: Extract<Target, { kind: 'http' }>,
  way: Way,
): Transport {
  const options = { requestInit: { headers }, fetch: limitedFetch }
  return way === 'sse'
    ? new sdk.SSEClientTransport(url, options)
    : (new sdk.StreamableHTTPClientTransport(url, options) as Transport)
}

const after = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds).unref())

/** Time limits are signals here. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
