import { splitWords } from '../text/split-words.ts'
import type { Tool } from '../types.ts'

/**
 * Callers that know only the free form may give a typed script its own command line as `{ arguments }`, as long as no
 * parameter has that name. Undefined when the arguments are the tool's own.
 */
export function ownCommandLine({ executor, inputSchema }: Tool, args: unknown): readonly string[] | undefined {
  if (executor.type !== 'script' || executor.convention.type !== 'command-line') return undefined
  if (Object.hasOwn((inputSchema['properties'] ?? {}) as object, 'arguments')) return undefined
  if (typeof args !== 'object' || args === null || Object.keys(args).join() !== 'arguments') return undefined
  const { arguments: line } = args as { arguments: unknown }
  if (typeof line === 'string') return splitWords(line)
  return Array.isArray(line) && line.every(word => typeof word === 'string') ? line : undefined
}
