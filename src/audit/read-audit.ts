// The audit file, read back: the latest traces, and totals for each tool. Memory is bounded, however long the file is.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** One line of the audit, as it stands there. */
export type AuditRecord = { readonly event: string; readonly time: string; readonly trace_id: string } & Readonly<
  Record<string, unknown>
>

export type AuditTrace = {
  readonly trace_id: string
  readonly steps: readonly AuditRecord[]
  /** Further steps that are not among `steps`. */
  readonly more: number
}

export type ToolTotal = {
  readonly tool: string
  /** How often it was among the results of a list or search. */
  readonly found: number
  readonly expanded: number
  readonly called: number
  readonly failed: number
  readonly average_ms: number
}

export type Audit = {
  /** Oldest first. */
  readonly traces: readonly AuditTrace[]
  /** Most called first. */
  readonly totals: readonly ToolTotal[]
  /** Lines that could not be read. */
  readonly unreadable: number
}

const LATEST = 20
const MAX_STEPS = 200

/** Reads the steps of discovery and the calls; `trace` is the beginning of a trace's id. Throws as `fs` does. */
export async function readAudit(file: string, { trace }: { readonly trace?: string } = {}): Promise<Audit> {
  const traces = new Map<string, { readonly trace_id: string; readonly steps: AuditRecord[]; more: number }>()
  const totals = new Map<string, { found: number; expanded: number; called: number; failed: number; ms: number }>()
  let unreadable = 0

  for await (const line of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (line === '') continue
    const record = readRecord(line)
    if (!record) unreadable++
    else if (isStep(record) && (trace === undefined || record.trace_id.startsWith(trace))) {
      keep(record)
      count(record)
    }
  }
  return {
    traces: [...traces.values()],
    totals: [...totals]
      .map(([tool, { ms, ...rest }]) => ({
        tool,
        ...rest,
        average_ms: rest.called === 0 ? 0 : Math.round(ms / rest.called),
      }))
      .toSorted(
        (a, b) => b.called - a.called || b.expanded - a.expanded || b.found - a.found || (a.tool < b.tool ? -1 : 1),
      ),
    unreadable,
  }

  function keep(record: AuditRecord): void {
    const known = traces.get(record.trace_id) ?? { trace_id: record.trace_id, steps: [], more: 0 }
    if (known.steps.length < MAX_STEPS) known.steps.push(record)
    else known.more++
    // The one that heard nothing for longest gives way.
    traces.delete(record.trace_id)
    traces.set(record.trace_id, known)
    if (traces.size > LATEST) traces.delete(traces.keys().next().value!)
  }

  function count({ event, results, tool_name, status, latency_ms }: AuditRecord): void {
    if (Array.isArray(results)) for (const id of results) if (isToolId(id)) totalOf(id).found++
    if (typeof tool_name !== 'string' || tool_name === '') return
    if (event === 'discovery.expand_tool' && status === 'ok') totalOf(tool_name).expanded++
    if (event !== 'dynamic_tool.call') return
    const total = totalOf(tool_name)
    total.called++
    if (status !== 'ok') total.failed++
    total.ms += typeof latency_ms === 'number' ? latency_ms : 0
  }

  function totalOf(tool: string) {
    const total = totals.get(tool) ?? { found: 0, expanded: 0, called: 0, failed: 0, ms: 0 }
    totals.set(tool, total)
    return total
  }
}

/** Compiling and retries are no steps of their own. */
function isStep({ event }: AuditRecord): boolean {
  return event === 'dynamic_tool.call' || event.startsWith('discovery.')
}

/** Paths of nodes end with a slash. */
function isToolId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !id.endsWith('/')
}

/** One line of the audit; undefined when it is none. */
export function readRecord(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isRecord = (one: unknown): one is AuditRecord =>
      typeof one === 'object' &&
      one !== null &&
      ['event', 'time', 'trace_id'].every(key => typeof Reflect.get(one, key) === 'string')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
