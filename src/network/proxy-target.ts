// Where a client of the proxy wants to go, read strictly: what is not plainly one host and one port is nothing.
import type { Destination } from './network-rules.ts'

/** Reads what a CONNECT names: `host:port`. */
export function readAuthority(text: string): Destination | undefined {
  const [, host = '', port = ''] = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253}):(\d{1,5})$/.exec(text) ?? []
  const url = `http://${host}/`
  if (host === '' || !URL.canParse(url) || Number(port) < 1 || Number(port) > 65_535) return undefined
  // The one spelling of each address: `0x7f.1` is `127.0.0.1`.
  return { hostname: new URL(url).hostname, port: Number(port) }
}

/** Reads the address of a request in absolute form; only `http:`, since what is encrypted goes through a tunnel. */
export function readProxiedUrl(text: string): { readonly url: URL; readonly destination: Destination } | undefined {
  if (!/^http:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  return { url, destination: { hostname: url.hostname, port: Number(url.port || 80) } }
}

/** As it is told to people. */
export function shownDestination({ hostname, port }: Destination): string {
  return `${hostname}:${port}`
}
