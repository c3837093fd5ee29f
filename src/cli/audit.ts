import { existsSync } from 'node:fs'
import { auditFileOf } from '../audit/audit-file.ts'
import { type AuditRecord, type AuditTrace, readAudit, type ToolTotal } from '../audit/read-audit.ts'
import { cutText } from '../text/clean-text.ts'
import { type CommonOptions, runtimeOptions } from './config.ts'
import { bold, complain, dim, print, printJson, table } from './output.ts'
import { UsageError } from './usage-error.ts'

/** `skillwright audit`: each way from a search to a call as a small tree, and totals for each tool. */
export async function audit(options: CommonOptions & { readonly trace?: string }): Promise<number> {
  const { workspace = '.', audit: named } = await runtimeOptions(options)
  const file = auditFileOf({ workspace, audit: named })
  if (file === false) throw new UsageError('The configuration switches the audit off.')
  if (!existsSync(file)) {
    complain(`There is no audit at ${file}: nothing was called here yet, or --workspace names another folder.`)
    return 1
  }
  const { traces, totals, unreadable } = await readAudit(
    file,
    options.trace === undefined ? {} : { trace: options.trace },
  )
  if (options.json) printJson({ traces, totals, unreadable })
  else {
    for (const trace of traces) print(`${treeOf(trace)}\n`)
    if (totals.length > 0) print(totalsOf(totals))
    if (!options.quiet && unreadable > 0) complain(dim(`${unreadable} lines of ${file} could not be read`))
  }
  if (traces.length > 0) return 0
  complain(options.trace === undefined ? 'The audit holds no calls yet.' : `There is no trace ${options.trace}.`)
  return 1
}

function treeOf({ trace_id, steps, more }: AuditTrace): string {
  const lines = [
    ...steps.flatMap((step, i) => linesOf(step, steps.slice(0, i))),
    ...(more > 0 ? [`and ${more} more steps`] : []),
  ]
  const tree = lines.map((line, i) => `${i === lines.length - 1 ? '└─' : '├─'} ${line}`)
  const time = steps[0]!.time.slice(0, 19).replace('T', ' ')
  return [`${bold(shown(trace_id))}  ${dim(shown(time))}`, ...tree].join('\n')
}

function linesOf(step: AuditRecord, before: readonly AuditRecord[]): string[] {
  const tool = shown(step['tool_name'])
  switch (step.event) {
    case 'discovery.list':
      return [`list${placeOf(step)}${found(step)}`]
    case 'discovery.search_tool_by_category':
      return [`search${placeOf(step)}${found(step)}`]
    case 'discovery.search_nodes':
      return [`search categories${placeOf(step)}${found(step)}`]
    case 'discovery.expand_tool':
      return [...choiceOf(step, before), `expand ${tool}${verdict(step)}`]
    case 'discovery.call_tool':
      // The call itself has told already, unless it was refused before.
      return before.at(-1)?.event === 'dynamic_tool.call' && before.at(-1)?.['tool_name'] === step['tool_name']
        ? []
        : [`call ${tool}${verdict(step)}`]
    case 'dynamic_tool.call':
      return [`call ${tool}${verdict(step) || '  ok'} in ${shown(Math.round(Number(step['latency_ms'])))} ms`]
    default:
      return [shown(step.event)]
  }
}

function placeOf({ query, path }: AuditRecord): string {
  const place = Array.isArray(path) && path.length > 0 ? ` in ${shown(path.join('/'))}` : ''
  return `${typeof query === 'string' ? ` "${shown(query)}"` : ''}${place}`
}

function found(step: AuditRecord): string {
  const { results } = step
  const count = Array.isArray(results) ? results.length : 0
  return verdict(step) || ` → ${count} ${count === 1 ? 'result' : 'results'}`
}

/** Which of the results before it was: also of another process that shares the trace. */
function choiceOf({ tool_name }: AuditRecord, before: readonly AuditRecord[]): string[] {
  const shower = before.findLast(one => Array.isArray(one['results']) && one['results'].includes(tool_name))
  if (!shower) return []
  const rank = (shower['results'] as unknown[]).indexOf(tool_name) + 1
  return [`choose ${shown(tool_name)}, result ${rank} of the ${shower.event === 'discovery.list' ? 'list' : 'search'}`]
}

function verdict({ error_code }: AuditRecord): string {
  return typeof error_code === 'string' ? `  ${shown(error_code)}` : ''
}

function totalsOf(totals: readonly ToolTotal[]): string {
  const rows = totals.map(({ tool, found: seen, expanded, called, failed, average_ms }) => [
    shown(tool),
    ...[seen, expanded, called, failed].map(String),
    called > 0 ? `${average_ms} ms` : '',
  ])
  return table([['tool', 'found', 'expanded', 'called', 'failed', 'average'].map(dim), ...rows])
}

/** Names and queries come from models and strangers; a terminal obeys control characters. */
function shown(value: unknown): string {
  return cutText(String(value), 120)
}
