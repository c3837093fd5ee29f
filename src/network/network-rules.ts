// Where tools may connect to: the public internet, and what the host allows besides.
import { addressKind } from './address-kind.ts'
import { NetworkError } from './network-error.ts'

export type NetworkRules = {
  /** `host` or `host:port`, as it stands in a URL: may be reached although its address is private. Default: none. */
  readonly allowPrivate?: readonly string[]
}

export type Destination = { readonly hostname: string; readonly port: number }

export type AddressGuard = {
  /** Throws `NetworkError` unless every one of the addresses that the destination leads to may be reached. */
  check(destination: Destination, addresses: readonly string[]): void
}

/** Throws `TypeError` on an entry that is no host. */
export function createAddressGuard({ allowPrivate = [] }: NetworkRules): AddressGuard {
  const allowed = allowPrivate.map(readEntry)

  return {
    check({ hostname, port }, addresses) {
      const name = hostOf(hostname)
      if (allowed.some(one => one.name === name && (one.port === undefined || one.port === port))) return
      for (const address of addresses) {
        const kind = addressKind(address)
        if (kind !== 'public') throw refused(hostname, kind)
      }
    },
  }
}

const WEB_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Where a URL leads. Throws `NetworkError` when it is not for tools: another protocol, or a password in it. */
export function destinationOf(url: URL): Destination {
  const port = WEB_PORTS[url.protocol]
  if (port === undefined)
    throw new NetworkError('ADDRESS_REFUSED', `Only http and https are allowed, not ${url.protocol}`)
  if (url.username || url.password)
    throw new NetworkError('ADDRESS_REFUSED', 'A URL may not hold a user name or password; use a header.')
  return { hostname: url.hostname, port: url.port ? Number(url.port) : port }
}

function refused(hostname: string, kind: string): NetworkError {
  // The address itself is not told: a tool could be used to ask what names inside the network mean.
  return new NetworkError(
    'ADDRESS_REFUSED',
    `${hostname} leads to an address that is not public (${kind}), which tools may not reach.`,
  )
}

function readEntry(entry: string): { readonly name: string; readonly port: number | undefined } {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:/?#@\\]+)(?::(\d+))?$/.exec(entry) ?? []
  const url = `http://${host}`
  if (!host || !URL.canParse(url)) throw new TypeError(`allowPrivate: ${JSON.stringify(entry)} is no host or host:port`)
  return { name: hostOf(new URL(url).hostname), port: port === undefined ? undefined : Number(port) }
}

/** One spelling for each host: no brackets, no last dot. */
function hostOf(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}
