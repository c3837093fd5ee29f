// What went wrong with a server, worded for whoever has to do something about it.
import { createMask } from '../text/mask-values.ts'
import { ConfigError, type Target } from './config.ts'

/** A server that cannot be reached, or that refused. Holds no secrets of the configuration. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure'
  readonly hint: string
  /** Set when the same may go well later. */
  readonly again: { readonly afterMs?: number } | undefined

  constructor(message: string, options: { readonly hint: string; readonly again?: { readonly afterMs?: number } }) {
    super(message)
    this.hint = options.hint
    this.again = options.again
  }
}

type Circumstances = {
  readonly server: string
  readonly target?: Target | undefined
  /** The end of the server's stderr. */
  readonly said?: string | undefined
}

/** Reads whatever the SDK, `fetch` or `spawn` threw. */
export function toFailure(error: unknown, { server, target, said = '' }: Circumstances): McpFailure {
  if (error instanceof McpFailure) return error
  const { what, hint, isPassing } = explain(error, server, target)
  // Masked before it is cut: half a secret is not found any more.
  const hide = createMask(target?.secrets ?? []).text
  const tail = said.trim() && `\nIt wrote: ${hide(said.trim()).slice(-TEXT_IN_MESSAGE)}`
  const message = `The MCP server ${server} ${hide(what).slice(0, TEXT_IN_MESSAGE)}.${tail}`
  return new McpFailure(message, { hint, ...(isPassing && { again: {} }) })
}

const TEXT_IN_MESSAGE = 2000

type Explanation = { readonly what: string; readonly hint: string; readonly isPassing: boolean }

function explain(error: unknown, server: string, target: Target | undefined): Explanation {
  const { code, message, status, reason } = readError(error)
  const place = target?.kind === 'stdio' ? `\`command\` of mcpServers.${server}` : `\`url\` of mcpServers.${server}`
  const passing = (what: string, hint: string): Explanation => ({ what, hint, isPassing: true })
  const lasting = (what: string, hint: string): Explanation => ({ what, hint, isPassing: false })

  if (error instanceof ConfigError) return lasting(`is not set up: ${message}`, error.hint)
  if (typeof code === 'number') return lasting(`refused: ${message} (${code})`, 'Mend the arguments as it says.')
  if (status === 401 || status === 403)
    return lasting(`denies access (HTTP ${status})`, `Give a valid token in \`headers\` of mcpServers.${server}.`)
  if (status !== undefined && (status === 429 || status >= 500))
    return passing(`answered with HTTP ${status}`, 'Try again later.')
  if (status !== undefined) return lasting(`answered with HTTP ${status}: ${message}`, `Check the ${place}.`)
  switch (code) {
    case 'ENOENT':
      return lasting('cannot be started: the program or its folder is missing', `Install it, or mend the ${place}.`)
    case 'EACCES':
      return lasting('cannot be started: its program may not be run', `Mend the ${place}.`)
    case 'UNSUPPORTED_RESULT_TYPE':
    case 'INPUT_REQUIRED_ROUNDS_EXCEEDED':
      return lasting('asks the user for input, which cannot be given here', 'Give all it needs as arguments.')
    case 'INVALID_RESULT':
      return lasting(`broke the protocol: ${message}`, 'Tell the author of the server.')
    case 'REQUEST_TIMEOUT':
      return passing('did not answer in time', `Check the ${place}, or try again later.`)
    case 'CONNECTION_CLOSED':
    case 'NOT_CONNECTED':
      return passing('closed the connection', `Check the ${place}, or try again later.`)
  }
  if (reason !== undefined) return passing(`cannot be reached (${reason})`, `Check that it runs, and the ${place}.`)
  return passing(`failed: ${message}`, `Check the ${place}, or try again later.`)
}

function readError(error: unknown) {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) }
  const { code, status, cause } = error as Error & { code?: unknown; status?: unknown; cause?: unknown }
  // `fetch` says "fetch failed" and hides the reason; the SDK may wrap that once more.
  const inner = (cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause) as
    | (Error & { code?: unknown })
    | undefined
  return {
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    message: error.message,
    status: typeof status === 'number' ? status : undefined,
    reason: inner instanceof Error ? String(inner.code ?? inner.message) : undefined,
  }
}
