import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type AuditRecord, readRecord } from './read-audit.ts'

export type AuditQuery = {
  /** The beginning of a trace's id. */
  readonly trace?: string | undefined
  readonly tool?: string | undefined
  /** An ISO time. */
  readonly since?: string | undefined
  /** Only what this caller did. */
  readonly callerId?: string | undefined
  readonly limit: number
}

/** The latest records of the file that fit, oldest first; none when there is no file yet. Memory is bounded by the limit. */
export async function queryAudit(file: string, query: AuditQuery): Promise<readonly AuditRecord[]> {
  if (!existsSync(file)) return []
  const since = query.since === undefined ? 0 : Date.parse(query.since)
  const kept: AuditRecord[] = []
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    const record = line === '' ? undefined : readRecord(line)
    if (!record || !fits(record)) continue
    kept.push(record)
    if (kept.length >= 2 * query.limit) kept.splice(0, kept.length - query.limit)
  }
  return kept.slice(-query.limit)

  function fits(record: AuditRecord): boolean {
    return (
      (query.callerId === undefined || record['caller_id'] === query.callerId) &&
      (query.tool === undefined || record['tool_name'] === query.tool) &&
      (query.trace === undefined || record.trace_id.startsWith(query.trace)) &&
      (since === 0 || Date.parse(record.time) >= since)
    )
  }
}
