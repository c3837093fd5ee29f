// What the commands of the catalogue have in common.
import type { DiscoverySession } from '../catalogue/discovery-session.ts'
import type { ErrorResponse, ToolPointer } from '../catalogue/operations.ts'
import type { Runtime } from '../runtime.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { complain, dim, printJson, red } from './output.ts'
import { UsageError } from './usage-error.ts'

export type PageOptions = { readonly limit?: string; readonly cursor?: string }

export function sessionOf(runtime: Runtime, options: CallerOptions): DiscoverySession {
  return runtime.discovery.session({
    ...callerOf(options),
    ...(options.trace !== undefined && { traceId: options.trace }),
  })
}

/** `documents/pdf` → its labels. */
export function toPath(text: string | undefined): string[] {
  return (text ?? '').split('/').filter(Boolean)
}

export function pageOf({ limit, cursor }: PageOptions): { limit?: number; cursor?: string } {
  const number = Number(limit)
  if (limit !== undefined && !(Number.isInteger(number) && number >= 1 && number <= 50))
    throw new UsageError(`--limit ${limit} is not a number from 1 to 50.`)
  return { ...(limit !== undefined && { limit: number }), ...(cursor !== undefined && { cursor }) }
}

/** Says what an operation answered instead; gives the exit code. */
export function explainError({ error }: ErrorResponse, options: CallerOptions): number {
  if (options.json) printJson({ error })
  else complain([red(`${error.code}: ${error.message}`), ...error.hints].join('\n'))
  return error.code === 'NO_MATCH_IN_CATEGORY' || error.code === 'INTERNAL' ? 1 : 2
}

export function tellNextPage(cursor: string | null, options: CallerOptions): void {
  if (cursor !== null && !options.quiet) complain(dim(`More: --cursor ${cursor}`))
}

export function toolRow({ tool_id, confidence, path, summary }: ToolPointer): string[] {
  return [tool_id, confidence.toFixed(2), path.join('/'), summary]
}
