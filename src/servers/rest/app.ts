// The HTTP application: the door, then one route, then its answer. Knows nothing of sockets.
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { SkillInvocationError, toolError } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import type { Guard } from '../guard.ts'
import type { McpHandler } from '../mcp-http.ts'
import { problemOf, problemOfThrown } from '../problem.ts'
import { createCallerDiscovery, discoveryRoutes } from './discovery.ts'
import { importRoutes } from './import.ts'
import { openApiDocument } from './openapi.ts'
import { oversightRoutes } from './oversight.ts'
import { check, readJson } from './read-request.ts'
import { type RestParts, type Route, route } from './route.ts'
import { sessionRoutes } from './sessions.ts'
import { skillRoutes } from './skills.ts'
import { toolRoutes } from './tools.ts'

export type RestAppOptions = RestParts & {
  readonly guard: Guard
  /** Of the package, for the OpenAPI document. */
  readonly version: string
  readonly mcp?: McpHandler
  /** Who is at the other end of a request; for limits. */
  readonly addressOf: (context: Context) => string
}

export function createRestApp(options: RestAppOptions): Hono {
  const { guard, access, mcp } = options
  const routes = allRoutes(options)
  const app = new Hono()
  app.onError(problemOfThrown)
  app.notFound(context =>
    admitted(context, false, () => {
      throw nothingHere(context)
    }),
  )
  app.use(async (context, next) => {
    const origin = context.req.header('origin')
    if (!origin || !access.isAllowedOrigin(origin)) return next()
    if (context.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: corsHeaders(origin) })
    await next()
    for (const [name, value] of Object.entries(corsHeaders(origin))) context.header(name, value)
  })
  for (const one of routes)
    app.on(one.method.toUpperCase(), one.path.replaceAll(/\{(\w+)\}/g, ':$1'), context =>
      admitted(context, one.isOpen ?? false, caller => answer(one, context, caller)),
    )
  const document = openApiDocument(routes, options.version)
  app.get('/openapi.json', context => admitted(context, false, async () => Response.json(document)))
  if (mcp) app.all('/mcp', context => admitted(context, false, caller => mcp.fetch(context.req.raw, { caller })))
  return app

  async function admitted(
    context: Context,
    isOpen: boolean,
    go: (caller: Caller) => Promise<Response>,
  ): Promise<Response> {
    const header = (name: string) => context.req.header(name)
    const knock = { host: header('host'), origin: header('origin'), authorization: header('authorization') }
    const admission = (isOpen ? guard.admitAnyone : guard.admit)(knock, options.addressOf(context))
    if (admission.ok) return go(admission.caller)
    const { error, retryAfterSec } = admission
    const headers = {
      ...(error.code === 'TOKEN_REQUIRED' && { 'www-authenticate': 'Bearer realm="skillwright"' }),
      ...(retryAfterSec !== undefined && { 'retry-after': String(retryAfterSec) }),
    }
    return problemOf(error, { headers })
  }
}

async function answer(one: Route, context: Context, caller: Caller): Promise<Response> {
  const request = context.req.raw
  const given = one.body && (await readJson(request))
  const body = one.body && !one.checksBody ? check(given, one.body) : given
  const query = one.query && check(context.req.query(), one.query)
  const params = context.req.param() as Readonly<Record<string, string>>
  const result = await one.handle({ params, query, body, caller, signal: request.signal, request })
  if (result instanceof Response) return result
  return result === undefined
    ? new Response(null, { status: one.status ?? 204 })
    : Response.json(result, { status: one.status ?? 200 })
}

function allRoutes(parts: RestParts): Route[] {
  const { runtime, closing } = parts
  const discoveryOf = createCallerDiscovery(runtime)
  return [
    ...discoveryRoutes('/v1', '', async ({ caller }) => discoveryOf(caller)),
    ...toolRoutes('/v1', '', async ({ caller }) => ({
      tools: () => runtime.tools({ caller }),
      call: call => runtime.call({ ...call, caller }),
    })),
    ...skillRoutes(runtime),
    ...sessionRoutes(parts),
    ...oversightRoutes(parts),
    ...importRoutes(parts),
    ...healthRoutes(closing),
  ]
}

/** For those who look after servers: they tell nothing, and need no token. */
function healthRoutes(closing: AbortSignal): Route[] {
  const answer = z.object({ status: z.literal('ok') })
  const open = { method: 'get', answer, isOpen: true } as const
  return [
    route({
      ...open,
      path: '/health',
      id: 'health',
      summary: 'The process lives.',
      handle: async () => ({ status: 'ok' }),
    }),
    route({
      ...open,
      path: '/ready',
      id: 'ready',
      summary: 'Requests are welcome; 503 while it shuts down.',
      handle: async () => {
        if (!closing.aborted) return { status: 'ok' }
        throw new SkillInvocationError(
          toolError('RUNTIME_CLOSED', 'The server is shutting down.', { nextAction: 'Ask another one.' }),
        )
      },
    }),
  ]
}

function nothingHere({ req }: Context): SkillInvocationError {
  return new SkillInvocationError(
    toolError('ROUTE_NOT_FOUND', `There is nothing for ${req.method} at ${JSON.stringify(req.path.slice(0, 200))}.`, {
      nextAction: 'Look into /openapi.json for what there is.',
    }),
  )
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
    'access-control-expose-headers': 'mcp-session-id, retry-after',
    'access-control-max-age': '600',
    vary: 'origin',
  }
}
