// The five operations of discovery, for each caller and for each session.
import type { DiscoverySession } from '../../catalogue/discovery-session.ts'
import { OPERATIONS, type OperationName } from '../../catalogue/operations.ts'
import type { Runtime } from '../../runtime.ts'
import type { Caller } from '../../types.ts'
import { problem } from '../problem.ts'
import { answerCall, CALL_EVENTS, callQuery } from './call.ts'
import { type Incoming, type Route, route } from './route.ts'

type Find = (incoming: Pick<Incoming<unknown, unknown>, 'params' | 'caller'>) => Promise<DiscoverySession>

/** One route for each operation, below a path; `find` gives the session that a request is about. */
export function discoveryRoutes(prefix: string, suffix: string, find: Find): Route[] {
  const looking = (['list', 'search_tool_by_category', 'search_nodes', 'expand_tool'] as const).map(name =>
    route({
      ...about(name),
      handle: async incoming => {
        const session = await find(incoming)
        const answer: object = await session[name](incoming.body as never)
        return 'error' in answer ? problem(answer.error as Parameters<typeof problem>[0]) : answer
      },
    }),
  )
  const calling = route({
    ...about('call_tool'),
    query: callQuery,
    events: CALL_EVENTS,
    handle: async incoming => {
      const session = await find(incoming)
      return answerCall(incoming, options => session.call_tool(incoming.body, options))
    },
  })
  return [...looking, calling]

  function about<Name extends OperationName>(name: Name) {
    const { request, response, description } = OPERATIONS[name]
    return {
      method: 'post' as const,
      path: `${prefix}/${name}`,
      id: `${name}${suffix}`,
      summary: description,
      body: request as (typeof OPERATIONS)[Name]['request'],
      checksBody: true,
      answer: response,
    }
  }
}

/** Callers whose steps are remembered; the one that was silent longest begins anew. */
const MAX_CALLERS = 1000

/** Each caller's own way through the catalogue, for clients that open no session. */
export function createCallerDiscovery({ discovery }: Pick<Runtime, 'discovery'>): (caller: Caller) => DiscoverySession {
  const sessions = new Map<string, DiscoverySession>()
  return caller => {
    const key = JSON.stringify([caller.id, caller.roles])
    const session = sessions.get(key) ?? discovery.session({ caller })
    sessions.delete(key)
    sessions.set(key, session)
    if (sessions.size > MAX_CALLERS) sessions.delete(sessions.keys().next().value!)
    return session
  }
}
