// Clients of protocols before 2026-07-28: each `Mcp-Session-Id` is one connection of one caller, until it is deleted or forgotten.
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { SkillInvocationError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Caller } from '../types.ts'
import { openSession } from './mcp-connection.ts'
import { refuse } from './mcp-message.ts'
import { type ServerFactory, tellOfChanges } from './mcp-server.ts'
import { whenSent } from './when-sent.ts'

export type HttpSessionsOptions = {
  /** How long a session of an older client lives without a request or an open stream, in milliseconds. Default: one hour. */
  readonly sessionTtlMs?: number
  /** How many sessions one caller may have; the one that was not used for longest makes room. Default: 100. */
  readonly maxSessionsPerCaller?: number
  /** A folder in which each session gets one of its own. Default: none, they share the workspace of the runtime. */
  readonly workspaces?: string
}

type Held = {
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly timer: NodeJS.Timeout
  /** Requests that are not answered to their end. */
  open: number
}

type Exchange = { readonly body: unknown; readonly caller: Caller | undefined }

export function createHttpSessions(runtime: Runtime, create: ServerFactory, options: HttpSessionsOptions) {
  const { sessionTtlMs = 60 * 60 * 1000, maxSessionsPerCaller = 100 } = options
  /** The one used last stands last. */
  const live = new Map<string, Held>()
  return {
    async fetch(request: Request, { body, caller }: Exchange): Promise<Response> {
      const id = request.headers.get('mcp-session-id')
      if (id === null && isInitializeRequest(body)) return begin(request, { body, caller })
      if (id === null) return refuse(400, -32000, 'Begin with initialize, then send the Mcp-Session-Id it gives.')
      const held = live.get(id)
      // Another caller's session is not even there.
      if (!held || held.owner !== ownerOf(caller))
        return refuse(404, -32001, 'Session not found: begin with initialize.')
      live.delete(id)
      live.set(id, held)
      return serve(held, request, body)
    },
    async close(): Promise<void> {
      await Promise.all([...live.values()].map(held => held.transport.close()))
    },
  }

  async function begin(request: Request, { body, caller }: Exchange): Promise<Response> {
    const owner = ownerOf(caller)
    await makeRoom(owner)
    const session = await openSession(runtime, caller, options.workspaces).catch((error: unknown) => {
      if (error instanceof SkillInvocationError) return error
      throw error
    })
    if (session instanceof SkillInvocationError) return refuse(503, -32000, session.message, { 'retry-after': '60' })
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => session.id })
    const { server, connection } = create({ caller, session })
    tellOfChanges(server, connection)
    const timer = setTimeout(() => (held.open > 0 ? timer.refresh() : void transport.close()), sessionTtlMs).unref()
    const held: Held = { owner, transport, timer, open: 0 }
    live.set(session.id, held)
    const before = server.server.onclose
    server.server.onclose = () => {
      clearTimeout(timer)
      live.delete(session.id)
      before?.()
    }
    await server.connect(transport)
    const response = await serve(held, request, body)
    if (!response.ok) await transport.close()
    return response
  }

  /** Time runs while nothing is open: a client that listens is there, even when it is silent. */
  async function serve(held: Held, request: Request, body: unknown): Promise<Response> {
    held.open++
    const done = () => {
      held.open--
      // A timer that was cleared would begin to run again.
      if (live.has(held.transport.sessionId ?? '')) held.timer.refresh()
    }
    try {
      const response = await held.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
      return whenSent(response, done)
    } catch {
      done()
      return refuse(500, -32603, 'Internal error.')
    }
  }

  async function makeRoom(owner: string): Promise<void> {
    const own = [...live.values()].filter(held => held.owner === owner)
    if (own.length < maxSessionsPerCaller) return
    const oldest = own.find(held => held.open === 0) ?? own[0]
    await oldest?.transport.close()
  }
}

/** Who lost a role is another caller. */
function ownerOf(caller: Caller | undefined): string {
  return JSON.stringify(caller ? [caller.id, ...caller.roles.toSorted()] : [])
}
