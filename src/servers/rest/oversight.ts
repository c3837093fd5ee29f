// What became of skills and calls: report, audit, events. Everybody sees what is theirs, admins see all.
import { z } from 'zod'
import { toAuditRecord } from '../../audit/jsonl.ts'
import { queryAudit } from '../../audit/query-audit.ts'
import type { Runtime } from '../../runtime.ts'
import type { Caller, Report, RuntimeEvent } from '../../types.ts'
import { ownSession } from '../sessions.ts'
import { eventSchema, reportSchema, toWireReport } from '../wire.ts'
import { eventStream } from './event-stream.ts'
import { type RestParts, type Route, route } from './route.ts'

const auditQuery = z.strictObject({
  trace: z.string().optional().describe('only this trace; the beginning of its id will do'),
  tool: z.string().optional().describe('only this tool'),
  since: z.iso.datetime({ offset: true }).optional().describe('only what happened then or later'),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('the latest so many'),
})

export function oversightRoutes({ runtime, access, closing, auditFile }: RestParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/report',
      id: 'report',
      summary: 'What became of every skill and file; for callers without an admin role, of the tools they may use.',
      answer: reportSchema,
      handle: async ({ caller }) => {
        const report = await runtime.report()
        return toWireReport(access.isAdmin(caller) ? report : await ownReport(report, runtime, caller))
      },
    }),
    route({
      method: 'get',
      path: '/v1/audit',
      id: 'audit',
      summary: 'The latest events; for callers without an admin role, their own.',
      query: auditQuery,
      answer: z.object({ events: z.array(eventSchema) }),
      handle: async ({ query, caller }) => {
        if (auditFile === false) return { events: [] }
        const callerId = access.isAdmin(caller) ? undefined : caller.id
        return { events: await queryAudit(auditFile, { ...query, callerId }) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/events',
      id: 'events',
      summary: 'Events as they happen; for callers without an admin role, their own.',
      events: 'one for each event of docs/events.md, named like it',
      handle: async ({ caller }) => {
        const isAdmin = access.isAdmin(caller)
        return streamEvents(closing, send =>
          runtime.on('*', event => void ((isAdmin || isOf(event, caller)) && send(event))),
        )
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions/{session_id}/events',
      id: 'events_in_session',
      summary: 'Events of this session as they happen.',
      events: 'one for each event of docs/events.md, named like it',
      handle: async ({ params, caller }) => {
        const session = await ownSession(runtime, params['session_id']!, caller)
        return streamEvents(closing, send => session.on('*', send))
      },
    }),
  ]
}

function streamEvents(closing: AbortSignal, listen: (send: (event: RuntimeEvent) => void) => () => void): Response {
  return eventStream(stream => {
    const stop = listen(event => stream.send(event.type, toAuditRecord(event), { mayBeMissed: true }))
    closing.addEventListener('abort', stream.end)
    return () => {
      closing.removeEventListener('abort', stream.end)
      stop()
    }
  })
}

function isOf(event: RuntimeEvent, caller: Caller): boolean {
  return 'callerId' in event && event.callerId === caller.id
}

/** Files and diagnostics would tell of skills that the caller may not see. */
async function ownReport(report: Report, runtime: Runtime, caller: Caller): Promise<Report> {
  const visible = await runtime.tools({ caller })
  const ids = new Set(visible.map(tool => tool.id))
  const skills = (await runtime.listSkills({ caller })).length
  const tools = report.tools.filter(tool => ids.has(tool.id)).map(({ id, status }) => ({ id, status }))
  const having = (status: string) => tools.filter(tool => tool.status === status).length
  const counts = { skills, ok: having('ok'), invalid: having('invalid'), shadowed: having('shadowed'), leftOut: 0 }
  return { tools, leftOut: [], diagnostics: [], counts }
}
