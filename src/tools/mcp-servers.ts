// The tools of an MCP server → tools of the catalogue.
import { createHash } from 'node:crypto'
import { diagnose } from '../diagnostics.ts'
import type { ServerListing } from '../mcp/servers.ts'
import type { Diagnostic, Tool, ToolStatus } from '../types.ts'

export type MountedTools = {
  readonly tools: readonly Tool[]
  readonly invalid: readonly ToolStatus[]
  readonly diagnostics: readonly Diagnostic[]
}

export type MountOptions = {
  /** What stands before the dot in the ids. */
  readonly id: string
  readonly timeoutMs: number
}

const MAX_NAME = 100
/** A hostile server must not drown the report. */
const MAX_DIAGNOSTICS = 20

/** Gives each tool of a server its id. Never throws. */
export function mountServer(listing: ServerListing, { id, timeoutMs }: MountOptions): MountedTools {
  const diagnostics: Diagnostic[] = []
  const place = { file: `mcpServers.${listing.server}` }
  const say = (code: Diagnostic['code'], message: string, hint: string) => {
    if (diagnostics.length < MAX_DIAGNOSTICS) diagnostics.push(diagnose(code, place, { message, hint }))
  }
  if (listing.failure) say('mcp-server-unreachable', listing.failure.message, listing.failure.hint)
  for (const key of listing.unknownKeys)
    say('mcp-setting-unknown', `\`${key}\` means nothing here and has no effect.`, 'Remove it, or check its spelling.')

  const names = uniqueNames(listing.tools.map(tool => tool.name))
  const tools = listing.tools.map((served): Tool => {
    const name = names.get(served.name)!
    return {
      id: `${id}.${name}`,
      name,
      skill: id,
      description: served.description,
      inputSchema: served.inputSchema,
      executor: { type: 'mcp', server: listing.server, tool: served.name },
      timeoutMs,
      origin: 'mcp-server',
      ...(served.resultSchema && { resultSchema: served.resultSchema }),
      ...(served.annotations && { annotations: served.annotations }),
    }
  })
  const invalid = listing.refused.map(({ name, reason }): ToolStatus => {
    const text = `${name}: ${reason}.`
    say('mcp-tool-refused', `A tool of the MCP server ${listing.server} is left out: ${text}`, 'Tell its author.')
    return { id: `${id}.${toName(name)}`, status: 'invalid', reason: text, file: place.file }
  })
  return { tools, invalid, diagnostics }
}

/**
 * Name on the server → name here. Whoever has a fitting name keeps it; of those whose names become the same by fitting them, each
 * but the first gets a hash of its own name, so that it is the same in every run.
 */
function uniqueNames(served: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(served.filter(name => name === toName(name)))
  return new Map(
    served.map(name => {
      const fitting = toName(name)
      const unique = name === fitting || !taken.has(fitting) ? fitting : `${fitting}-${hash(name)}`
      taken.add(unique)
      return [name, unique]
    }),
  )
}

function toName(name: string): string {
  const fitting = name
    .slice(0, MAX_NAME)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return fitting === '' ? `tool-${hash(name)}` : fitting
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
