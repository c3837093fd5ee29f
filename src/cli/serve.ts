import { join } from 'node:path'
import { auditFileOf, STATE_FOLDER } from '../audit/audit-file.ts'
import type { Runtime } from '../runtime.ts'
import type { ServeOptions, Serving } from '../servers/serve.ts'
import { type CallerOptions, runtimeOptions, serversOptions } from './config.ts'
import { readMode } from './mcp.ts'
import { bold, complain, dim, print, table } from './output.ts'
import { UsageError } from './usage-error.ts'

export type ServeCommandOptions = CallerOptions & {
  readonly host?: string
  readonly port?: string
  /** False after `--no-grpc`. */
  readonly grpc: boolean
  readonly grpcPort?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly into?: string
  readonly grace: string
  readonly mode: string
  readonly pin: readonly string[]
}

const DEFAULT_PORT = 4747

/** `skillwright serve`: REST, MCP over HTTP and gRPC until a signal comes, then an orderly end. */
export async function serveCommand(
  runtime: Runtime,
  options: ServeCommandOptions,
  signal: AbortSignal,
): Promise<number> {
  const graceMs = readNumber('--grace', options.grace, 3600) * 1000
  const serving = await start(runtime, await toServeOptions(options))
  if (options.json) print(JSON.stringify(serving.addresses))
  else print(table(Object.entries(serving.addresses).map(([name, address]) => [bold(NAMES[name as Surface]), address])))
  if (!options.quiet && !options.json) complain(dim(nextSteps(serving.addresses)))

  await new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // A second signal means: now.
  for (const again of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(again, () => void serving.close())
  if (!options.quiet && !options.json) complain(dim('Finishing what runs; once more cancels it.'))
  await serving.close({ graceMs })
  return 0
}

type Surface = keyof Serving['addresses']
const NAMES: Record<Surface, string> = { rest: 'REST', openapi: 'OpenAPI', mcp: 'MCP', grpc: 'gRPC' }

function nextSteps({ rest, mcp }: Serving['addresses']): string {
  const client = mcp === undefined ? '' : `MCP clients: skillwright config --http ${mcp}\n`
  return `\nTry:         curl ${rest}/tools\n${client}Ctrl-C ends it.`
}

async function start(runtime: Runtime, options: ServeOptions): Promise<Serving> {
  const { serve } = await import('../servers/serve.ts')
  try {
    return await serve(runtime, options)
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number }
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} is taken. Choose another with --port or --grpc-port; 0 takes any that is free.`,
      )
    throw error
  }
}

/** Flags win over the file. */
async function toServeOptions(options: ServeCommandOptions): Promise<ServeOptions> {
  const file = await serversOptions(options)
  const { workspace = '.', audit } = await runtimeOptions(options)
  const { host, tlsCert, tlsKey, into, role } = options
  const port = options.port === undefined ? (file.port ?? DEFAULT_PORT) : readNumber('--port', options.port, 65_535)
  const local = file.localCaller ?? { id: 'local', roles: [] }
  return {
    // Callers who know nothing of each other must not meet in one folder.
    ...(file.tokens && { workspaces: join(workspace, STATE_FOLDER, 'workspaces') }),
    ...file,
    port,
    grpcPort: options.grpc ? grpcPortOf(options, file, port) : false,
    ...(host !== undefined && { host }),
    ...(tlsCert !== undefined && { tlsCert }),
    ...(tlsKey !== undefined && { tlsKey }),
    ...(into !== undefined && { importInto: into }),
    localCaller: { ...local, roles: [...local.roles, ...role] },
    auditFile: auditFileOf({ workspace, audit }),
    mcp: { mode: readMode(options.mode), pinned: options.pin },
  }
}

/** The one after that of HTTP, unless somebody names one. */
function grpcPortOf(options: ServeCommandOptions, file: ServeOptions, port: number): number | false {
  if (options.grpcPort !== undefined) return readNumber('--grpc-port', options.grpcPort, 65_535)
  return file.grpcPort ?? (port === 0 ? 0 : port + 1)
}

function readNumber(option: string, text: string, most: number): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < 0 || number > most)
    throw new UsageError(`${option} ${text} is not a number from 0 to ${most}.`)
  return number
}
