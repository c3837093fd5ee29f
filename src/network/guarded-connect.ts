// The only place that dials. What was checked is what is dialled: names are looked up once, here.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { NetworkError, toNetworkError } from './network-error.ts'
import type { AddressGuard, Destination } from './network-rules.ts'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export type ConnectOptions = {
  readonly guard: AddressGuard
  readonly resolve?: Resolve
  /** Aborted: every connection that is not yet made is given up. */
  readonly closing: AbortSignal
}

export type Connect = (target: Destination & { readonly tls: boolean }) => Promise<Socket>

const CONNECT_TIMEOUT_MS = 10_000

/** Opens sockets to allowed addresses only. The promise rejects with `NetworkError`. */
export function createGuardedConnect({ guard, closing, resolve = resolveAll }: ConnectOptions): Connect {
  return async ({ tls, ...target }) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(hostname) ? [hostname] : await lookUp(hostname)
    guard.check(target, addresses)
    return dial({ hostname, port: target.port, tls }, addresses, closing)
  }

  async function lookUp(hostname: string): Promise<readonly string[]> {
    // The system may ask a name server for it, which could answer anything.
    if (/(?:^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']
    try {
      return await resolve(hostname)
    } catch (error) {
      throw toNetworkError(error)
    }
  }
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)
}

function dial(target: Parameters<Connect>[0], addresses: readonly string[], closing: AbortSignal): Promise<Socket> {
  const { hostname, port, tls } = target
  const checked = addresses.map(address => ({ address, family: isIP(address) }))
  const giveChecked: LookupFunction = (_name, { all }, callback) =>
    all ? callback(null, checked) : callback(null, checked[0]!.address, checked[0]!.family)
  const options = { host: hostname, port, lookup: giveChecked, autoSelectFamily: true, noDelay: true, keepAlive: true }

  return new Promise((resolve, reject) => {
    const socket = tls
      ? tlsConnect({ ...options, ALPNProtocols: ['http/1.1'], ...(!isIP(hostname) && { servername: hostname }) })
      : netConnect(options)
    const giveUp = () => socket.destroy(new NetworkError('CANCELLED', 'The connection is no longer wanted.'))
    const timer = setTimeout(() => socket.destroy(tooSlow(hostname)), CONNECT_TIMEOUT_MS)
    closing.addEventListener('abort', giveUp)
    if (closing.aborted) giveUp()
    const settle = (then: () => void) => () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', giveUp)
      then()
    }
    const onError = (error: Error) => settle(() => reject(toNetworkError(error)))()
    socket.once('error', onError)
    socket.once(
      tls ? 'secureConnect' : 'connect',
      settle(() => {
        socket.off('error', onError)
        resolve(socket)
      }),
    )
  })
}

const tooSlow = (hostname: string) =>
  new NetworkError('HTTP_TIMEOUT', `No connection to ${hostname} within ${CONNECT_TIMEOUT_MS / 1000} s.`, {
    mayPass: true,
  })
