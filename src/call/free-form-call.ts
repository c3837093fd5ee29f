import { splitWords } from '../text/split-words.ts'
import type { Json, Tool } from '../types.ts'

export type FreeFormCall = {
  readonly commandLine: readonly string[]
  /** `data`, when it is given. */
  readonly args: { readonly [name: string]: Json }
}

/**
 * Callers that know only the free form may give a typed script its own command line as `{ arguments, data }`, as long as
 * no parameter has one of these names. Undefined when the arguments are meant for the tool's own schema.
 */
export function readFreeForm({ executor }: Tool, given: unknown): FreeFormCall | undefined {
  if (executor.type !== 'script' || executor.convention.type !== 'command-line') return undefined
  if (typeof given !== 'object' || given === null) return undefined
  const names = Object.keys(given)
  const own = new Map(executor.convention.parameters.map(parameter => [parameter.name, parameter.pass.as]))
  // `data` that is stdin means the same in both forms; without `arguments` it is the tool's own.
  const isTaken = (name: string) =>
    own.has(name) && !('arguments' in given && name === 'data' && own.get(name) === 'stdin')
  const isFreeForm = names.every(name => (name === 'arguments' || name === 'data') && !isTaken(name))
  if (names.length === 0 || !isFreeForm) return undefined

  const { arguments: line = [], data } = given as { arguments?: unknown; data?: Json }
  const commandLine = typeof line === 'string' ? splitWords(line) : line
  if (!Array.isArray(commandLine) || !commandLine.every(word => typeof word === 'string')) return undefined
  return { commandLine, args: data === undefined ? {} : { data } }
}
