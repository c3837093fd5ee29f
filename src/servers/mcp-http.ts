// MCP over Streamable HTTP as one function from request to response. Tokens, Host, Origin and limits are the mounting server's.
import {
  type AuthInfo,
  createMcpHandler as createSdkHandler,
  isJsonContentType,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { Runtime } from '../runtime.ts'
import type { Caller } from '../types.ts'
import type { McpOptions } from './mcp-connection.ts'
import { createHttpSessions, type HttpSessionsOptions } from './mcp-http-sessions.ts'
import { readMessage } from './mcp-message.ts'
import { createServerFactory, isFixed } from './mcp-server.ts'

export type McpHandlerOptions = McpOptions & HttpSessionsOptions

export type McpHandler = {
  /** Answers one request on behalf of a caller; absent: a caller without roles. Never throws. */
  fetch(request: Request, options?: { readonly caller?: Caller }): Promise<Response>
  /** Ends all sessions, streams and running calls. */
  close(): Promise<void>
}

/** Protocol 2026-07-28 without sessions, and the older ones with a session for each `Mcp-Session-Id`. */
export function createMcpHandler(runtime: Runtime, options: McpHandlerOptions = {}): McpHandler {
  const { mode = 'discovery', pinned = [] } = options
  const create = createServerFactory(runtime, options)
  const modern = createSdkHandler(({ authInfo }) => create({ caller: callerOf(authInfo) }).server, { legacy: 'reject' })
  const sessions = createHttpSessions(runtime, create, options)
  const stop = runtime.on('dynamic_tool.reload', () => {
    if (!isFixed({ mode, pinned })) modern.notify.toolsChanged()
    modern.notify.promptsChanged()
    modern.notify.resourcesChanged()
  })
  let isClosed = false

  return {
    async fetch(request, { caller } = {}) {
      if (isClosed) return new Response('This server is closing.', { status: 503 })
      const isPost = request.method === 'POST'
      if (isPost && !isJsonContentType(request.headers.get('content-type'))) return modern.fetch(request)
      const message = isPost ? await readMessage(request) : { body: undefined }
      if ('refusal' in message) return message.refusal
      const { body } = message
      if (await isLegacyRequest(request, body)) return sessions.fetch(request, { body, caller })
      return modern.fetch(request, { parsedBody: body, ...(caller && { authInfo: toAuthInfo(caller) }) })
    },
    async close() {
      isClosed = true
      stop()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
}

/** The way the SDK hands over who asks. */
function toAuthInfo(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.id, scopes: [...caller.roles], extra: { caller } }
}

function callerOf(authInfo: AuthInfo | undefined): Caller | undefined {
  return authInfo?.extra?.['caller'] as Caller | undefined
}
