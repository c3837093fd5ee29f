// One MCP server for one connection or request: the SDK speaks the protocol, the handlers here ask the runtime.
import { McpServer } from '@modelcontextprotocol/server'
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { discoveryPrompt } from '../catalogue/discovery-prompt.ts'
import type { Runtime } from '../runtime.ts'
import type { Session } from '../sessions/session.ts'
import type { Caller } from '../types.ts'
import type { Connection, McpOptions } from './mcp-connection.ts'
import { getPrompt, listPrompts } from './mcp-prompts.ts'
import { callOptionsOf } from './mcp-request.ts'
import { createSkillSource } from './mcp-skills.ts'
import { callTool, listTools } from './mcp-tools.ts'
import { packageVersion } from './package-version.ts'
import { createSkillFiles } from './skill-files.ts'

export type ServerFactory = (client: { readonly caller?: Caller | undefined; readonly session?: Session }) => {
  readonly server: McpServer
  readonly connection: Connection
}

/** What changes on disk is told at once where a client listens, and found out after so long where it does not. */
const CHANGING = { ttlMs: 10_000, cacheScope: 'private' } as const
/** The five operations are the same for everybody, always. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const

export function createServerFactory(runtime: Runtime, options: McpOptions = {}): ServerFactory {
  const { mode = 'discovery', pinned = [] } = options
  const files = createSkillFiles()
  const warn = onceEach(options.onWarning ?? (message => process.emitWarning(message, 'SkillwrightWarning')))
  const info = { name: 'skillwright', version: packageVersion() }
  const settings = {
    ...(mode === 'discovery' && { instructions: discoveryPrompt() }),
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
    },
    cacheHints: {
      'tools/list': isFixed({ mode, pinned }) ? FIXED : CHANGING,
      'prompts/list': CHANGING,
      'resources/list': CHANGING,
      'resources/read': CHANGING,
      'resources/templates/list': FIXED,
      'server/discover': FIXED,
    },
  }

  return ({ caller, session }) => {
    const connection: Connection = { runtime, mode, pinned, caller, session }
    const mcp = new McpServer(info, settings)
    const { server } = mcp
    server.setRequestHandler('tools/list', async () => ({ tools: await listTools(connection) }))
    server.setRequestHandler('tools/call', ({ params }, context) =>
      callTool(connection, { name: params.name, args: params.arguments }, callOptionsOf(context)),
    )
    server.setRequestHandler('prompts/list', async () => ({ prompts: await listPrompts(connection) }))
    server.setRequestHandler('prompts/get', ({ params }) =>
      getPrompt(connection, { name: params.name, args: params.arguments?.['arguments'] ?? '' }),
    )
    const source = createSkillSource(connection, files)
    const onWarning = (about: { path: string; message: string }) => warn(`${about.path}: ${about.message}`)
    new SkillsExtension({ source, cacheHint: CHANGING, onWarning }).attach(mcp)
    return { server: mcp, connection }
  }
}

/** Whether `tools/list` of a client without a session never changes. */
export function isFixed({ mode, pinned }: Pick<Connection, 'mode' | 'pinned'>): boolean {
  return mode === 'discovery' && pinned.length === 0
}

/** Tells a connected client of changes until it is gone; then ends its session. */
export function tellOfChanges(server: McpServer, { runtime, session, ...list }: Connection): void {
  const stops = [
    runtime.on('dynamic_tool.reload', () => {
      if (!isFixed(list)) server.sendToolListChanged()
      server.sendPromptListChanged()
      server.sendResourceListChanged()
    }),
    session?.onToolsChanged(() => server.sendToolListChanged()),
  ]
  const before = server.server.onclose
  server.server.onclose = () => {
    before?.()
    for (const stop of stops) stop?.()
    session?.close().catch(() => {})
  }
}

function onceEach(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return message => {
    if (told.has(message) || told.size > 1000) return
    told.add(message)
    tell(message)
  }
}
