// Lists of hosts that may be reached: `api.example.com`, `api.example.com:443`, `*.example.com:443`.
import type { Destination } from './network-rules.ts'

export type HostPattern = {
  /** Without brackets and last dot; for a wildcard the part behind `*`, with its dot. */
  readonly name: string
  readonly isWildcard: boolean
  /** Undefined: any. */
  readonly port: number | undefined
}

/** A pattern as a user writes it; undefined when it is none. */
export function readHostPattern(text: string): HostPattern | undefined {
  const [, wildcard, host = '', port] = /^(\*(?=\.))?(\[[^\]]*\]|[^:/?#@\\*\s]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const isWildcard = wildcard !== undefined
  const bare = isWildcard ? host.slice(1) : host
  if (bare === '' || !URL.canParse(`http://${bare}`) || Number(port ?? 1) > 65_535 || port === '0') return undefined
  const name = plainHost(new URL(`http://${bare}`).hostname)
  return { name: isWildcard ? `.${name}` : name, isWildcard, port: port === undefined ? undefined : Number(port) }
}

/** Whether one of the patterns stands for the destination. A wildcard stands for names below its own, not for that. */
export function isListed(patterns: readonly HostPattern[], { hostname, port }: Destination): boolean {
  const host = plainHost(hostname)
  return patterns.some(
    one =>
      (one.isWildcard ? host.endsWith(one.name) && host.length > one.name.length : host === one.name) &&
      (one.port === undefined || one.port === port),
  )
}

/** One spelling for each host: no brackets, no last dot. */
function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}
