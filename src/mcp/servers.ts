// All configured servers: what they offer, calling them, ending them.
import type { CallToolResult } from '@modelcontextprotocol/client'
import { checkServer, type McpServers } from './config.ts'
import { type Connection, createConnection, type McpCall } from './connection.ts'
import { McpFailure, toFailure } from './failure.ts'
import type { ServedTools } from './read-served-tool.ts'

export type ServerListing = ServedTools & {
  readonly server: string
  /** Why the tools are missing, or may be outdated. */
  readonly failure?: { readonly message: string; readonly hint: string }
  /** Keys of its configuration that mean nothing here. */
  readonly unknownKeys: readonly string[]
}

export type Servers = {
  /**
   * What each server offers; the same list until something changes. The first time it connects to all servers at once and waits a
   * limited time for them. Never throws.
   */
  list(): Promise<readonly ServerListing[]>
  /** Throws `McpFailure`, or the signal's reason once it is aborted. */
  call(server: string, call: McpCall): Promise<CallToolResult>
  /** Ends all connections, and the processes of the servers that were started. */
  close(): Promise<void>
}

export type ServersOptions = {
  readonly workspace: string
  readonly hostEnv: NodeJS.ProcessEnv
  /** How long the first listing waits for a server; one that comes later is told of by `onChanged`. Default: 10,000. */
  readonly patienceMs?: number
  /** The next `list()` will give something new. */
  readonly onChanged?: () => void
  /** Hears what the servers are given and what must not show anywhere. */
  readonly onSecrets?: (values: readonly string[]) => void
}

/** A server that tells of changes without end must not keep everyone busy. */
const CHANGE_MS = 1000
/** How long a listing waits when there are tools to go on with. */
const REFRESH_MS = 2000

/** Nothing is started yet. Throws `TypeError` on a configuration that cannot be meant. */
export function createServers(config: McpServers, options: ServersOptions): Servers {
  const { patienceMs = 10_000 } = options
  let listing: Promise<readonly ServerListing[]> | undefined
  const changed = () => {
    listing = undefined
    options.onChanged?.()
  }
  const checked = Object.entries(config).map(([name, server]) => ({
    name,
    server,
    unknownKeys: checkServer(name, server),
  }))
  const entries = checked
    .filter(({ server }) => !server.disabled)
    .map(({ name, server, unknownKeys }) => {
      const connection: Connection = createConnection(name, server, {
        workspace: options.workspace,
        hostEnv: options.hostEnv,
        onSecrets: options.onSecrets,
        onToolsChanged: atMostEvery(CHANGE_MS, () => {
          tools.expire()
          changed()
        }),
      })
      const tools = keepTools(name, connection, patienceMs, changed)
      return { name, unknownKeys, connection, tools }
    })

  return {
    list() {
      for (const { tools } of entries) tools.retry()
      listing ??= Promise.all(
        entries.map(async ({ name, unknownKeys, tools }) => ({
          server: name,
          unknownKeys,
          ...(await tools.get()),
        })),
      )
      return listing
    },
    async call(server, call) {
      const entry = entries.find(({ name }) => name === server)
      if (entry) return entry.connection.call(call)
      const known = entries.map(({ name }) => name).join(', ') || 'none'
      throw new McpFailure(`There is no MCP server ${JSON.stringify(server)}.`, {
        hint: `Add it to \`mcpServers\`; configured: ${known}.`,
      })
    },
    async close() {
      await Promise.all(entries.map(({ connection }) => connection.close()))
    },
  }
}

/** The tools of one server as they were last heard of. */
function keepTools(name: string, connection: Connection, patienceMs: number, changed: () => void) {
  let known: ServedTools = { tools: [], refused: [] }
  let failure: McpFailure | undefined
  let isFresh = false
  let wasLoaded = false
  let loading: Promise<void> | undefined

  return {
    async get(): Promise<ServedTools & Pick<ServerListing, 'failure'>> {
      const patience = wasLoaded ? Math.min(patienceMs, REFRESH_MS) : patienceMs
      if (!isFresh && (await Promise.race([load(), after(patience)])) === 'late')
        failure = new McpFailure(`The MCP server ${name} did not answer within ${patience / 1000} s.`, {
          hint: 'Its tools appear when it does. If it never does, check its configuration.',
        })
      return { ...known, ...(failure && { failure: { message: failure.message, hint: failure.hint } }) }
    },
    /** One that failed is asked again behind the scenes: nobody waits twice for a server that hangs. */
    retry() {
      if (failure) void load()
    },
    expire() {
      isFresh = false
    },
  }

  function load(): Promise<void> {
    if (loading) return loading
    isFresh = true
    loading = connection
      .list()
      .then(
        tools => {
          if (failure) changed()
          known = tools
          failure = undefined
          wasLoaded = true
        },
        (error: unknown) => {
          failure = toFailure(error, { server: name })
        },
      )
      .then(() => {
        loading = undefined
        // Something changed while the list was on its way.
        if (!isFresh) changed()
      })
    return loading
  }
}

const after = (milliseconds: number) =>
  new Promise<'late'>(resolve => {
    setTimeout(() => resolve('late'), milliseconds).unref()
  })

/** Runs at once, then at most once in the given time; the last time for whatever came in between. */
function atMostEvery(milliseconds: number, run: () => void): () => void {
  let isResting = false
  let isWanted = false
  return function ask() {
    isWanted = isResting
    if (isResting) return
    isResting = true
    run()
    setTimeout(() => {
      isResting = false
      if (isWanted) ask()
    }, milliseconds).unref()
  }
}
