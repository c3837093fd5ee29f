import type { Runtime } from '../runtime.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { complain, yellow } from './output.ts'
import { UsageError } from './usage-error.ts'

export type McpCommandOptions = CallerOptions & {
  readonly mode: string
  readonly pin: readonly string[]
}

/** `skillwright mcp`: serves one MCP client over stdin and stdout, until it leaves. */
export async function mcp(runtime: Runtime, options: McpCommandOptions, signal: AbortSignal): Promise<number> {
  const mode = readMode(options.mode)
  const who = callerOf(options)
  const onWarning = (message: string) => {
    if (!options.quiet) complain(options.json ? JSON.stringify({ warning: message }) : yellow(message))
  }
  for (const id of options.pin)
    if (!(await runtime.findTool(id, who))) onWarning(`--pin ${id}: there is no such tool yet.`)
  const { serveMcpStdio } = await import('../servers/mcp-stdio.ts')
  await serveMcpStdio(runtime, { ...who, mode, pinned: options.pin, signal, onWarning })
  return 0
}

export function readMode(text: string): 'discovery' | 'flat' {
  if (text === 'discovery' || text === 'flat') return text
  throw new UsageError(`--mode ${text} is unknown. Write --mode discovery or --mode flat.`)
}
