// The one place that fetches bytes over HTTP for an import.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { tooLarge } from './budget.ts'
import { checkCancelled, ImportError, reasonOf } from './import-error.ts'

/** As much of `fetch` as a download needs; a host passes one that checks addresses. */
export type Fetch = (
  url: string,
  init: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<Response>

export type DownloadOptions = {
  /** Where the bytes go; must not exist. */
  readonly file: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly fetch: Fetch
  readonly onProgress: (bytes: number, total: number | undefined) => void
}

/** Downloads into a file and answers its digest, `sha256:<hex>`. Throws `ImportError`. */
export async function download(url: string, options: DownloadOptions): Promise<string> {
  const { signal } = options
  const stalled = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), STALL_MS)
  }
  const file = openSync(options.file, 'wx', 0o600)
  try {
    alive()
    const response = await options.fetch(url, {
      // Compression on the way would be undone, and the digest is of the bytes as they lie on the server.
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, stalled.signal, AbortSignal.timeout(TOTAL_MS)]),
    })
    if (!response.ok) throw failed(url, `the server answered ${response.status}`)
    if (response.url) checkTransport(response.url)
    const total = Number(response.headers.get('content-length')) || undefined
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      alive()
      bytes += chunk.length
      if (bytes > options.maxBytes) throw tooLarge(`${url} sends more than ${options.maxBytes} bytes.`)
      hash.update(chunk)
      for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written)
      options.onProgress(bytes, total)
    }
    return `sha256:${hash.digest('hex')}`
  } catch (error) {
    if (error instanceof ImportError) throw error
    checkCancelled(signal)
    throw failed(url, stalled.signal.aborted ? `nothing came for ${STALL_MS / 1000} s` : reasonWithCause(error))
  } finally {
    clearTimeout(timer)
    closeSync(file)
  }
}

/** Throws unless the URL is https, or plain http on this machine. */
export function checkTransport(url: string): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return
  throw new ImportError(
    'SOURCE_UNSUPPORTED',
    `${url} is not fetched: anybody on the way could change it.`,
    'Use https.',
  )
}

function reasonWithCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? reasonOf(error) : `${reasonOf(error)} (${reasonOf(cause)})`
}

function failed(url: string, why: string): ImportError {
  return new ImportError(
    'DOWNLOAD_FAILED',
    `${url} could not be downloaded: ${why}.`,
    'Check the address, then try again.',
  )
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const STALL_MS = 30_000
const TOTAL_MS = 600_000
