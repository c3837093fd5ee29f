import type { ErrorCode } from '../errors.ts'

type NetworkErrorCode = Extract<
  ErrorCode,
  'ADDRESS_REFUSED' | 'POLICY_DENIED' | 'HTTP_FAILED' | 'HTTP_TIMEOUT' | 'RESPONSE_TOO_LARGE' | 'CANCELLED'
>

/** Why a request got no usable answer; worded for the model. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly code: NetworkErrorCode
  /** Whether the same request may go well later. */
  readonly mayPass: boolean

  constructor(code: NetworkErrorCode, message: string, { mayPass = false }: { readonly mayPass?: boolean } = {}) {
    super(message)
    this.code = code
    this.mayPass = mayPass
  }
}

/** What sockets, TLS, zlib and undici throw, as one kind of error. */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  const known = KNOWN.find(([pattern]) => pattern.test(code))
  if (known) return new NetworkError('HTTP_FAILED', `${known[1]} (${code}).`, { mayPass: known[2] })
  return new NetworkError('HTTP_FAILED', `The request failed: ${message}${code && ` (${code})`}.`)
}

const KNOWN: readonly (readonly [code: RegExp, means: string, mayPass: boolean])[] = [
  [/^ENOTFOUND$/, 'There is no host of this name', false],
  [/^EAI_/, 'The name of the host could not be looked up', true],
  [/^ECONNREFUSED$/, 'Nothing listens at this address', true],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'The server closed the connection early', true],
  [/^(?:E(?:HOST|NET)(?:UNREACH|DOWN)|ETIMEDOUT|EADDRNOTAVAIL)$/, 'The server cannot be reached', true],
  [/^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'The server has no certificate that holds', false],
  [/^(?:Z_|ERR__?ERROR_|ERR_BROTLI)/, 'The answer is not encoded as it says', false],
  [/^(?:HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_))/, 'The server does not speak HTTP as it should', false],
]
