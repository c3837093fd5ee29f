// The tools of MCP servers join a compiled snapshot. Skills are not read again for that.
import { randomUUID } from 'node:crypto'
import { diagnose } from '../diagnostics.ts'
import type { ServerListing } from '../mcp/servers.ts'
import { toValidName } from '../skills/skill-name.ts'
import { mountServer } from '../tools/mcp-servers.ts'
import type { Diagnostic, Snapshot, Tool, ToolStatus } from '../types.ts'
import { deepFreeze } from './deep-freeze.ts'

const SHADOWED = 'Another tool has this id.'

/** A new snapshot with the servers' tools. A server whose name a skill has gets another one. Never throws. */
export function mountServers(
  base: Snapshot,
  listings: readonly ServerListing[],
  options: { readonly timeoutMs: number },
): Snapshot {
  if (listings.length === 0) return base
  const tools = new Map<string, Tool>(base.tools)
  const statuses: ToolStatus[] = []
  const diagnostics: Diagnostic[] = []
  const taken = new Set(base.skills.keys())

  for (const listing of listings) {
    const id = uniqueId(listing.server)
    const mounted = mountServer(listing, { id, ...options })
    for (const tool of mounted.tools) {
      const isTaken = base.tools.has(tool.id)
      if (!isTaken) tools.set(tool.id, tool)
      statuses.push(isTaken ? { id: tool.id, status: 'shadowed', reason: SHADOWED } : { id: tool.id, status: 'ok' })
    }
    statuses.push(...mounted.invalid)
    diagnostics.push(...mounted.diagnostics)
  }

  const { report } = base
  const count = (status: ToolStatus['status']) => statuses.filter(one => one.status === status).length
  return deepFreeze({
    ...base,
    id: randomUUID(),
    tools,
    report: {
      ...report,
      tools: [...report.tools, ...statuses],
      diagnostics: [...report.diagnostics, ...diagnostics],
      counts: {
        ...report.counts,
        ok: report.counts.ok + count('ok'),
        invalid: report.counts.invalid + count('invalid'),
        shadowed: report.counts.shadowed + count('shadowed'),
      },
    },
  })

  function uniqueId(server: string): string {
    const wanted = toValidName(server)
    let id = wanted
    for (let number = 1; taken.has(id); number++) id = number === 1 ? `${wanted}-mcp` : `${wanted}-mcp-${number}`
    taken.add(id)
    if (id !== wanted) {
      const message = `The name ${wanted} is taken, so the tools of the MCP server ${server} are called ${id}.…`
      const hint = 'Rename the server in `mcpServers`.'
      diagnostics.push(diagnose('name-taken', { file: `mcpServers.${server}` }, { message, hint }))
    }
    return id
  }
}
