import type { ServerContext } from '@modelcontextprotocol/server'
import type { CallOptions } from '../catalogue/discovery-session.ts'
import type { CallUpdate } from '../types.ts'

/** What a request carries besides its arguments: how it is cancelled, its trace, and who hears of progress. */
export function callOptionsOf({ mcpReq }: ServerContext): CallOptions {
  const { signal, _meta } = mcpReq
  const traceId = traceIdOf(_meta?.['traceparent'])
  const token = _meta?.progressToken
  return {
    signal,
    ...(traceId !== undefined && { traceId }),
    ...(token !== undefined && { onUpdate: progressTo(token, mcpReq.notify) }),
  }
}

/** The trace of a W3C `traceparent`; undefined when it is none. */
export function traceIdOf(traceparent: unknown): string | undefined {
  if (typeof traceparent !== 'string') return undefined
  const id = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/.exec(traceparent)?.[1]
  return id === undefined || /^0+$/.test(id) ? undefined : id
}

type Notify = ServerContext['mcpReq']['notify']

/** Progress must grow from notice to notice; what does not is left out. */
function progressTo(progressToken: string | number, notify: Notify): (update: CallUpdate) => void {
  let last = Number.NEGATIVE_INFINITY
  return update => {
    if (update.type !== 'progress' || !(update.progress > last)) return
    last = update.progress
    const { progress, total, message } = update
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    }
    // The client may be gone; the call's own signal tells that.
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
