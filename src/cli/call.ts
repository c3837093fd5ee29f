import { readFileSync } from 'node:fs'
import type { Runtime } from '../runtime.ts'
import { toText } from '../wire.ts'
import type { CommonOptions } from './config.ts'
import { findTool } from './find-tool.ts'
import { complain, dim, print, printJson, red } from './output.ts'
import { UsageError } from './usage-error.ts'

export type CallOptions = CommonOptions & { readonly args?: string; readonly timeout?: string }

/** `skillwright call <tool>`: calls a tool and prints what it gives. */
export async function call(
  runtime: Runtime,
  options: CallOptions,
  input: { readonly id: string; readonly commandLine: readonly string[]; readonly signal: AbortSignal },
): Promise<number> {
  const tool = await findTool(runtime, input.id)
  const result = await runtime.call({
    toolId: tool.id,
    args: readArgs(options.args, input.commandLine),
    signal: input.signal,
    ...(options.timeout !== undefined && { timeoutMs: readTimeout(options.timeout) }),
  })
  if (options.json) printJson(result)
  else if (result.ok) print(toText(result))
  else complain(red(toText(result)))
  if (!options.quiet && !options.json && result.ok && result.meta.stderr) complain(dim(result.meta.stderr))

  if (result.ok) return 0
  if (result.error.code === 'SCRIPT_TIMEOUT') return 124
  return result.error.code === 'CANCELLED' ? 130 : 1
}

function readArgs(given: string | undefined, commandLine: readonly string[]): unknown {
  if (given === undefined) return commandLine.length > 0 ? { arguments: commandLine } : {}
  if (commandLine.length > 0) throw new UsageError('Give the arguments with --args or after --, not both.')
  const text = given === '-' ? read(0, 'stdin') : given.startsWith('@') ? read(given.slice(1), given.slice(1)) : given
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--args is not JSON: ${why}. Write --args '{"arguments": ["a", "b"]}'.`)
  }
}

function read(file: string | number, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--args: ${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function readTimeout(text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds < 2 ** 31 / 1000)) throw new UsageError(`--timeout ${text} is not a number of seconds.`)
  return seconds * 1000
}
