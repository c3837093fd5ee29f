import { readFileSync } from 'node:fs'
import type { Runtime } from '../runtime.ts'
import { quoteWords } from '../text/quote-words.ts'
import type { Tool, ToolCall } from '../types.ts'
import { toText } from '../wire.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { findTool } from './find-tool.ts'
import { createLiveOutput } from './live-output.ts'
import { complain, dim, printData, printJson, red } from './output.ts'
import { UsageError } from './usage-error.ts'

export type CallOptions = CallerOptions & {
  readonly args?: string
  readonly timeout?: string
  readonly stream: boolean
  readonly yes: boolean
}

/** `skillwright call <tool>`: calls a tool and prints what it gives. */
export async function call(
  runtime: Runtime,
  options: CallOptions,
  input: { readonly id: string; readonly commandLine: readonly string[]; readonly signal: AbortSignal },
): Promise<number> {
  const who = callerOf(options)
  const tool = await findTool(runtime, input.id, who)
  const result = await runtime.call({
    toolId: tool.id,
    ...who,
    ...(options.trace !== undefined && { traceId: options.trace }),
    ...readArgs(options.args, input.commandLine, tool),
    signal: input.signal,
    ...(isLive(options) && { onUpdate: createLiveOutput().show }),
    ...(options.timeout !== undefined && { timeoutMs: readTimeout(options.timeout) }),
  })
  if (options.json) printJson(result)
  else if (result.ok) printData(toText(result))
  else complain(red(toText(result)))
  if (!options.quiet && !options.json && result.ok && result.meta.stderr) complain(dim(result.meta.stderr))

  if (result.ok) return 0
  if (result.error.code === 'SCRIPT_TIMEOUT') return 124
  return result.error.code === 'CANCELLED' ? 130 : 1
}

function readArgs(
  given: string | undefined,
  commandLine: readonly string[],
  tool: Tool,
): Pick<ToolCall, 'args' | 'commandLine'> {
  if (given === undefined && commandLine.length > 0)
    return tool.executor.type === 'prompt' ? { args: { arguments: quoteWords(commandLine) } } : { commandLine }
  if (given === undefined) return {}
  if (commandLine.length > 0) throw new UsageError('Give the arguments with --args or after --, not both.')
  const text = given === '-' ? read(0, 'stdin') : given.startsWith('@') ? read(given.slice(1), given.slice(1)) : given
  try {
    return { args: JSON.parse(text) }
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

/** What a call writes while it runs is shown on a terminal; a pipe gets it when asked for. */
function isLive({ stream, quiet, json }: CallOptions): boolean {
  return stream || (process.stderr.isTTY && !quiet && !json)
}

function readTimeout(text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds < 2 ** 31 / 1000)) throw new UsageError(`--timeout ${text} is not a number of seconds.`)
  return seconds * 1000
}
