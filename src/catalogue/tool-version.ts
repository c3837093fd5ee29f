import { createHash } from 'node:crypto'
import type { Tool } from '../types.ts'

/** Tools are frozen, so that each is hashed once. */
const known = new WeakMap<Tool, string>()

/** Changes whenever what a model must know to call the tool changes, and only then. */
export function versionOf(tool: Tool): string {
  const seen = known.get(tool)
  if (seen) return seen
  const { id, description, inputSchema, resultSchema, annotations, version } = tool
  const text = JSON.stringify([id, description, inputSchema, resultSchema, annotations, version])
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  known.set(tool, hash)
  return hash
}
